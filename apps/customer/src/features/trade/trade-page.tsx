import { Plural, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type Body, call, query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { pictureURL } from '@wlv/client/media';
import { Mark, useTexts } from '@wlv/client/page';
import { useSearch } from '@wlv/client/router';
import { Button } from '@wlv/ui/button';
import { Chip } from '@wlv/ui/chip';
import { Fact } from '@wlv/ui/fact';
import { FilterPill, FilterPills } from '@wlv/ui/filter-pill';
import { Picture } from '@wlv/ui/picture';
import { Price } from '@wlv/ui/price';
import { SearchField } from '@wlv/ui/search-field';
import { Select } from '@wlv/ui/select';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { Ticket } from '@wlv/ui/ticket';
import { ShieldCheck } from 'lucide-react';
import { AreaLink, useArea } from '../../area.tsx';
import { InnerPage } from '../../shell/inner.tsx';
import { type Offer, saving, useHands, useHowMuch, useValidity } from './offer.ts';

/** What the address says about the board. */
interface BoardSearch {
  q?: string;
  tag?: string;
  sort?: Body<'/api/user/trade/list'>['sort'];
}

/** Vouchers that other customers sell on. */
export function TradePage() {
  const { t } = useLingui();
  const setting = useQuery(query('/api/user/trade/setting', {}));
  return (
    <InnerPage title={t`Resale vouchers`} parent="market">
      {setting.isPending && <BoardSkeleton />}
      {setting.isError && (
        <Failure title={t`The board did not load`} error={setting.error} onRetry={() => void setting.refetch()} />
      )}
      {setting.data && !setting.data.open && (
        <EmptyState
          title={t`Vouchers are not sold on here`}
          line={t`This shop does not let its customers sell vouchers to each other.`}
          action={
            <Button asChild>
              <AreaLink page="market">{t`Go to the market`}</AreaLink>
            </Button>
          }
        />
      )}
      {setting.data?.open && <Board />}
    </InnerPage>
  );
}

function Board() {
  const { t } = useLingui();
  const search = useSearch<BoardSearch>();
  const { go } = useArea();
  const look = (change: Partial<BoardSearch>) => void go('trade', { ...search, ...change }, { replace: true });
  return (
    <div className="grid grid-cols-1 gap-3 pb-6">
      <SearchField
        label={t`Search vouchers`}
        value={search.q ?? ''}
        onSearch={(words) => look({ q: words || undefined })}
      />
      <Tags search={search} />
      <Offers search={search} onSort={(sort) => look({ sort })} />
      <Fact
        icon={<ShieldCheck aria-hidden />}
        title={t`The shop vouches for each one`}
        line={t`When you have paid, you get a new code and the old one is void at once.`}
      />
    </div>
  );
}

function Tags({ search }: { search: BoardSearch }) {
  const { t } = useLingui();
  const text = useTexts();
  const tags = useQuery({ ...query('/api/user/get/tags', {}), staleTime: 600_000 });
  if (!tags.data?.data.length) return null;
  return (
    <FilterPills aria-label={t`Categories`} className="-mx-4 sm:-mx-6">
      <FilterPill asChild on={!search.tag}>
        <AreaLink page="trade" search={{ ...search, tag: undefined }} replace>{t`All`}</AreaLink>
      </FilterPill>
      {tags.data.data.map((tag) => (
        <FilterPill key={tag.id} asChild on={search.tag === tag.id}>
          <AreaLink page="trade" search={{ ...search, tag: tag.id }} replace>
            {text(tag, 'name')}
          </AreaLink>
        </FilterPill>
      ))}
    </FilterPills>
  );
}

function useOffers({ q = '', tag, sort = 'saving' }: BoardSearch) {
  const body = { search: q, tag_id: tag ?? null, sort };
  return useInfiniteQuery({
    queryKey: ['/api/user/trade/list', body],
    queryFn: ({ pageParam, signal }) => call('/api/user/trade/list', { ...body, skip: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ total }, all) => {
      const seen = all.reduce((sum, page) => sum + page.data.length, 0);
      return seen < total && all.at(-1)?.data.length ? seen : undefined;
    },
  });
}

function Offers({ search, onSort }: { search: BoardSearch; onSort: (sort: BoardSearch['sort']) => void }) {
  const { t } = useLingui();
  const offers = useOffers(search);
  if (offers.isPending) return <BoardSkeleton />;
  if (offers.isError) {
    return <Failure title={t`The board did not load`} error={offers.error} onRetry={() => void offers.refetch()} />;
  }
  const all = offers.data.pages.flatMap((page) => page.data);
  const total = offers.data.pages[0]?.total ?? all.length;
  if (!all.length) {
    const looked = Boolean(search.q || search.tag);
    return (
      <EmptyState
        title={looked ? t`Nothing found` : t`Nothing is on sale here now`}
        line={
          looked ? t`Try other words, or look at all of them.` : t`When a customer offers a voucher, you find it here.`
        }
        action={
          looked && (
            <Button asChild variant="outline">
              <AreaLink page="trade" replace>{t`Show all`}</AreaLink>
            </Button>
          )
        }
      />
    );
  }
  return (
    <>
      <div className="flex items-center justify-between gap-3">
        <p className="shrink-0 whitespace-nowrap text-caption text-quiet">
          <Plural value={total} one="# voucher" other="# vouchers" />
        </p>
        <div className="w-60">
          <Sort value={search.sort ?? 'saving'} onChange={onSort} />
        </div>
      </div>
      <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        {all.map((offer) => (
          <li key={offer.id}>
            <OfferTicket offer={offer} />
          </li>
        ))}
      </ul>
      {offers.hasNextPage && (
        <Button
          variant="outline"
          size="md"
          disabled={offers.isFetchingNextPage}
          onClick={() => void offers.fetchNextPage()}
        >{t`Show more`}</Button>
      )}
    </>
  );
}

function Sort({
  value,
  onChange,
}: {
  value: NonNullable<BoardSearch['sort']>;
  onChange: (sort: BoardSearch['sort']) => void;
}) {
  const { t } = useLingui();
  const names = {
    saving: t`Cheapest beside the shop`,
    price: t`Lowest price`,
    newest: t`Newest`,
    ending: t`Ends first`,
  };
  const options = (Object.keys(names) as (keyof typeof names)[]).map((sort) => ({ value: sort, label: names[sort] }));
  return <Select label={t`Sort by`} value={value} onChange={onChange} options={options} />;
}

/** The whole ticket leads to the offer. */
function OfferTicket({ offer }: { offer: Offer }) {
  const { t } = useLingui();
  const text = useTexts();
  const much = useHowMuch(offer);
  const hands = useHands(offer);
  const { soon, text: validity } = useValidity(offer);
  const { percent } = saving(offer);
  return (
    <AreaLink page={`trade/${offer.id}`} className="block rounded-card">
      <Ticket
        stub={60}
        foot={
          <>
            <Price satang={offer.price_satang} className="text-[20px] text-brand-text" />
            {percent > 0 && offer.shop_price_satang && (
              <Price satang={offer.shop_price_satang} struck className="text-sm" />
            )}
            <span className="flex-1" />
            {offer.state === 'reserved' && (
              <Chip tone="warn">{offer.payment_id ? t`You are paying` : t`Being paid`}</Chip>
            )}
            {offer.own && <Chip tone="info">{t`Yours`}</Chip>}
          </>
        }
      >
        <div className="flex gap-3.5 px-4 pb-3 pt-3.5">
          <Picture
            src={pictureURL(offer.picture, 160)}
            mark={<Mark size={32} />}
            className="size-[76px] shrink-0 rounded-[12px]"
          />
          <div className="min-w-0 flex-1">
            <p className="line-clamp-2 font-medium">{text(offer, 'name')}</p>
            <p className={soon ? 'text-caption text-warn-text' : 'text-caption text-quiet'}>
              {much} · {validity}
            </p>
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1 pt-1 text-caption text-quiet">
              {percent > 0 && <Chip tone="warn">{t`${percent}% below the shop`}</Chip>}
              {hands}
            </p>
          </div>
        </div>
      </Ticket>
    </AreaLink>
  );
}

function BoardSkeleton() {
  const { t } = useLingui();
  return (
    <div role="status" aria-label={t`Loading…`} className="grid grid-cols-1 gap-3">
      <Skeleton className="h-[168px] rounded-card" />
      <Skeleton className="h-[168px] rounded-card" />
      <Skeleton className="h-[168px] rounded-card" />
    </div>
  );
}
