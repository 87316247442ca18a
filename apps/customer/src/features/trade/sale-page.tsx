import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { pictureURL } from '@wlv/client/media';
import { Mark, useTexts } from '@wlv/client/page';
import { useSearch } from '@wlv/client/router';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Chip } from '@wlv/ui/chip';
import { FilterPill, FilterPills } from '@wlv/ui/filter-pill';
import { date } from '@wlv/ui/format';
import { MovementRowSkeleton } from '@wlv/ui/movement-row';
import { Picture } from '@wlv/ui/picture';
import { Price } from '@wlv/ui/price';
import { EmptyState } from '@wlv/ui/state';
import { AreaLink } from '../../area.tsx';
import { InnerPage } from '../../shell/inner.tsx';
import { type Offer, useOfferState } from './offer.ts';

type Side = 'sell' | 'buy';

/** A full page may have another behind it; the last offer seen is where it goes on. */
const pageSize = 50;

/** What the person offered, and what he bought from others. */
export function SalePage() {
  const { t } = useLingui();
  const { side = 'sell' } = useSearch<{ side?: Side }>();
  const names = { sell: t`What I offered`, buy: t`What I bought` };
  return (
    <InnerPage title={t`Resale`} parent="profile">
      <FilterPills aria-label={t`Which`} className="-mx-4 pb-3 sm:-mx-6">
        {(['sell', 'buy'] as const).map((one) => (
          <FilterPill key={one} asChild on={side === one}>
            <AreaLink page="sale" search={{ side: one }} replace>
              {names[one]}
            </AreaLink>
          </FilterPill>
        ))}
      </FilterPills>
      <Own key={side} side={side} />
    </InnerPage>
  );
}

function Own({ side }: { side: Side }) {
  const { t } = useLingui();
  const offers = useInfiniteQuery({
    queryKey: ['/api/user/trade/own', { side }],
    queryFn: ({ pageParam, signal }) => call('/api/user/trade/own', { side, after: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ data }) => (data.length === pageSize ? data.at(-1)?.id : undefined),
  });
  if (offers.isPending) {
    return (
      <Card role="status" aria-label={t`Loading…`} className="py-1">
        <MovementRowSkeleton />
        <MovementRowSkeleton />
      </Card>
    );
  }
  if (offers.isError) {
    return <Failure title={t`Your offers did not load`} error={offers.error} onRetry={() => void offers.refetch()} />;
  }
  const all = offers.data.pages.flatMap((page) => page.data);
  if (!all.length) {
    return side === 'sell' ? (
      <EmptyState
        title={t`You have offered nothing yet`}
        line={t`Open a voucher that may be given to somebody else; there you sell it.`}
        action={
          <Button asChild>
            <AreaLink page="activevoucher">{t`My Voucher & Ticket`}</AreaLink>
          </Button>
        }
      />
    ) : (
      <EmptyState
        title={t`You have bought nothing yet`}
        line={t`Here are the vouchers that you buy from other customers.`}
        action={
          <Button asChild>
            <AreaLink page="trade">{t`Resale vouchers`}</AreaLink>
          </Button>
        }
      />
    );
  }
  return (
    <div className="grid grid-cols-1 gap-4 pb-4">
      <Card className="divide-y px-4 py-1">
        {all.map((offer) => (
          <OwnRow key={offer.id} offer={offer} side={side} />
        ))}
      </Card>
      {offers.hasNextPage && (
        <Button
          variant="outline"
          size="md"
          disabled={offers.isFetchingNextPage}
          onClick={() => void offers.fetchNextPage()}
        >{t`Show more`}</Button>
      )}
    </div>
  );
}

function OwnRow({ offer, side }: { offer: Offer; side: Side }) {
  const text = useTexts();
  const { word, tone } = useOfferState(offer);
  return (
    <AreaLink page={`trade/${offer.id}`} className="flex min-h-16 items-center gap-3.5 py-3">
      <Picture
        src={pictureURL(offer.picture, 160)}
        mark={<Mark size={32} />}
        className="size-[52px] shrink-0 rounded-[12px]"
      />
      <span className="min-w-0 flex-1">
        <span className="line-clamp-2 text-row font-medium">{text(offer, 'name')}</span>
        <span className="text-caption text-quiet">{date(offer.ended_at ?? offer.created_at)}</span>
      </span>
      <span className="grid shrink-0 justify-items-end gap-1">
        <Price satang={offer.price_satang} className="text-base" />
        {side === 'sell' && <Chip tone={tone}>{word}</Chip>}
      </span>
    </AreaLink>
  );
}
