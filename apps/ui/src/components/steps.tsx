import { clsx } from 'clsx';
import type { ReactNode } from 'react';

/** Where somebody is in a form of several steps: a bar for each, its name, and what became of what he filled in. */
export function Steps({
  now,
  of,
  name,
  place,
  beside,
}: {
  /** The step, counted from 1. */
  now: number;
  of: number;
  name: string;
  /** The same in words. */
  place: string;
  beside?: ReactNode;
}) {
  return (
    <div data-slot="steps">
      <div className="flex items-center justify-between gap-3">
        <p className="min-w-0 text-sm">
          <span className="font-semibold">{name}</span>
          <span className="text-muted-foreground"> · {place}</span>
        </p>
        <span className="flex shrink-0 items-center gap-1.5 text-caption text-quiet [&_svg]:size-4">{beside}</span>
      </div>
      <div
        role="progressbar"
        aria-label={place}
        aria-valuenow={now}
        aria-valuemin={1}
        aria-valuemax={of}
        className="mt-2.5 flex gap-1.5"
      >
        {Array.from({ length: of }, (_, i) => (
          <span
            key={i}
            className={clsx(
              'h-1 flex-1 rounded-full transition-colors duration-300',
              i < now ? 'bg-brand-mark' : 'bg-border',
            )}
          />
        ))}
      </div>
    </div>
  );
}
