import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { useBrand, useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { FilterPill, FilterPills } from '@wlv/ui/filter-pill';
import { count } from '@wlv/ui/format';
import { SearchField } from '@wlv/ui/search-field';
import { EmptyState } from '@wlv/ui/state';
import { useState } from 'react';
import { AreaLink, useArea } from '../../area.tsx';
import { Failure } from '../../shell/failure.tsx';
import { LinkSheet } from './link-sheet.tsx';
import { type MarketSearch, type Package, useMarketSearch, usePackages } from './listing.ts';
import { PackageRow, PackageRowSkeleton } from './package-row.tsx';

/** Everything that can be sold, with what each sale earns. */
export function Listing() {
  const { t } = useLingui();
  const search = useMarketSearch();
  const { go } = useArea();
  const packages = usePackages(search);
  const total = packages.data?.pages[0]?.total;
  const all = total === undefined ? '' : count(total);
  return (
    <section className="min-w-0 pt-5 lg:pt-6">
      <div className="mb-2.5 flex items-baseline justify-between gap-3">
        <h2 className="text-h2 font-semibold">{t`What you can sell`}</h2>
        <p role="status" className="text-sm text-quiet">
          {all && <Trans>{all} in all</Trans>}
        </p>
      </div>
      <SearchField
        label={t`Search packages`}
        value={search.q ?? ''}
        onSearch={(words) => void go('home', { ...search, q: words || undefined }, { replace: true })}
      />
      <Tags search={search} />
      <Rows search={search} packages={packages} />
    </section>
  );
}

function Tags({ search }: { search: MarketSearch }) {
  const { t } = useLingui();
  const { go } = useArea();
  const text = useTexts();
  const tags = useQuery({ ...query('/api/user/get/tags', {}, { as: 'agent' }), staleTime: 600_000 });
  const choose = (tag: string | undefined) => go('home', { ...search, tag }, { replace: true });
  return (
    <FilterPills aria-label={t`Categories`} className="-mx-4 min-h-[68px] sm:-mx-6">
      <FilterPill on={!search.tag} onClick={() => void choose(undefined)}>{t`All`}</FilterPill>
      {tags.data?.data.map((tag) => (
        <FilterPill key={tag.id} on={search.tag === tag.id} onClick={() => void choose(tag.id)}>
          {text(tag, 'name')}
        </FilterPill>
      ))}
    </FilterPills>
  );
}

function Rows({ search, packages }: { search: MarketSearch; packages: ReturnType<typeof usePackages> }) {
  const { t } = useLingui();
  const [sharing, setSharing] = useState<Package>();

  if (packages.isPending) {
    return (
      <Card role="status" aria-label={t`Loading…`} className="divide-y px-4 py-0.5">
        {['a', 'b', 'c', 'd'].map((key) => (
          <PackageRowSkeleton key={key} />
        ))}
      </Card>
    );
  }
  if (packages.isError) {
    return (
      <Failure title={t`The packages did not load`} error={packages.error} onRetry={() => void packages.refetch()} />
    );
  }
  const all = packages.data.pages.flatMap((page) => page.data);
  if (!all.length) return search.q || search.tag ? <NothingFound /> : <NothingOnSale />;

  return (
    <>
      <Card className="divide-y px-4 py-0.5">
        {all.map((product) => (
          <PackageRow key={product.id} product={product} onShare={() => setSharing(product)} />
        ))}
      </Card>
      {packages.hasNextPage && (
        <Button
          variant="outline"
          size="md"
          wide
          className="mt-3.5"
          disabled={packages.isFetchingNextPage}
          onClick={() => void packages.fetchNextPage()}
        >
          {packages.isFetchingNextPage ? t`Loading…` : t`Show more`}
        </Button>
      )}
      {sharing && <LinkSheet product={sharing} onClose={() => setSharing(undefined)} />}
    </>
  );
}

function NothingFound() {
  const { t } = useLingui();
  return (
    <EmptyState
      title={t`Package not found`}
      line={t`Try a shorter word or another category.`}
      action={
        <Button asChild>
          <AreaLink page="home">{t`Show everything`}</AreaLink>
        </Button>
      }
    />
  );
}

function NothingOnSale() {
  const { t } = useLingui();
  const brand = useBrand();
  return (
    <EmptyState
      title={t`Nothing on sale yet`}
      line={t`When ${brand} puts packages on sale, you will find them here with your commission.`}
    />
  );
}
