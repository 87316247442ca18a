import { Plural, useLingui } from '@lingui/react/macro';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { errorSentence } from '@wlv/client/api-error';
import { call, query, type Row } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useTexts, useTitle } from '@wlv/client/page';
import { RetryOptions } from '@wlv/client/retry-options';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { DateInput, isDay } from '@wlv/ui/date-input';
import { Field } from '@wlv/ui/field';
import { amount, calendarDay, count, date } from '@wlv/ui/format';
import { Select } from '@wlv/ui/select';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@wlv/ui/table';
import { toast } from '@wlv/ui/toast';
import { FileSpreadsheet, FileText } from 'lucide-react';
import { useLookup } from '../../resource/lookup.ts';
import { QuickDays } from '../../resource/quick-days.tsx';
import { AsOf } from '../../shell/as-of.tsx';
import { useFollowJob } from '../../shell/jobs.ts';

interface Search {
  from?: string;
  to?: string;
  package?: string;
}

/** The last thirty days, unless the address says otherwise. */
function useFilter() {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const from = isDay(search.from ?? '') ? search.from : calendarDay(Date.now() - 29 * 86_400_000);
  const to = isDay(search.to ?? '') ? search.to : calendarDay(Date.now());
  return {
    filter: {
      from: from ?? '',
      to: to ?? '',
      ...(search.package ? { package_id: search.package } : {}),
    },
    change: (next: Search) =>
      void navigate({ to: '.', search: (now) => ({ ...now, ...next }), replace: true, resetScroll: false }),
  };
}

/** Sales by day and package, with their sums; as a file it is the same, made in the background. */
export function DailyPage() {
  const { t } = useLingui();
  useTitle(t`Daily sales`);
  const { filter, change } = useFilter();
  const report = useQuery({ ...query('/api/owner/report/daily', filter), placeholderData: keepPreviousData });
  const packages = useLookup('salepackage');

  return (
    <>
      <div className="mb-3.5 flex flex-wrap items-center gap-2.5">
        <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
          <h1 className="text-h1-office font-semibold">{t`Daily sales`}</h1>
          <p role="status" className="text-quiet">
            {report.data && t`${count(report.data.total)} rows`}
          </p>
          {report.data && <AsOf at={report.dataUpdatedAt} />}
        </div>
        <FileButtons filter={filter} />
      </div>
      <div className="mb-3.5">
        <QuickDays of="past" {...filter} onChange={(from, to) => change({ from, to })} />
      </div>
      <div className="mb-3.5 grid grid-cols-2 gap-3 sm:flex sm:items-end">
        <Field label={t`From`} className="sm:w-44">
          <DateInput size="office" value={filter.from} onChange={(day) => change({ from: day ?? '' })} />
        </Field>
        <Field label={t`To`} className="sm:w-44">
          <DateInput size="office" value={filter.to} onChange={(day) => change({ to: day ?? '' })} />
        </Field>
        <Field label={t`Package`} className="col-span-2 sm:w-72">
          <Select
            size="office"
            value={filter.package_id ?? 'all'}
            onChange={(id) => change({ package: id === 'all' ? '' : id })}
            options={[{ value: 'all', label: t`All packages` }, ...packages.choices]}
          />
          <RetryOptions of={packages.asked} />
        </Field>
      </div>
      <Card office className="overflow-clip">
        {report.isPending && <RowsSkeleton />}
        {report.isError && (
          <Failure title={t`The report did not load`} error={report.error} onRetry={() => void report.refetch()} />
        )}
        {report.data &&
          (report.data.data.length ? (
            <>
              <Rows rows={report.data.data} totals={report.data.totals} />
              <Cards rows={report.data.data} totals={report.data.totals} />
            </>
          ) : (
            <EmptyState title={t`Nothing sold in this time`} line={t`Choose other days, or all packages.`} />
          ))}
      </Card>
    </>
  );
}

type DailyRow = Row<'/api/owner/report/daily'>;

function RowsSkeleton() {
  const { t } = useLingui();
  return (
    <div role="status" aria-label={t`Loading…`}>
      <div className="h-[42px] bg-muted" />
      {Array.from({ length: 10 }, (_, i) => (
        <div key={i} className="flex h-11 items-center gap-6 border-t px-4">
          <Skeleton className="h-4 w-24" />
          <Skeleton className="h-4 w-56 max-w-full" />
          <Skeleton className="ml-auto h-4 w-20 max-sm:hidden" />
          <Skeleton className="h-4 w-24" />
        </div>
      ))}
    </div>
  );
}

