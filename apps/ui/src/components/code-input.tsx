import { clsx } from 'clsx';
import type { ComponentProps } from 'react';
import { useFieldProps } from './field-props.ts';

export interface CodeInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  /** How many digits it takes. */
  digits: number;
  value: string;
  onChange: (value: string) => void;
}

/** Digits that the person received. It is one field that looks like several, so that it can be pasted into, filled in by the phone and corrected. */
export function CodeInput({ digits, value, onChange, className, ...props }: CodeInputProps) {
  const field = { ...useFieldProps(), ...props };
  const wrong = Boolean(field['aria-invalid']);
  const next = Math.min(value.length, digits - 1);
  return (
    <span
      data-slot="code-input"
      className={clsx('group relative flex w-full', digits > 4 ? 'gap-2' : 'gap-3', className)}
      style={{ maxWidth: digits * 72 - 12 }}
    >
      {Array.from({ length: digits }, (_, i) => (
        <span
          key={i}
          aria-hidden
          className={clsx(
            'grid h-[68px] min-w-0 flex-1 place-items-center rounded-[16px] text-[28px] font-semibold leading-[42px]',
            props.disabled ? 'bg-muted text-quiet' : 'bg-card',
            wrong ? 'shadow-[inset_0_0_0_1.5px_var(--bad)]' : 'shadow-[inset_0_0_0_1px_var(--line-strong)]',
            i === next && 'group-focus-within:shadow-[inset_0_0_0_2px_var(--brand-mark),0_0_0_4px_var(--brand-soft)]',
          )}
        >
          {value[i]}
        </span>
      ))}
      <input
        className="absolute inset-0 size-full cursor-text opacity-0"
        inputMode="numeric"
        autoComplete="off"
        {...field}
        value={value}
        onChange={(event) => onChange(event.target.value.replace(/\D/g, '').slice(0, digits))}
      />
    </span>
  );
}
