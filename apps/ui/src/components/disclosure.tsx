import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';

/** A line that opens to what it is about; a list of them stands in a Card with `divide-y`. A small one stands below what it adds to. */
export function Disclosure({
  title,
  open,
  size = 'line',
  children,
}: {
  title: ReactNode;
  /** Whether it is open at first. */
  open?: boolean;
  size?: 'line' | 'small';
  children: ReactNode;
}) {
  const small = size === 'small';
  return (
    <details data-slot="disclosure" open={open} className="group py-1">
      <summary
        className={clsx(
          'flex cursor-pointer items-center font-medium [&::-webkit-details-marker]:hidden',
          small ? 'min-h-11 w-fit gap-1.5 text-caption text-brand-text' : 'min-h-14 justify-between gap-4 py-2',
        )}
      >
        {title}
        <ChevronDown
          aria-hidden
          className={clsx(
            'shrink-0 transition-transform duration-160 group-open:rotate-180 motion-reduce:transition-none',
            small ? 'size-4' : 'size-5 text-quiet',
          )}
        />
      </summary>
      <div className={small ? 'pb-1' : 'whitespace-pre-line pb-4 text-muted-foreground'}>{children}</div>
    </details>
  );
}
