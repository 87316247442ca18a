import { Plural, useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { call, pages, query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { FaultNote } from '@wlv/client/fault-note';
import { useTexts, useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Chip } from '@wlv/ui/chip';
import { amount, count, dateTime } from '@wlv/ui/format';
import { KpiCard } from '@wlv/ui/kpi-card';
import { Price } from '@wlv/ui/price';
import { Select } from '@wlv/ui/select';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@wlv/ui/table';
import { toast } from '@wlv/ui/toast';
import { ListChecks, Lock, Percent, RefreshCw, ShoppingBag, TicketCheck, Wallet } from 'lucide-react';
import type { ReactNode } from 'react';
import { usePerson } from '../../access/person.ts';
import { MoreButton } from '../../shell/more-button.tsx';
import { alarmWords, type Overview, type Ranked, stateWords } from './words.ts';

const ranges = ['1', '7', '30', '90'] as const;
type Range = (typeof ranges)[number];
const ranks = ['sales', 'fee', 'uses', 'top_ups', 'unearned', 'payable', 'wallets', 'given_up'] as const;
type Rank = (typeof ranks)[number];

/** How many days, and by which figure organisations stand below, as the address says it. */
interface Asked {
  days?: Range;
  by?: Rank;
}

/** All organisations together: what they sell, what their books hold, and what somebody should look at. */
export function OverviewPage() {
  const { t } = useLingui();
  useTitle(t`Overview`);
  const asked = useSearch({ strict: false }) as Asked;
  const days = asked.days && ranges.includes(asked.days) ? asked.days : '30';
  const by = asked.by && ranks.includes(asked.by) ? asked.by : 'sales';
  const navigate = useNavigate();
  const ask = (change: Asked) => void navigate({ to: '.', search: { days, by, ...change }, replace: true });
  const overview = useQuery({
    ...query('/api/admin/dashboard/overview', { days: Number(days) }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
  const names: Record<Range, string> = {
    '1': t`Today`,
    '7': t`7 days`,
    '30': t`30 days`,
    '90': t`90 days`,
  };
  return (
    <div className="mx-auto grid w-full max-w-[1640px] grid-cols-1 gap-4 px-4 pb-16 pt-2 sm:px-7">
      <div className="flex flex-wrap items-center gap-3">
        <div className="min-w-0 flex-1 basis-60">
          <h1 className="text-h1-office font-semibold">{t`Overview`}</h1>
          {overview.data && <SeenLine seen={overview.data.seen} />}
        </div>
        <span className="w-36">
          <Select<Range>
            size="office"
            label={t`Days`}
            value={days}
            onChange={(next) => ask({ days: next })}
            options={ranges.map((value) => ({ value, label: names[value] }))}
          />
        </span>
        <CountAnew />
      </div>
      {overview.isPending && <Skeleton className="h-96 rounded-office" />}
      {overview.isError && (
        <Failure title={t`This did not load`} error={overview.error} onRetry={() => void overview.refetch()} />
      )}
      {overview.data && <Together overview={overview.data} ask={ask} />}
      <Ranking days={Number(days)} by={by} ask={ask} />
    </div>
  );
}

function SeenLine({ seen }: { seen: Overview['seen'] }) {
  const { t } = useLingui();
  if (!seen.oldest_at) return <p className="text-caption text-quiet">{t`No organisation is counted yet.`}</p>;
  return (
    <p className="text-caption text-quiet">
      {t`${count(seen.organisations)} organisations, each as of ${dateTime(seen.oldest_at)} or later`}
      {seen.missing > 0 && <> · {t`${count(seen.missing)} not counted yet`}</>}
    </p>
  );
}

function CountAnew() {
  const { t } = useLingui();
  const { can } = usePerson();
  const build = useMutation({
    mutationFn: () => call('/api/admin/dashboard/build', {}),
    onSuccess: () => toast({ tone: 'ok', title: t`All figures are being counted anew. Organisations go on selling.` }),
  });
  if (!can('dashboard', 'u')) return null;
  return (
    <>
      <Button size="office" variant="outline" disabled={build.isPending} onClick={() => build.mutate()}>
        <RefreshCw aria-hidden />
        {t`Count anew`}
      </Button>
      <FaultNote error={build.error} />
    </>
  );
}

function Together({ overview, ask }: { overview: Overview; ask: (change: Asked) => void }) {
  const { t } = useLingui();
  const { now, before, balances, jobs, days } = overview;
  const trend = (value: (day: Overview['days'][number]) => number) =>
    days.length > 1 && days.some((day) => value(day)) ? { trend: days.map(value) } : {};
  return (
    <>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-3">
        <Opens onClick={() => ask({ by: 'sales' })}>
          <KpiCard
            icon={<ShoppingBag aria-hidden />}
            name={t`Sales`}
            value={<Price satang={now.sales_satang} />}
            change={t`${amount(before.sales_satang)} in as many days before`}
            {...trend((day) => day.sales_satang)}
          />
        </Opens>
        <Opens onClick={() => ask({ by: 'uses' })}>
          <KpiCard
            icon={<TicketCheck aria-hidden />}
            name={t`Redemptions`}
            value={count(now.uses)}
            change={t`${count(before.uses)} in as many days before`}
            {...trend((day) => day.uses)}
          />
        </Opens>
        <Opens onClick={() => ask({ by: 'fee' })}>
          <KpiCard
            icon={<Percent aria-hidden />}
            name={t`Platform fee`}
            value={<Price satang={now.fee_satang} />}
            change={t`${amount(before.fee_satang)} in as many days before`}
            {...trend((day) => day.fee_satang)}
          />
        </Opens>
        <Opens onClick={() => ask({ by: 'unearned' })}>
          <KpiCard
            icon={<Lock aria-hidden />}
            name={t`Paid for, not used yet`}
            value={<Price satang={balances.unearned_satang} />}
            change={t`${amount(balances.payable_satang)} used and not settled`}
          />
        </Opens>
        <Opens onClick={() => ask({ by: 'wallets' })}>
          <KpiCard
            icon={<Wallet aria-hidden />}
            name={t`Money in Wallets`}
            value={<Price satang={balances.wallet_satang} />}
            change={t`${amount(now.top_up_satang)} topped up in these days`}
          />
        </Opens>
        <JobsCard jobs={jobs} />
      </div>
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[2fr_1fr]">
        <Alarms alarms={overview.alarms} />
        <Counts overview={overview} />
      </div>
    </>
  );
}

function Opens({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className="rounded-office text-left [&>*]:h-full" onClick={onClick}>
      {children}
    </button>
  );
}

function JobsCard({ jobs }: { jobs: Overview['jobs'] }) {
  const { t } = useLingui();
  const card = (
    <KpiCard
      icon={<ListChecks aria-hidden />}
      name={t`Jobs that were given up`}
      value={count(jobs.given_up)}
      change={jobs.late ? t`${count(jobs.late)} more are late` : t`None is late`}
      good={!jobs.late && !jobs.given_up}
    />
  );
  return (
    <Link to="/advwsadmin/job_list" search={{ state: 'given_up' }} className="rounded-office [&>*]:h-full">
      {card}
    </Link>
  );
}

function Alarms({ alarms }: { alarms: Overview['alarms'] }) {
  const { t, i18n } = useLingui();
  const text = useTexts();
  return (
    <Card office className="overflow-clip">
      <h2 className="px-4 pb-1 pt-4 font-semibold">{t`To look at now`}</h2>
      {!alarms.length && <p className="px-4 pb-4 text-quiet">{t`Nothing is known to be wrong.`}</p>}
      <ul className="divide-y">
        {alarms.map((alarm) => {
          const { title, tone } = alarmWords[alarm.kind];
          const line = (
            <>
              <Chip tone={tone}>{i18n._(title)}</Chip>
              <span className="min-w-0 flex-1 basis-40 truncate">
                {alarm.org_id ? text(alarm, 'name') : t`The platform itself`}
              </span>
              <span className="text-caption text-quiet">
                {alarm.count > 0 && count(alarm.count)}
                {alarm.count > 0 && alarm.since && ' · '}
                {alarm.since && t`since ${dateTime(alarm.since)}`}
              </span>
            </>
          );
          const look = 'flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3 hover:bg-tint';
          const jobs = alarm.kind === 'given_up' || alarm.kind === 'late';
          return (
            <li key={`${alarm.kind} ${alarm.org_id ?? ''}`}>
              {jobs || !alarm.org_id ? (
                <Link
                  to="/advwsadmin/job_list"
                  search={{ of: alarm.org_id ?? 'platform', ...(jobs ? { state: alarm.kind } : {}) }}
                  className={look}
                >
                  {line}
                </Link>
              ) : (
                <Link to="/advwsadmin/organize_edit/$id" params={{ id: alarm.org_id }} className={look}>
                  {line}
                </Link>
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

function Counts({ overview }: { overview: Overview }) {
  const { t, i18n } = useLingui();
  const text = useTexts();
  const line = 'flex items-center justify-between gap-3 rounded-control px-2 py-1.5 hover:bg-tint';
  return (
    <Card office className="grid gap-4 p-4">
      <section>
        <h2 className="px-2 font-semibold">{t`Organisations`}</h2>
        {overview.states.map(({ state, organisations }) => (
          <Link key={state} to="/advwsadmin/organize_list" search={{ state }} className={line}>
            <span>{i18n._(stateWords[state].title)}</span>
            <span className="font-medium">{count(organisations)}</span>
          </Link>
        ))}
      </section>
      <section>
        <h2 className="px-2 font-semibold">{t`Plans`}</h2>
        {overview.plans.map((plan) => (
          <Link key={plan.id} to="/advwsadmin/organize_list" search={{ plan: plan.id }} className={line}>
            <span className="min-w-0 flex-1 truncate">{text(plan, 'name')}</span>
            <span className="text-quiet">{amount(plan.sales_satang)}</span>
            <span className="w-10 text-right font-medium">{count(plan.organisations)}</span>
          </Link>
        ))}
      </section>
      <section>
        <h2 className="px-2 font-semibold">{t`Databases`}</h2>
        {overview.nodes.map(({ node, organisations }) => (
          <p key={node} className="flex justify-between gap-3 px-2 py-1.5">
            <span>{node}</span>
            <span>
              <Plural value={organisations} one="# organisation" other="# organisations" />
            </span>
          </p>
        ))}
      </section>
    </Card>
  );
}

function Ranking({ days, by, ask }: { days: number; by: Rank; ask: (change: Asked) => void }) {
  const { t, i18n } = useLingui();
  const text = useTexts();
  const list = useInfiniteQuery({
    ...pages('/api/admin/dashboard/organisations', { days, by, limit: 50 }),
    placeholderData: keepPreviousData,
  });
  const rows = list.data?.pages.flatMap((page) => page.data) ?? [];
  const names: Record<Rank, string> = {
    sales: t`Sales`,
    fee: t`Platform fee`,
    uses: t`Redemptions`,
    top_ups: t`Top-ups`,
    unearned: t`Paid for, not used yet`,
    payable: t`Used, not settled yet`,
    wallets: t`Money in Wallets`,
    given_up: t`Jobs that were given up`,
  };
  const shown: Record<Rank, (row: Ranked) => string> = {
    sales: (row) => amount(row.sales_satang),
    fee: (row) => amount(row.fee_satang),
    uses: (row) => count(row.uses),
    top_ups: (row) => amount(row.top_up_satang),
    unearned: (row) => amount(row.unearned_satang),
    payable: (row) => amount(row.payable_satang),
    wallets: (row) => amount(row.wallet_satang),
    given_up: (row) => count(row.given_up),
  };
  const beside: Rank[] = by === 'sales' ? ['uses', 'wallets'] : ['sales', by === 'uses' ? 'wallets' : 'uses'];
  return (
    <section>
      <div className="mb-3 mt-2 flex flex-wrap items-center gap-3">
        <h2 className="min-w-0 flex-1 font-semibold">{t`Every organisation, the most first`}</h2>
        <span className="w-56">
          <Select<Rank>
            size="office"
            label={t`Order`}
            value={by}
            onChange={(next) => ask({ by: next })}
            options={ranks.map((value) => ({ value, label: names[value] }))}
          />
        </span>
      </div>
      {list.isPending && <Skeleton className="h-64 rounded-office" />}
      {list.isError && <Failure title={t`This did not load`} error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && (
        <Card office className="overflow-clip">
          {!rows.length && <EmptyState title={t`No organisation yet`} />}
          {rows.length > 0 && (
            <Table>
              <TableHead>
                <tr>
                  <TableHeader className="pl-[18px]">{t`Organisation`}</TableHeader>
                  <TableHeader className="text-right">{names[by]}</TableHeader>
                  {beside.map((one) => (
                    <TableHeader key={one} className="text-right max-sm:hidden">
                      {names[one]}
                    </TableHeader>
                  ))}
                  <TableHeader className="max-sm:hidden">{t`State`}</TableHeader>
                </tr>
              </TableHead>
              <TableBody>
                {rows.map((row) => (
                  <TableRow key={row.id}>
                    <TableCell className="pl-[18px]">
                      <Link
                        to="/advwsadmin/organize_edit/$id"
                        params={{ id: row.id }}
                        className="block min-w-0 font-medium text-foreground hover:underline"
                      >
                        {text(row, 'name')}
                        <span className="block text-caption font-normal text-quiet">{row.unique}</span>
                      </Link>
                    </TableCell>
                    <TableCell className="text-right font-medium">{shown[by](row)}</TableCell>
                    {beside.map((one) => (
                      <TableCell key={one} className="text-right max-sm:hidden">
                        {shown[one](row)}
                      </TableCell>
                    ))}
                    <TableCell className="max-sm:hidden">
                      <Chip tone={stateWords[row.state].tone}>{i18n._(stateWords[row.state].title)}</Chip>
                    </TableCell>
                  </TableRow>
                ))}
              </TableBody>
            </Table>
          )}
        </Card>
      )}
      <MoreButton of={list} />
    </section>
  );
}