function Rows({ rows, totals }: { rows: DailyRow[]; totals: Record<string, number> }) {
  const { t } = useLingui();
  const text = useTexts();
  const sums = [
    { title: t`Sales`, field: 'gross_satang' },
    { title: t`Platform fee`, field: 'fee_satang' },
    { title: t`Commission`, field: 'commission_satang' },
    { title: t`The shop's share`, field: 'unearned_satang' },
  ] as const;
  return (
    // Wider than a phone: the keyboard must be able to move it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section tabIndex={0} aria-label={t`Daily sales`} className="overflow-x-auto max-sm:hidden">
      <Table>
        <TableHead>
          <tr>
            <TableHeader className="pl-[18px]">{t`Day`}</TableHeader>
            <TableHeader>{t`Package`}</TableHeader>
            <TableHeader numeric>{t`Orders`}</TableHeader>
            <TableHeader numeric>{t`Pieces`}</TableHeader>
            {sums.map(({ title, field }) => (
              <TableHeader key={field} numeric>
                {title}
              </TableHeader>
            ))}
          </tr>
        </TableHead>
        <TableBody>
          <tr className="bg-accent font-semibold">
            <TableCell compact className="pl-[18px]">{t`In all`}</TableCell>
            <TableCell compact />
            <TableCell compact />
            <TableCell compact numeric>
              {count(totals.quantity ?? 0)}
            </TableCell>
            {sums.map(({ field }) => (
              <TableCell key={field} compact numeric>
                {amount(totals[field] ?? 0)}
              </TableCell>
            ))}
          </tr>
          {rows.map((row) => (
            <TableRow key={`${row.day} ${row.package_id}`}>
              <TableCell compact className="whitespace-nowrap pl-[18px] text-muted-foreground">
                {date(row.day)}
              </TableCell>
              <TableCell compact>
                <span className="block max-w-[36ch] truncate font-medium">{text(row, 'name')}</span>
              </TableCell>
              <TableCell compact numeric>
                {count(row.orders)}
              </TableCell>
              <TableCell compact numeric>
                {count(row.quantity)}
              </TableCell>
              {sums.map(({ field }) => (
                <TableCell key={field} compact numeric>
                  {amount(row[field])}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </section>
  );
}

/** On a phone: what sold, and for how much. */
function Cards({ rows, totals }: { rows: DailyRow[]; totals: Record<string, number> }) {
  const { t } = useLingui();
  const text = useTexts();
  return (
    <ul className="divide-y sm:hidden">
      <li className="flex justify-between gap-4 bg-accent px-4 py-3 text-base font-semibold">
        <span>{t`In all`}</span>
        <span>{amount(totals.gross_satang ?? 0)}</span>
      </li>
      {rows.map((row) => (
        <li key={`${row.day} ${row.package_id}`} className="flex items-start justify-between gap-4 px-4 py-3">
          <span className="min-w-0">
            <span className="line-clamp-2 font-medium">{text(row, 'name')}</span>
            <span className="block text-caption text-quiet">
              {date(row.day)} · <Plural value={row.quantity} one="# package" other="# packages" />
            </span>
          </span>
          <span className="shrink-0 text-right">
            <span className="block font-semibold">{amount(row.gross_satang)}</span>
            <span className="block text-caption text-quiet">{t`fee ${amount(row.fee_satang)}`}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function FileButtons({ filter }: { filter: ReturnType<typeof useFilter>['filter'] }) {
  const { i18n } = useLingui();
  const follow = useFollowJob();
  const ask = useMutation({
    mutationFn: (format: 'csv' | 'xlsx') => call('/api/owner/report/job', { report: 'daily', filter, format }),
    onSuccess: follow,
    onError: (error) => toast({ tone: 'bad', title: errorSentence(i18n, error) }),
  });
  return (
    <>
      <Button variant="outline" size="office" disabled={ask.isPending} onClick={() => ask.mutate('csv')}>
        <FileText aria-hidden />
        CSV
      </Button>
      <Button variant="outline" size="office" disabled={ask.isPending} onClick={() => ask.mutate('xlsx')}>
        <FileSpreadsheet aria-hidden />
        Excel
      </Button>
    </>
  );
}
