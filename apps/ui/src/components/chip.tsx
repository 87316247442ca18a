import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps, ReactNode } from 'react';

const chip = cva(
  'inline-flex h-[26px] items-center gap-1.5 whitespace-nowrap rounded-chip px-2.5 text-caption font-medium [&_svg]:size-3.5 [&_svg]:stroke-2',
  {
    variants: {
      tone: {
        mute: 'bg-muted text-muted-foreground',
        ok: 'bg-ok-soft text-ok-text',
        warn: 'bg-warn-soft text-warn-text',
        bad: 'bg-bad-soft text-bad-text',
        info: 'bg-info-soft text-info-text',
        brand: 'bg-accent text-accent-foreground',
        second: 'bg-second-soft text-second-text',
        tier: 'bg-secondary text-secondary-foreground font-semibold',
      },
    },
    defaultVariants: { tone: 'mute' },
  },
);

export type ChipTone = NonNullable<VariantProps<typeof chip>['tone']>;

/** A state or a mark in one word; a dot stands before it where no icon does. */
export function Chip({
  tone = 'mute',
  icon,
  className,
  children,
  ...props
}: ComponentProps<'span'> & { tone?: ChipTone; icon?: ReactNode }) {
  const dotted = !icon && tone !== 'brand' && tone !== 'second' && tone !== 'tier';
  return (
    <span data-slot="chip" className={chip({ tone, className })} {...props}>
      {icon}
      {dotted && <span aria-hidden className="size-[7px] rounded-full bg-current" />}
      {children}
    </span>
  );
}
