import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useTitle } from '@wlv/client/page';
import { Card } from '@wlv/ui/card';
import { date } from '@wlv/ui/format';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { clsx } from 'clsx';
import { CalendarDays } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { AsOf } from '../../shell/as-of.tsx';
import { ActivityFeed } from './activity-feed.tsx';
import { BestSellers } from './best-sellers.tsx';
import { BusyHours } from './busy-hours.tsx';
import type { Sales } from './dashboard.ts';
import { Figures } from './figures.tsx';
import { useFirstRun } from './first-run.tsx';
import { MoneyCard } from './money-card.tsx';

const SalesChart = lazy(() => import('./sales-chart.tsx'));
const HoursChart = lazy(() => import('./hours-chart.tsx'));

const ranges = [1, 7, 30, 90];

/** How the shop is doing: the last days beside the days before them, where the money is, and what has just happened. */
export function DashboardPage() {
  const { t } = useLingui();
  useTitle(t`Overview`);
  const { days: asked } = useSearch({ strict: false }) as { days?: string };
  const days = ranges.includes(Number(asked)) ? Number(asked) : 30;
  const { data, ...dashboard } = useQuery({
    ...query('/api/owner/dashboard', { days }),
    placeholderData: keepPreviousData,
  });

  const firstRun = useFirstRun();

  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-2.5">
        <div className="flex flex-1 flex-wrap items-baseline gap-x-3">
          <h1 className="text-h1-office font-semibold">{t`Overview`}</h1>
          {data && !firstRun.alone && <AsOf at={dashboard.dataUpdatedAt} />}
        </div>
        {!firstRun.alone && <Range days={days} />}
        {data && !firstRun.alone && (
          <span className="hidden h-10 items-center gap-2.5 rounded-small bg-card px-3.5 shadow-[inset_0_0_0_1px_var(--line)] md:flex">
            <CalendarDays aria-hidden className="size-4" />
            {days > 1 && `${date(data.from)} – `}
            {date(data.to)}
          </span>
        )}
      </div>
      {firstRun.list}
      {dashboard.isError && (
        <Failure
          title={t`The overview did not load`}
          error={dashboard.error}
          onRetry={() => void dashboard.refetch()}
        />
      )}
      {dashboard.isPending && <DashboardSkeleton />}
      {data && !firstRun.alone && (
        <div className="grid grid-cols-1 gap-4">
          <Figures now={data} days={days} />
          <div className={clsx('grid grid-cols-1 gap-4', data.sales && data.money && 'xl:grid-cols-[1fr_372px]')}>
            {data.sales && <SalesCard sales={data.sales} days={days} at={dashboard.dataUpdatedAt} />}
            {data.money && <MoneyCard money={data.money} />}
          </div>
          <div
            className={clsx(
              'grid grid-cols-[repeat(auto-fit,minmax(min(100%,330px),1fr))] gap-4',
              data.sales && data.uses && 'xl:grid-cols-[1fr_1fr_372px]',
            )}
          >
            {data.sales && <BestSellers packages={data.sales.packages} />}
            {data.uses && <BusyHours hours={data.uses.hours} />}
            <ActivityFeed />
          </div>
        </div>
      )}
    </>
  );
}

function Range({ days }: { days: number }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const names: Record<number, string> = { 1: t`Today`, 7: t`7 days`, 30: t`30 days`, 90: t`90 days` };
  return (
    <div role="group" aria-label={t`Time`} className="flex rounded-control bg-muted p-[3px]">
      {ranges.map((range) => (
        <button
          key={range}
          type="button"
          aria-pressed={range === days}
          onClick={() => void navigate({ to: '.', search: { days: String(range) }, replace: true })}
          className={clsx(
            'h-[34px] rounded-[9px] px-3.5 font-medium',
            range === days
              ? 'bg-popover text-foreground shadow-[0_1px_3px_rgb(24_20_14/14%)]'
              : 'text-muted-foreground',
          )}
        >
          {names[range]}
        </button>
      ))}
    </div>
  );
}

function SalesCard({ sales, days, at }: { sales: Sales; days: number; at: number }) {
  const { t } = useLingui();
  const { hours, last_week: lastWeek = [] } = sales;
  const sold = hours
    ? [...hours, ...lastWeek].some(({ gross_satang }) => gross_satang > 0)
    : sales.gross_satang > 0 || sales.before_satang > 0;
  return (
    <Card office className="min-w-0 px-[18px] pb-3 pt-4">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <h2 className="text-base font-semibold">{hours ? t`Sales by hour` : t`Sales by day`}</h2>
        {hours ? <Legend now={t`Today`} before={t`The same day last week`} /> : <DaysLegend days={days} />}
      </div>
      {sold ? (
        <Suspense fallback={<Skeleton className="mt-3 h-[240px]" />}>
          {hours ? (
            <HoursChart today={hours} lastWeek={lastWeek} at={at} />
          ) : (
            <SalesChart now={sales.days} before={sales.earlier} />
          )}
        </Suspense>
      ) : (
        <EmptyState
          className="py-6!"
          title={t`Nothing sold in this time`}
          line={
            hours
              ? t`Each hour's sales will stand here, beside those of a week before.`
              : t`Each day's sales will stand here, beside the days before.`
          }
        />
      )}
    </Card>
  );
}

function DaysLegend({ days }: { days: number }) {
  const { t } = useLingui();
  return <Legend now={t`These ${days} days`} before={t`The ${days} days before`} />;
}

function Legend({ now, before }: { now: string; before: string }) {
  return (
    <p className="flex gap-4 text-caption text-muted-foreground">
      <span className="flex items-center gap-[7px]">
        <span aria-hidden className="h-[3px] w-3.5 rounded-full bg-brand-mark" />
        {now}
      </span>
      <span className="flex items-center gap-[7px]">
        <span aria-hidden className="w-3.5 border-t-2 border-dashed border-input" />
        {before}
      </span>
    </p>
  );
}

function DashboardSkeleton() {
  const { t } = useLingui();
  return (
    <div role="status" aria-label={t`Loading…`} className="grid grid-cols-1 gap-4">
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {Array.from({ length: 4 }, (_, i) => (
          <Skeleton key={i} className="h-[119px] rounded-office" />
        ))}
      </div>
      <div className="grid grid-cols-1 gap-4 xl:grid-cols-[1fr_372px]">
        <Skeleton className="h-[310px] rounded-office" />
        <Skeleton className="h-[310px] rounded-office" />
      </div>
    </div>
  );
}
