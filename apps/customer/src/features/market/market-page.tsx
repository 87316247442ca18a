import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { query, type Row } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { pictureURL } from '@wlv/client/media';
import { BrandMark, Mark, useBrand, usePage, useTexts, useTitle } from '@wlv/client/page';
import { useSignedIn } from '@wlv/client/use-signed-in';
import { Band } from '@wlv/ui/band';
import { Button } from '@wlv/ui/button';
import { FeatureTicket, FeatureTicketSkeleton } from '@wlv/ui/feature-ticket';
import { FilterPill, FilterPills } from '@wlv/ui/filter-pill';
import { PackageCardSkeleton } from '@wlv/ui/package-card';
import { Price } from '@wlv/ui/price';
import { SearchField } from '@wlv/ui/search-field';
import { EmptyState } from '@wlv/ui/state';
import { clsx } from 'clsx';
import { ChevronRight, LogIn, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { AreaLink, useArea } from '../../area.tsx';
import { untilKnown } from '../../shell/until-known.ts';
import { type Package, PackageTile } from '../../shop/package-tile.tsx';
import { FilterSheet } from './filter-sheet.tsx';
import { type MarketSearch, useMarketSearch, usePackages } from './listing.ts';

export function MarketPage() {
  const { t } = useLingui();
  useTitle(t`Market`);
  const search = useMarketSearch();
  const { go } = useArea();

  return (
    <>
      <Band className="px-4 pb-[26px] pt-4 lg:pt-8">
        <div className="mx-auto max-w-[1120px] lg:flex lg:items-center lg:gap-6 lg:px-6">
          <Head />
          <div className="mt-3.5 flex lg:mt-0 lg:w-[420px]">
            <SearchField
              quiet
              label={t`Search packages, places`}
              value={search.q ?? ''}
              onSearch={(words) => void go('market', { ...search, q: words || undefined }, { replace: true })}
              after={<FilterSheet search={search} />}
              className="min-w-0 flex-1 pr-1!"
            />
          </div>
        </div>
      </Band>
      <div className="mx-auto max-w-[1120px]">
        <Tags search={search} />
        <Listing search={search} />
      </div>
    </>
  );
}

function Head() {
  const { org } = usePage();
  const brand = useBrand();
  const text = useTexts();
  return (
    <div className="flex items-center gap-3 lg:flex-1">
      <BrandMark size={42} onBand />
      <div className="min-w-0 flex-1">
        <p className="truncate text-[17px] font-semibold leading-[26px]">{brand}</p>
        <p className="truncate text-caption text-band-quiet">{org && text(org, 'tagline')}</p>
      </div>
      <Balance />
    </div>
  );
}

/** The wallet's balance and the way to fill it; for a visitor the way in. */
function Balance() {
  const { t } = useLingui();
  const signedIn = useSignedIn('user');
  const wallet = useQuery({ ...query('/api/user/getwallet', {}), enabled: Boolean(signedIn) });
  const pill = 'flex h-11 shrink-0 items-center gap-2 rounded-full bg-band-shade';

  if (!signedIn) {
    return (
      <AreaLink page="home" className={clsx(pill, 'px-4 text-sm font-medium', signedIn === undefined && untilKnown)}>
        <LogIn aria-hidden className="size-[18px]" />
        {t`Sign in`}
      </AreaLink>
    );
  }
  return (
    <AreaLink page="wallet" className={`${pill} pl-3.5 pr-1.5`} aria-label={t`Wallet`}>
      <span className="min-w-[72px] text-right text-base">
        {wallet.data && <Price satang={wallet.data.balance_satang} />}
        {wallet.isError && <span className="text-caption text-band-quiet">{t`No balance now`}</span>}
      </span>
      <span className="grid size-8 place-items-center rounded-full bg-band-foreground text-band">
        <Plus aria-hidden className="size-[18px]" strokeWidth={2.25} />
      </span>
    </AreaLink>
  );
}

function Tags({ search }: { search: MarketSearch }) {
  const { t } = useLingui();
  const tags = useQuery({ ...query('/api/user/get/tags', {}), staleTime: 600_000 });

  return (
    <FilterPills aria-label={t`Categories`} className="min-h-[68px]">
      <FilterPill asChild on={!search.tag}>
        <AreaLink page="market" search={{ ...search, tag: undefined }} replace>{t`All`}</AreaLink>
      </FilterPill>
      {tags.data?.data.map((tag) => (
        <TagPill key={tag.id} tag={tag} search={search} />
      ))}
    </FilterPills>
  );
}

export function TagPill({ tag, search }: { tag: Row<'/api/user/get/tags'>; search: MarketSearch }) {
  const text = useTexts();
  return (
    <FilterPill asChild on={search.tag === tag.id}>
      <AreaLink page="market" search={{ ...search, tag: tag.id }} replace>
        {text(tag, 'name')}
      </AreaLink>
    </FilterPill>
  );
}

/** Fewer need no sorting. */
const worthSorting = 4;

const grid = 'grid grid-cols-2 gap-3 px-4 sm:grid-cols-3 sm:px-6 lg:grid-cols-4 lg:gap-4';

function Listing({ search }: { search: MarketSearch }) {
  const { t } = useLingui();
  const packages = usePackages(search);
  const searched = Boolean(search.q || search.tag || search.min || search.max || search.place || search.sort);

  if (packages.isPending) return <ListingSkeleton feature={!searched} />;
  if (packages.isError) {
    return (
      <Failure title={t`The market did not load`} error={packages.error} onRetry={() => void packages.refetch()} />
    );
  }

  const all = packages.data.pages.flatMap((page) => page.data);
  if (!all.length) return searched ? <NothingFound /> : <NothingOnSale />;

  const total = packages.data.pages[0]?.total ?? all.length;
  const feature = searched ? undefined : (all.find((p) => p.featured) ?? all[0]);
  const rest = all.filter((p) => p !== feature);
  const title = searched && <Plural value={total} one="# package" other="# packages" />;

  return (
    <>
      {feature && <Feature product={feature} />}
      {rest.length > 0 && (
        <Rest
          title={title}
          packages={rest}
          sold={all.some((p) => p.sold > 0)}
          sorted={!searched && total > worthSorting}
        />
      )}
      {packages.hasNextPage && (
        <More
          shown={all.length}
          total={total}
          loading={packages.isFetchingNextPage}
          onMore={() => void packages.fetchNextPage()}
        />
      )}
    </>
  );
}

/** What follows the package that leads. */
export function Rest({
  title,
  packages,
  sold,
  sorted,
}: {
  /** What was searched for has a title of its own. */
  title?: ReactNode;
  packages: Package[];
  /** Some of the list has been sold, so that its order says something. */
  sold: boolean;
  /** A link leads to the whole list in its order. */
  sorted: boolean;
}) {
  const { t } = useLingui();
  return (
    <>
      <div className="flex items-center justify-between px-4 pb-2.5 pt-5 sm:px-6">
        <h2 className="text-h2 font-semibold">{title || (sold ? t`Best sellers` : t`Packages`)}</h2>
        {sorted && (
          <AreaLink
            page="market"
            search={{ sort: '-sold' }}
            className="-my-2 flex min-h-11 items-center gap-0.5 text-sm font-medium text-brand-text"
          >
            <Trans>See all</Trans>
            <ChevronRight aria-hidden className="size-[18px]" />
          </AreaLink>
        )}
      </div>
      <div className={grid}>
        {packages.map((product) => (
          <PackageTile key={product.id} product={product} />
        ))}
      </div>
    </>
  );
}

/** How much of the list is shown, and a button for more of it. */
export function More({
  shown,
  total,
  loading,
  onMore,
}: {
  shown: number;
  total: number;
  loading: boolean;
  onMore: () => void;
}) {
  const { t } = useLingui();
  return (
    <div className="grid grid-cols-1 justify-items-center gap-3 px-4 pt-6">
      <p className="text-caption text-quiet">{t`Showing ${shown} of ${total}`}</p>
      <Button variant="outline" size="md" disabled={loading} onClick={onMore}>
        {loading ? t`Loading…` : t`Show more`}
      </Button>
    </div>
  );
}

/** The package that leads. */
export function Feature({ product }: { product: Package }) {
  const { t } = useLingui();
  const text = useTexts();
  return (
    <section aria-label={product.featured ? t`Recommended` : text(product, 'name')} className="relative px-4 sm:px-6">
      <FeatureTicket
        name={
          <AreaLink page={`market/${product.id}`}>
            <span aria-hidden className="absolute inset-0" />
            {text(product, 'name')}
          </AreaLink>
        }
        picture={pictureURL(product.picture, 720)}
        mark={<Mark size={64} />}
        badge={text(product, 'badge') || (product.featured && t`Recommended`)}
        priceSatang={product.price_satang}
        listPriceSatang={product.list_price_satang}
        action={
          <Button asChild size="sm">
            <AreaLink page={`market/${product.id}`} className="relative">{t`Buy now`}</AreaLink>
          </Button>
        }
      />
    </section>
  );
}

function ListingSkeleton({ feature }: { feature: boolean }) {
  const { t } = useLingui();
  return (
    <div role="status" aria-label={t`Loading…`}>
      {feature && (
        <div className="px-4 sm:px-6">
          <FeatureTicketSkeleton />
        </div>
      )}
      <div className="h-[58px]" />
      <div className={grid}>
        {['a', 'b', 'c', 'd'].map((key) => (
          <PackageCardSkeleton key={key} />
        ))}
      </div>
    </div>
  );
}

function NothingFound() {
  const { t } = useLingui();
  return (
    <EmptyState
      title={t`Package not found`}
      line={t`Try a shorter word, another category or a wider price range.`}
      action={
        <Button asChild>
          <AreaLink page="market">{t`Clear all filters`}</AreaLink>
        </Button>
      }
    />
  );
}

function NothingOnSale() {
  const { t } = useLingui();
  const brand = useBrand();
  return (
    <EmptyState title={t`Package not found`} line={t`When ${brand} puts packages on sale, you will find them here.`} />
  );
}
