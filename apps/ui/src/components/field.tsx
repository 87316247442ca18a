import { clsx } from 'clsx';
import { CircleAlert } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { FieldContext } from './field-props.ts';

/** Label above, help below, the error at the field: a sentence that says what to type. */
export function Field({
  label,
  help,
  error,
  optional,
  className,
  children,
}: {
  label: ReactNode;
  help?: ReactNode;
  error?: ReactNode;
  optional?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  const id = useId();
  const note = error || help ? `${id}-note` : undefined;
  return (
    <FieldContext value={{ id, described: note, invalid: Boolean(error) }}>
      <div data-slot="field" className={clsx('grid grid-cols-1 content-start gap-1.5', className)}>
        <label htmlFor={id} className="flex justify-between gap-3 text-sm font-medium">
          {label}
          {optional && <span className="font-normal text-quiet">{optional}</span>}
        </label>
        {children}
        {error ? (
          <FormError id={note}>{error}</FormError>
        ) : (
          help && (
            <p id={note} className="text-caption text-quiet">
              {help}
            </p>
          )
        )}
      </div>
    </FieldContext>
  );
}

export function FormError({ className, children, ...props }: ComponentProps<'p'>) {
  return (
    <p
      data-slot="form-error"
      role="alert"
      className={clsx('flex items-start gap-1.5 text-caption text-bad-text', className)}
      {...props}
    >
      <CircleAlert aria-hidden className="mt-[3px] size-3.5 shrink-0" strokeWidth={2} />
      <span>{children}</span>
    </p>
  );
}
