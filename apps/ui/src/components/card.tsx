import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

/** A surface for what has no value of its own: rows, forms, tables. */
export function Card({ className, office, ...props }: ComponentProps<'div'> & { office?: boolean }) {
  return (
    <div
      data-slot="card"
      className={clsx(
        'bg-card text-card-foreground',
        office ? 'rounded-office shadow-office' : 'rounded-card shadow-card',
        className,
      )}
      {...props}
    />
  );
}
