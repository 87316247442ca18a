import { clsx } from 'clsx';
import { CircleAlert } from 'lucide-react';
import { type ComponentProps, createContext, type ReactNode, useContext, useId } from 'react';

interface FieldContext {
  id: string;
  described: string | undefined;
  invalid: boolean;
}

const Context = createContext<FieldContext | null>(null);

/** What a control inside a Field needs to be tied to its label, help and error. */
export function useFieldProps() {
  const field = useContext(Context);
  if (!field) return {};
  return { id: field.id, 'aria-describedby': field.described, 'aria-invalid': field.invalid || undefined };
}

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
    <Context value={{ id, described: note, invalid: Boolean(error) }}>
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
    </Context>
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
