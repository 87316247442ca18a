import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';

/** More discs than this are too small to be counted. */
export const mostDiscs = 6;

/**
 * A voucher's items on the organisation's colour: a disc for each that is left, a hole for each that was used. Those that
 * were used just now are punched out before the eyes, and one of them falls. The words beside it say the same.
 */
export function PunchCard({
  left,
  justUsed,
  total,
  mark,
  children,
}: {
  left: number;
  justUsed: number;
  total: number;
  /** The organisation's, on each disc. */
  mark: ReactNode;
  children: ReactNode;
}) {
  return (
    <div data-slot="punch-card">
      <div aria-hidden className="punch-card flex h-24 rounded-card bg-white">
        {Array.from({ length: total }, (_, i) => (
          <span key={i} className={clsx('grid min-w-0 flex-1 place-items-center px-1.5', i > 0 && 'punch-line')}>
            {i < left ? <Disc>{mark}</Disc> : <Hole now={i < left + justUsed} />}
          </span>
        ))}
      </div>
      <div className="flex min-h-[76px] items-center justify-between gap-4 pt-2">
        {children}
        <span aria-hidden className="animate-disc-fall pr-4">
          <Disc>
            <Check className="size-6" strokeWidth={3} />
          </Disc>
        </span>
      </div>
    </div>
  );
}

function Disc({ children }: { children: ReactNode }) {
  return (
    <span className="grid aspect-square w-14 max-w-full place-items-center rounded-full bg-secondary text-secondary-foreground shadow-[inset_0_0_0_4px_var(--second),inset_0_0_0_5.5px_color-mix(in_srgb,var(--second-fg)_35%,var(--second))]">
      {children}
    </span>
  );
}

function Hole({ now }: { now: boolean }) {
  return (
    <span
      className={clsx(
        'aspect-square w-14 max-w-full rounded-full bg-band-shade shadow-[inset_0_4px_0_rgb(0_0_0/25%)]',
        now && 'animate-punch',
      )}
    />
  );
}
