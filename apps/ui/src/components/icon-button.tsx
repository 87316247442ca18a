import { cva, type VariantProps } from 'class-variance-authority';
import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';

const iconButton = cva(
  'relative grid shrink-0 place-items-center rounded-touch transition-[background-color,transform] duration-[120ms] active:scale-95 disabled:text-quiet [&_svg]:size-[22px]',
  {
    variants: {
      variant: {
        ghost: 'hover:bg-foreground/5',
        /* on a picture: the same paper by day and by night */
        picture: 'bg-white/95 text-[#15130f] shadow-[0_1px_3px_rgb(0_0_0/14%)]',
        outline: 'bg-card shadow-[inset_0_0_0_1px_var(--line)] hover:bg-muted',
        shade: 'bg-band-shade text-band-foreground',
      },
      size: { md: 'size-11', lg: 'size-[52px]', sm: 'size-9 rounded-small [&_svg]:size-[18px]' },
    },
    defaultVariants: { variant: 'ghost', size: 'md' },
  },
);

export interface IconButtonProps extends ComponentProps<'button'>, VariantProps<typeof iconButton> {
  /** What it does, for those who do not see the icon. */
  label: string;
  asChild?: boolean;
}

export function IconButton({ className, variant, size, label, asChild, type = 'button', ...props }: IconButtonProps) {
  const shape = iconButton({ variant, size, className });
  if (asChild) return <Slot.Root data-slot="icon-button" aria-label={label} className={shape} {...props} />;
  return <button data-slot="icon-button" type={type} aria-label={label} className={shape} {...props} />;
}
