import { clsx } from 'clsx';
import type { CSSProperties, ReactElement, ReactNode } from 'react';
import { Button } from './button.tsx';
import { Price } from './price.tsx';
import { Skeleton } from './skeleton.tsx';
import { Ticket } from './ticket.tsx';

export interface FanTicket {
  /** Fills the box that it stands in. */
  picture: ReactNode;
  shop: ReactNode;
  name: ReactNode;
  satang: number;
  /** Stands in the button's shape: a link on the first ticket, words alone on those behind. */
  action: ReactElement;
  /** Another shop's colours, as `--brand`, `--brand-fg` and `--brand-text`. */
  colours?: CSSProperties;
}

/** Front, left behind it, right behind it. */
const places = [
  'left-[45px] top-[60px] w-[300px] -rotate-1 lg:left-[112px] lg:top-[188px] lg:w-[380px]',
  '-left-9 top-3 w-60 -rotate-6 lg:left-0 lg:top-8 lg:w-[340px]',
  'left-[200px] top-0 w-[252px] rotate-6 lg:left-[270px] lg:top-0 lg:w-[364px]',
];

/** One to three tickets behind one another. Only the first may hold links: those behind are hidden from who reads by ear. */
export function TicketFan({ tickets, className }: { tickets: FanTicket[]; className?: string }) {
  const [front, ...behind] = tickets;
  if (!front) return null;
  const alone = !behind.length;
  return (
    <div
      data-slot="ticket-fan"
      className={clsx(
        'relative mx-auto w-full max-w-[390px]',
        !alone && 'h-[420px] lg:h-[600px] lg:max-w-none',
        className,
      )}
    >
      {behind
        .slice(0, 2)
        .map((ticket, at) => (
          <div key={places[at + 1]} aria-hidden className={clsx('absolute', places[at + 1])} style={ticket.colours}>
            <OneTicket {...ticket} />
          </div>
        ))
        .reverse()}
      <div className={alone ? 'px-5 lg:px-0' : clsx('absolute', places[0])} style={front.colours}>
        <OneTicket {...front} />
      </div>
    </div>
  );
}

/** The room of a whole fan, with its first ticket. */
export function TicketFanSkeleton() {
  return (
    <div className="relative mx-auto h-[420px] w-full max-w-[390px] lg:h-[600px] lg:max-w-none">
      <div className={clsx('absolute', places[0])}>
        <Ticket stub={72} foot={<Skeleton className="h-5 w-28" />}>
          <Skeleton className="h-[126px] rounded-none lg:h-[200px]" />
          <div className="grid h-[77px] content-center gap-2.5 px-4">
            <Skeleton className="h-3.5 w-28" />
            <Skeleton className="h-4" />
          </div>
        </Ticket>
      </div>
    </div>
  );
}

function OneTicket({ picture, shop, name, satang, action }: FanTicket) {
  return (
    <Ticket
      stub={72}
      foot={
        <>
          <Price satang={satang} className="flex-1 text-[22px] leading-8 text-brand-text" />
          <Button asChild size="md">
            {action}
          </Button>
        </>
      }
    >
      <div className="h-[126px] lg:h-[200px]">{picture}</div>
      <div className="px-4 pb-3.5 pt-3">
        <p className="flex items-center gap-2 text-caption text-quiet">{shop}</p>
        <p className="mt-1 line-clamp-2 text-lead font-semibold">{name}</p>
      </div>
    </Ticket>
  );
}
