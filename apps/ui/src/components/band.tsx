import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

/** The organisation's colour on top of a customer screen, with a scalloped lower edge. The office never has one. */
export function Band({ className, ...props }: ComponentProps<'header'>) {
  return (
    <header
      data-slot="band"
      className={clsx(
        'scalloped relative bg-band text-band-foreground [&_:focus-visible]:outline-band-foreground',
        className,
      )}
      {...props}
    />
  );
}
