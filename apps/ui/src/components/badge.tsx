import type { ComponentProps } from 'react';

/** The badge on a picture, top left. */
export function Badge({ className, ...props }: ComponentProps<'span'>) {
  return (
    <span
      data-slot="badge"
      className={`absolute left-2.5 top-2.5 h-[26px] max-w-[calc(100%-20px)] truncate rounded-chip bg-secondary px-[9px] text-caption font-semibold leading-[26px] text-secondary-foreground ${className ?? ''}`}
      {...props}
    />
  );
}
