import type { ReactNode } from 'react';
import { Meter } from './meter.tsx';

/** Value that has just changed hands: the ticket comes out of a slot, then its stub tears off. Where motion is reduced it is there. */
export function TornTicket({ stub, children }: { stub: ReactNode; children: ReactNode }) {
  return (
    <div data-slot="torn-ticket" className="relative">
      <div aria-hidden className="mx-1.5 h-3.5 rounded-full bg-band-shade" />
      {/* What has not come out yet is behind the slot. */}
      <div className="-mt-[7px] overflow-clip px-4 pb-8 [overflow-clip-margin:0px]">
        <div className="animate-slide-out">
          <div className="ticket-shadow">
            <div className="torn-below overflow-hidden bg-card pb-2 text-card-foreground">{children}</div>
          </div>
          <div className="animate-tear-off ticket-shadow">
            <div className="torn-above rounded-b-card bg-card px-5 pb-4 pt-6 text-card-foreground">{stub}</div>
          </div>
        </div>
      </div>
    </div>
  );
}

/** A small ticket for each item up to ten; a meter beyond, and for baht. `name` says which one it is, where there is room for it. */
export function ItemStubs({ number, name }: { number: number; name: (which: number) => string }) {
  if (number > 10) return <Meter value={1} className="h-2.5" />;
  const few = number <= 3;
  return (
    <ul
      aria-hidden
      className="grid gap-2.5"
      style={{ gridTemplateColumns: `repeat(${few ? number : 5}, minmax(0, 1fr))` }}
    >
      {Array.from({ length: number }, (_, i) => i + 1).map((which) => (
        <li
          key={which}
          className="item-notched grid min-h-9 place-items-center rounded-tile bg-accent py-2 text-sm font-medium text-accent-foreground"
        >
          {few ? (
            <span className="grid justify-items-center gap-1.5 py-1.5">
              <span className="size-3 rounded-full bg-brand-mark" />
              {name(which)}
            </span>
          ) : (
            which
          )}
        </li>
      ))}
    </ul>
  );
}
