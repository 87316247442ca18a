import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { pages } from '@wlv/client/call';
import { useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { byDay } from '@wlv/ui/by-day';
import { Card } from '@wlv/ui/card';
import { date } from '@wlv/ui/format';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { ChevronRight } from 'lucide-react';
import { AreaLink } from '../../area.tsx';
import { Failure } from '../../shell/failure.tsx';
import { useMayAsk } from '../../shell/profile.ts';
import { LinkUses } from './link-uses.tsx';
import { SaleRow, SaleRowSkeleton } from './sale-row.tsx';

export function HistoryPage() {
  const { t } = useLingui();
  useTitle(t`Sales`);
  return (
    <div className="mx-auto max-w-[760px] px-4 pt-[18px] sm:px-6 lg:pt-8">
      <div className="mb-2 flex items-center justify-between gap-4">
        <h1 className="text-h1 font-semibold">{t`Sales`}</h1>
        <AreaLink page="payouts" className="flex h-11 items-center gap-1 text-sm font-medium text-brand-text">
          {t`Payouts`}
          <ChevronRight aria-hidden className="size-5" />
        </AreaLink>
      </div>
      <LinkUses />
      <Sales />
    </div>
  );
}

function Sales() {
  const { t } = useLingui();
  const sales = useInfiniteQuery({ ...pages('/api/agent/history', {}), enabled: useMayAsk() });

  if (sales.isPending) return <SalesSkeleton />;
  if (sales.isError) {
    return <Failure title={t`Your sales did not load`} error={sales.error} onRetry={() => void sales.refetch()} />;
  }
  const all = sales.data.pages.flatMap((page) => page.data);
  if (!all.length) {
    return (
      <EmptyState
        title={t`Sale not found`}
        line={t`When somebody buys through your link, the sale and its commission will stand here.`}
        action={
          <Button asChild>
            <AreaLink page="home">{t`Choose what to share`}</AreaLink>
          </Button>
        }
      />
    );
  }
  return (
    <>
      {byDay(all).map(({ day, rows }) => (
        <section key={day} className="mb-3.5">
          <h2 className="px-1 pb-1.5 pt-1 text-caption font-medium text-quiet">
            {day === date(Date.now()) ? t`Today ${day}` : day}
          </h2>
          <Card className="py-1">
            {rows.map((sale, i) => (
              <div key={sale.id}>
                {i > 0 && <div className="ml-[72px] h-px bg-border" />}
                <SaleRow sale={sale} />
              </div>
            ))}
          </Card>
        </section>
      ))}
      {sales.hasNextPage && (
        <Button
          variant="outline"
          size="md"
          wide
          disabled={sales.isFetchingNextPage}
          onClick={() => void sales.fetchNextPage()}
        >
          {sales.isFetchingNextPage ? t`Loading…` : t`Show more`}
        </Button>
      )}
    </>
  );
}

function SalesSkeleton() {
  const { t } = useLingui();
  return (
    <div role="status" aria-label={t`Loading…`}>
      <div className="flex h-[30px] items-center px-1">
        <Skeleton className="h-3.5 w-28" />
      </div>
      <Card className="py-1">
        <SaleRowSkeleton />
        <SaleRowSkeleton />
        <SaleRowSkeleton />
      </Card>
    </div>
  );
}
