import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

/** A sheen with the exact box of what will stand here. */
export function Skeleton({ className, ...props }: ComponentProps<'div'>) {
  return <div data-slot="skeleton" aria-hidden className={clsx('sheen rounded-chip', className)} {...props} />;
}
