import type { ReactNode } from 'react';
import { Badge } from './badge.tsx';
import { Picture } from './picture.tsx';
import { Price } from './price.tsx';
import { Skeleton } from './skeleton.tsx';
import { Ticket } from './ticket.tsx';

/** The one product that the organisation puts first. */
export function FeatureTicket({
  name,
  picture,
  mark,
  badge,
  priceSatang,
  listPriceSatang,
  action,
}: {
  name: ReactNode;
  picture: string | null;
  mark?: ReactNode;
  badge?: ReactNode;
  priceSatang: number;
  listPriceSatang?: number | null;
  action: ReactNode;
}) {
  return (
    <Ticket
      stub={66}
      foot={
        <>
          <span className="flex min-w-0 flex-1 items-baseline gap-2.5">
            <Price satang={priceSatang} className="text-[22px] leading-8 text-brand-text" />
            {listPriceSatang && listPriceSatang > priceSatang ? (
              <Price satang={listPriceSatang} struck className="text-row" />
            ) : null}
          </span>
          {action}
        </>
      }
    >
      <div className="lg:flex">
        <div className="relative h-[148px] sm:h-[260px] lg:h-[300px] lg:w-[480px] lg:shrink-0">
          <Picture src={picture} mark={mark} eager className="size-full" />
          {badge && <Badge>{badge}</Badge>}
        </div>
        <div className="pb-2.5 pt-3 lg:self-center lg:px-4">
          <h2 className="line-clamp-2 px-4 text-lead font-semibold lg:text-h1-office">{name}</h2>
        </div>
      </div>
    </Ticket>
  );
}

export function FeatureTicketSkeleton() {
  return (
    <Ticket
      stub={66}
      foot={
        <>
          <span className="flex-1">
            <Skeleton className="h-5 w-36" />
          </span>
          <Skeleton className="h-10 w-[72px] rounded-control" />
        </>
      }
    >
      <div className="lg:flex">
        <Skeleton className="h-[148px] rounded-none sm:h-[260px] lg:h-[300px] lg:w-[480px] lg:shrink-0" />
        <div className="flex h-[49px] items-center px-4 pt-0.5 lg:flex-1 lg:self-center lg:px-8">
          <Skeleton className="h-4 w-3/4" />
        </div>
      </div>
    </Ticket>
  );
}
