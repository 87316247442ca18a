import { cva, type VariantProps } from 'class-variance-authority';
import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { useFieldProps } from './field-props.ts';

const box = cva(
  'flex w-full items-center gap-2.5 bg-card text-foreground shadow-[inset_0_0_0_1px_var(--line-strong)] transition-shadow duration-[120ms] focus-within:shadow-[inset_0_0_0_2px_var(--brand-mark),0_0_0_4px_var(--brand-soft)] has-aria-invalid:shadow-[inset_0_0_0_1.5px_var(--bad)] has-disabled:bg-muted [&_svg]:shrink-0 [&_svg]:text-quiet',
  {
    variants: {
      size: { phone: 'h-12 rounded-touch px-3.5 text-base', office: 'h-[42px] rounded-control px-3 text-sm' },
      quiet: { true: 'shadow-none' },
    },
    defaultVariants: { size: 'phone' },
  },
);

const bare = 'min-w-0 flex-1 bg-transparent outline-none placeholder:text-quiet disabled:text-quiet';

export interface InputProps extends Omit<ComponentProps<'input'>, 'size'>, VariantProps<typeof box> {
  before?: ReactNode;
  after?: ReactNode;
}

export function Input({ className, size, quiet, before, after, ...props }: InputProps) {
  return (
    <span data-slot="input" className={box({ size, quiet, className })}>
      {before}
      <input className={bare} {...useFieldProps()} {...props} />
      {after}
    </span>
  );
}

export function Textarea({ className, size, ...props }: ComponentProps<'textarea'> & VariantProps<typeof box>) {
  return (
    <span data-slot="textarea" className={clsx(box({ size }), 'h-auto! py-2.5', className)}>
      <textarea rows={4} className={clsx(bare, 'resize-y')} {...useFieldProps()} {...props} />
    </span>
  );
}
