import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { pictureURL } from '@wlv/client/media';
import { BrandMark, Mark, useBrand, usePage, useTexts, useTitle } from '@wlv/client/page';
import { Band } from '@wlv/ui/band';
import { Button } from '@wlv/ui/button';
import { FeatureTicket, FeatureTicketSkeleton } from '@wlv/ui/feature-ticket';
import { FilterPill, FilterPills } from '@wlv/ui/filter-pill';
import { PackageCardSkeleton } from '@wlv/ui/package-card';
import { Price } from '@wlv/ui/price';
import { SearchField } from '@wlv/ui/search-field';
import { EmptyState } from '@wlv/ui/state';
import { ChevronRight, LogIn, Plus } from 'lucide-react';
import { AreaLink, useArea } from '../../area.tsx';
import { type Package, PackageTile } from '../../package-tile.tsx';
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
  const { signedIn } = useArea();
  const wallet = useQuery({ ...query('/api/user/getwallet', {}), enabled: signedIn });
  const pill = 'flex h-11 shrink-0 items-center gap-2 rounded-full bg-band-shade';

  if (!signedIn) {
    return (
      <AreaLink page="home" className={`${pill} px-4 text-sm font-medium`}>
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
  const { go } = useArea();
  const text = useTexts();
  const tags = useQuery({ ...query('/api/user/get/tags', {}), staleTime: 600_000 });
  const choose = (tag: string | undefined) => go('market', { ...search, tag }, { replace: true });

  return (
    <FilterPills aria-label={t`Categories`} className="min-h-[68px]">
      <FilterPill on={!search.tag} onClick={() => choose(undefined)}>{t`All`}</FilterPill>
      {tags.data?.data.map((tag) => (
        <FilterPill key={tag.id} on={search.tag === tag.id} onClick={() => choose(tag.id)}>
          {text(tag, 'name')}
        </FilterPill>
      ))}
    </FilterPills>
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
  const bestSellers = all.some((p) => p.sold > 0) ? t`Best sellers` : t`Packages`;
  const title = searched ? <Plural value={total} one="# package" other="# packages" /> : bestSellers;

  return (
    <>
      {feature && <Feature product={feature} />}
      {rest.length > 0 && (
        <>
          <div className="flex items-center justify-between px-4 pb-2.5 pt-5 sm:px-6">
            <h2 className="text-h2 font-semibold">{title}</h2>
            {!searched && total > worthSorting && (
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
            {rest.map((product) => (
              <PackageTile key={product.id} product={product} />
            ))}
          </div>
        </>
      )}
      {packages.hasNextPage && (
        <div className="grid grid-cols-1 justify-items-center gap-3 px-4 pt-6">
          <p className="text-caption text-quiet">{t`Showing ${all.length} of ${total}`}</p>
          <Button
            variant="outline"
            size="md"
            disabled={packages.isFetchingNextPage}
            onClick={() => void packages.fetchNextPage()}
          >
            {packages.isFetchingNextPage ? t`Loading…` : t`Show more`}
          </Button>
        </div>
      )}
    </>
  );
}

function Feature({ product }: { product: Package }) {
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
