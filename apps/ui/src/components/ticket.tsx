import { clsx } from 'clsx';
import type { ComponentProps, CSSProperties, ReactNode } from 'react';

/**
 * Whatever has value: above the perforation what you get, below it what you pay, owe or do.
 * `stub` is the height in pixels of the lower part.
 */
export function Ticket({
  stub,
  foot,
  className,
  children,
  ...props
}: ComponentProps<'article'> & { stub: number; foot: ReactNode }) {
  return (
    <div data-slot="ticket" className={clsx('ticket-shadow', className)}>
      <article
        className="notched relative overflow-hidden rounded-card bg-card text-card-foreground"
        style={{ '--stub': `${stub}px` } as CSSProperties}
        {...props}
      >
        {children}
        <div data-slot="ticket-stub" className="flex h-(--stub) items-center gap-3 px-4">
          {foot}
        </div>
        <span aria-hidden className="perforation absolute inset-x-[18px] top-(--cut) -mt-px" />
      </article>
    </div>
  );
}
