import { Plural, useLingui } from '@lingui/react/macro';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type Detail, query } from '@wlv/client/call';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { count, date } from '@wlv/ui/format';
import { KpiCard } from '@wlv/ui/kpi-card';
import { Meter } from '@wlv/ui/meter';
import { Price } from '@wlv/ui/price';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { clsx } from 'clsx';
import { Landmark, ShoppingBag, TicketCheck, TrendingUp, UserPlus } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useTexts, useTitle } from '../../page.tsx';
import { Failure } from '../../shell/failure.tsx';
import { MoneyCard } from './money-card.tsx';

const SalesChart = lazy(() => import('./sales-chart.tsx'));

export type Dashboard = Detail<'/api/owner/dashboard'>;

const ranges = [1, 7, 30, 90];

/** How the shop is doing: the last days beside the days before them, and where the money is now. */
export function DashboardPage() {
  const { t } = useLingui();
  useTitle(t`Overview`);
  const { days: asked } = useSearch({ strict: false }) as { days?: string };
  const days = ranges.includes(Number(asked)) ? Number(asked) : 30;
  const now = useQuery({ ...query('/api/owner/dashboard', { days }), placeholderData: keepPreviousData });
  // Twice as long: its first half is what the last days are compared with.
  const twice = useQuery({ ...query('/api/owner/dashboard', { days: days * 2 }), placeholderData: keepPreviousData });

  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-2.5">
        <h1 className="flex-1 text-h1-office font-semibold">{t`Overview`}</h1>
        <Range days={days} />
        {now.data && (
          <span className="hidden h-10 items-center rounded-small bg-card px-3.5 shadow-[inset_0_0_0_1px_var(--line)] md:flex">
            {date(now.data.from)} – {date(now.data.to)}
          </span>
        )}
      </div>
      {now.isError && (
        <Failure title={t`The overview did not load`} error={now.error} onRetry={() => void now.refetch()} />
      )}
      {now.isPending && <DashboardSkeleton />}
      {now.data && <Figures now={now.data} before={beforeOf(twice.data, days)} days={days} />}
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

type Days = Dashboard['by_day'];

/** The days before the ones shown, as many of them. */
function beforeOf(twice: Dashboard | undefined, days: number): Days | undefined {
  return twice?.by_day.length === days * 2 ? twice.by_day.slice(0, days) : undefined;
}

const sumOf = (days: Days, field: 'gross_satang' | 'uses') => days.reduce((sum, day) => sum + day[field], 0);

function Figures({ now, before, days }: { now: Dashboard; before: Days | undefined; days: number }) {
  const { t } = useLingui();
  const trend = days > 1;
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-4">
        <KpiCard
          icon={<ShoppingBag aria-hidden className="text-brand-text" />}
          name={t`Sales`}
          value={<Price satang={now.gross_satang} />}
          {...change(now.gross_satang, before && sumOf(before, 'gross_satang'))}
          {...(trend ? { trend: now.by_day.map((day) => day.gross_satang) } : {})}
        />
        <KpiCard
          icon={<TicketCheck aria-hidden className="text-brand-text" />}
          name={t`Came to use`}
          value={<Unit number={now.uses} unit={t`times`} />}
          {...change(now.uses, before && sumOf(before, 'uses'))}
          {...(trend ? { trend: now.by_day.map((day) => day.uses) } : {})}
        />
        <KpiCard
          icon={<UserPlus aria-hidden className="text-brand-text" />}
          name={t`New customers`}
          value={<Unit number={now.new_customers} unit={t`people`} />}
          change={<Plural value={now.orders} one="# order in this time" other="# orders in this time" />}
        />
        <KpiCard
          icon={<Landmark aria-hidden className="text-brand-text" />}
          name={t`Ready to be paid out`}
          value={<Price satang={now.payable_satang} />}
          change={t`Waiting for the next transfer`}
        />
      </div>
      <div className="grid grid-cols-1 gap-4 xl:grid-cols-[1fr_372px]">
        <Card office className="min-w-0 px-[18px] pb-3 pt-4">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <h2 className="text-base font-semibold">{t`Sales by day`}</h2>
            <Legend days={days} />
          </div>
          <Suspense fallback={<Skeleton className="mt-3 h-[240px]" />}>
            <SalesChart now={now.by_day} before={before} />
          </Suspense>
        </Card>
        <MoneyCard dashboard={now} />
      </div>
      <Best packages={now.packages} />
    </div>
  );

  function change(value: number, was: number | undefined) {
    if (!was) return {};
    const percent = ((value - was) / was) * 100;
    const said = Math.abs(percent).toFixed(1);
    const up = percent >= 0;
    return {
      good: up,
      change: (
        <span className="inline-flex items-center gap-1">
          <TrendingUp aria-hidden className={clsx('size-[15px]', !up && '-scale-y-100')} />
          {up ? t`${said}% more than before` : t`${said}% less than before`}
        </span>
      ),
    };
  }
}

function Unit({ number, unit }: { number: number; unit: string }) {
  return (
    <>
      {count(number)} <span className="text-sm font-normal text-muted-foreground">{unit}</span>
    </>
  );
}

function Legend({ days }: { days: number }) {
  const { t } = useLingui();
  return (
    <p className="flex gap-4 text-caption text-muted-foreground">
      <span className="flex items-center gap-[7px]">
        <span aria-hidden className="h-[3px] w-3.5 rounded-full bg-brand-mark" />
        {t`These ${days} days`}
      </span>
      <span className="flex items-center gap-[7px]">
        <span aria-hidden className="w-3.5 border-t-2 border-dashed border-input" />
        {t`The ${days} days before`}
      </span>
    </p>
  );
}

function Best({ packages }: { packages: Dashboard['packages'] }) {
  const { t } = useLingui();
  const text = useTexts();
  const most = Math.max(1, ...packages.map(({ quantity }) => quantity));
  return (
    <Card office className="px-[18px] py-4">
      <div className="mb-2 flex items-center justify-between">
        <h2 className="text-base font-semibold">{t`Best sellers`}</h2>
        <Link
          to="/owner/$screen"
          params={{ screen: 'packagelist' }}
          search={{ sort: '-sold' }}
          className="text-caption font-medium text-brand-text"
        >
          {t`See all`}
        </Link>
      </div>
      {packages.length ? (
        <ul className="grid gap-x-10 md:grid-cols-2">
          {packages.map((one) => (
            <li key={one.id} className="py-2">
              <p className="flex justify-between gap-3">
                <span className="min-w-0 truncate font-medium">{text(one, 'name')}</span>
                <span className="shrink-0 text-muted-foreground">
                  <Plural value={one.quantity} one="# package" other="# packages" />
                </span>
              </p>
              <Meter value={one.quantity / most} className="mt-1.5" />
            </li>
          ))}
        </ul>
      ) : (
        <EmptyState
          className="py-6!"
          title={t`Nothing sold in this time`}
          line={t`What sells best will stand here.`}
          action={
            <Button asChild variant="outline" size="office">
              <Link to="/owner/$screen" params={{ screen: 'packagelist' }}>{t`To the packages`}</Link>
            </Button>
          }
        />
      )}
    </Card>
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
