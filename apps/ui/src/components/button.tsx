import { cva, type VariantProps } from 'class-variance-authority';
import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';

const button = cva(
  'inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap font-semibold transition-[background-color,transform] duration-[120ms] active:scale-[0.98] disabled:scale-100 disabled:bg-muted disabled:text-quiet disabled:shadow-none aria-disabled:bg-muted aria-disabled:text-quiet',
  {
    variants: {
      variant: {
        default: 'bg-primary text-primary-foreground hover:bg-primary-hover',
        outline: 'bg-card text-foreground shadow-[inset_0_0_0_1px_var(--line)] hover:bg-muted',
        soft: 'bg-accent text-accent-foreground hover:brightness-[0.98]',
        ghost: 'text-brand-text hover:bg-accent',
        destructive: 'bg-card text-destructive shadow-[inset_0_0_0_1px_currentColor] hover:bg-bad-soft',
        line: 'bg-line-app text-line-app-foreground',
        band: 'bg-band-foreground text-band',
        shade: 'bg-band-shade text-band-foreground',
      },
      size: {
        /* phone */
        lg: 'h-[52px] rounded-touch px-5 text-base [&_svg]:size-5',
        md: 'h-11 rounded-touch px-4 text-row [&_svg]:size-[18px]',
        sm: 'h-10 rounded-control px-4 text-sm [&_svg]:size-[17px]',
        xs: 'h-9 rounded-small px-[13px] text-sm [&_svg]:size-5',
        /* office */
        office: 'h-10 rounded-control px-4 text-sm [&_svg]:size-[18px]',
        row: 'h-[34px] rounded-[9px] px-3 text-sm [&_svg]:size-4',
      },
      wide: { true: 'w-full' },
    },
    defaultVariants: { variant: 'default', size: 'lg' },
  },
);

export interface ButtonProps extends ComponentProps<'button'>, VariantProps<typeof button> {
  /** Renders the child (a link) in the button's shape. */
  asChild?: boolean;
}

export function Button({ className, variant, size, wide, asChild, type = 'button', ...props }: ButtonProps) {
  const shape = button({ variant, size, wide, className });
  if (asChild) return <Slot.Root data-slot="button" className={shape} {...props} />;
  return <button data-slot="button" type={type} className={shape} {...props} />;
}
