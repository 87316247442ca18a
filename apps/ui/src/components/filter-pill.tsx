import { clsx } from 'clsx';
import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';

/** One choice of a row of filters; the chosen one is ink. `asChild` gives its shape to a link. */
export function FilterPill({
  on,
  count,
  asChild,
  className,
  children,
  ...props
}: ComponentProps<'button'> & { on?: boolean; count?: number; asChild?: boolean }) {
  const shape = clsx(
    'inline-flex h-10 shrink-0 items-center gap-2 whitespace-nowrap rounded-full px-4 text-row font-medium transition-colors duration-[160ms]',
    on ? 'bg-foreground text-background' : 'bg-card text-muted-foreground shadow-[inset_0_0_0_1px_var(--line)]',
    className,
  );
  if (asChild) {
    return (
      <Slot.Root data-slot="filter-pill" aria-current={on ? 'page' : undefined} className={shape} {...props}>
        {children}
      </Slot.Root>
    );
  }
  return (
    <button data-slot="filter-pill" type="button" aria-pressed={on} className={shape} {...props}>
      {children}
      {count !== undefined && <span>{count}</span>}
    </button>
  );
}

/** A row of pills that runs out of the screen to the right. */
export function FilterPills({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      data-slot="filter-pills"
      role="group"
      className={clsx('no-scrollbar flex gap-2 overflow-x-auto px-4 py-3.5 sm:px-6', className)}
      {...props}
    />
  );
}
