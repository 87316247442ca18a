import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { errorSentence } from '@wlv/client/api-error';
import { call } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { pick } from '@wlv/client/language';
import { useTitle } from '@wlv/client/page';
import { RetryOptions } from '@wlv/client/retry-options';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { DateInput } from '@wlv/ui/date-input';
import { Field } from '@wlv/ui/field';
import { amount, baht, count } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Select } from '@wlv/ui/select';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@wlv/ui/table';
import { toast } from '@wlv/ui/toast';
import { FileSpreadsheet, FileText } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { usePerson } from '../../access/person.ts';
import { type ReportName, recordScreens, reports } from '../../reports.ts';
import { useLookup } from '../../resource/lookup.ts';
import { QuickDays } from '../../resource/quick-days.tsx';
import type { Table as TableName } from '../../resource/resource.ts';
import { AsOf } from '../../shell/as-of.tsx';
import { useFollowJob } from '../../shell/jobs.ts';
import { useScreenNames } from '../../shell/screen-names.ts';
import {
  barsOf,
  type Column,
  cellText,
  type Description,
  dayText,
  type Filter,
  type ReportRow,
  type Screen,
  useReport,
} from './report.ts';
import { ReportMail } from './report-mail.tsx';

const ReportChart = lazy(() => import('./report-chart.tsx'));
const swatches = ['bg-(--brand-mark)', 'bg-(--second-mark)', 'bg-(--info)'];

/** The page of one report. Another report is another page: nothing of the one before stays. */
export const reportScreen = (name: ReportName) => () => <ReportPage key={name} name={name} />;

/** Any report: its filters, a picture and a table of the same numbers, their sums, and the same as a file. */
function ReportPage({ name }: { name: ReportName }) {
  const { t } = useLingui();
  const { titleOf } = useScreenNames();
  const title = titleOf(reports[name]);
  useTitle(title);
  const { description, described, filter, read, first, rows, change } = useReport(name);
  const total = first?.total ?? 0;

  return (
    <>
      <div className="mb-3.5 flex flex-wrap items-center gap-2.5">
        <div className="flex min-w-64 flex-1 flex-wrap items-baseline gap-x-3">
          <h1 className="text-h1-office font-semibold">{title}</h1>
          <p role="status" className="text-quiet">
            {first && (description?.paged ? t`About ${count(total)} rows` : t`${count(total)} rows`)}
          </p>
          {first && <AsOf at={read.dataUpdatedAt} />}
        </div>
        <FileButtons name={name} filter={filter} />
        <ReportMail name={name} filter={filter} />
      </div>
      {described.isError && (
        <Failure title={t`The report did not load`} error={described.error} onRetry={() => void described.refetch()} />
      )}
      {description && <Filters description={description} filter={filter} onChange={change} />}
      {description && first && (
        <Suspense fallback={<Skeleton className="mb-3.5 h-[300px] w-full" />}>
          <Picture description={description} screen={first} filter={filter} />
        </Suspense>
      )}
      {!described.isError && (
        <Card office className="overflow-clip">
          {read.isPending && <RowsSkeleton />}
          {read.isError && (
            <Failure title={t`The report did not load`} error={read.error} onRetry={() => void read.refetch()} />
          )}
          {description && first && !read.isError && (
            <>
              {rows.length ? (
                <>
                  <Rows title={title} description={description} rows={rows} totals={first.totals} filter={filter} />
                  <Cards description={description} rows={rows} totals={first.totals} filter={filter} />
                </>
              ) : (
                <EmptyState title={t`Nothing in this report`} line={t`Choose other days, or less in the filters.`} />
              )}
              {!description.paged && total > rows.length && (
                <Note className="m-4">
                  {t`These are the first ${count(rows.length)} of ${count(total)} rows. The sums are of all; a file has every row.`}
                </Note>
              )}
              {read.hasNextPage && (
                <p className="flex justify-center border-t p-3">
                  <Button
                    variant="outline"
                    size="office"
                    disabled={read.isFetchingNextPage}
                    onClick={() => void read.fetchNextPage()}
                  >
                    {t`Show more`}
                  </Button>
                </p>
              )}
            </>
          )}
        </Card>
      )}
    </>
  );
}

function Filters({
  description,
  filter,
  onChange,
}: {
  description: Description;
  filter: Record<string, string>;
  onChange: (next: Record<string, string | undefined>) => void;
}) {
  const { t } = useLingui();
  const { from = '', to = '' } = filter;
  return (
    <>
      {description.days && (
        <div className="mb-3.5">
          <QuickDays of="past" from={from} to={to} onChange={(from, to) => onChange({ from, to })} />
        </div>
      )}
      <div className="mb-3.5 grid grid-cols-2 gap-3 sm:flex sm:flex-wrap sm:items-end">
        {description.days && (
          <>
            <Field label={t`From`} className="sm:w-44">
              <DateInput size="office" value={from} onChange={(day) => onChange({ from: day ?? '' })} />
            </Field>
            <Field label={t`To`} className="sm:w-44">
              <DateInput size="office" value={to} onChange={(day) => onChange({ to: day ?? '' })} />
            </Field>
          </>
        )}
        {description.filters.map((one) => (
          <Choice
            key={one.name}
            filter={one}
            value={filter[one.name]}
            onChange={(value) => onChange({ [one.name]: value })}
          />
        ))}
      </div>
    </>
  );
}

type ChoiceProps = { filter: Filter; value: string | undefined; onChange: (value: string | undefined) => void };

function Choice(props: ChoiceProps) {
  const { i18n } = useLingui();
  const { filter } = props;
  if (filter.table) return <RowChoice {...props} table={filter.table as TableName} />;
  const words = filter.words ?? [];
  return (
    <Options
      {...props}
      options={words.map(({ value, th, en }) => ({ value, label: i18n.locale === 'en' ? en : th }))}
    />
  );
}

function RowChoice({ table, ...props }: ChoiceProps & { table: TableName }) {
  const rows = useLookup(table, props.value ? [props.value] : []);
  return (
    <Options {...props} options={rows.choices}>
      <RetryOptions of={rows.asked} />
    </Options>
  );
}

const all = 'all';

function Options({
  filter,
  value,
  options,
  onChange,
  children,
}: ChoiceProps & { options: { value: string; label: string }[]; children?: ReactNode }) {
  const { t, i18n } = useLingui();
  return (
    <Field label={pick(filter, 'title', i18n.locale)} className="col-span-2 sm:w-60">
      <Select
        size="office"
        value={value ?? all}
        onChange={(next) => onChange(next === all ? undefined : next)}
        options={[...(filter.must ? [] : [{ value: all, label: t`All` }]), ...options]}
      />
      {children}
    </Field>
  );
}

/** Balances, the sum of each series, and the bars. */
function Picture({
  description,
  screen,
  filter,
}: {
  description: Description;
  screen: Screen;
  filter: Record<string, string>;
}) {
  const { i18n } = useLingui();
  const { chart, columns } = description;
  const series = (chart?.series ?? []).map((name) => {
    const column = columns.find((one) => one.name === name);
    return { name, title: column ? pick(column, 'title', i18n.locale) : name, total: screen.totals[name] };
  });
  const bars = barsOf(description, screen, filter, i18n.locale);
  const any = bars.some(({ values }) => Object.values(values).some((n) => n !== 0));
  if (!any && !screen.figures.length) return null;
  return (
    <Card office className="mb-3.5 px-[18px] py-4">
      {screen.figures.length > 0 && (
        <dl className="flex flex-wrap gap-x-10 gap-y-3">
          {screen.figures.map((figure) => (
            <div key={figure.title_en}>
              <dt className="text-sm text-muted-foreground">{pick(figure, 'title', i18n.locale)}</dt>
              <dd className="text-[22px] font-semibold leading-8">{baht(figure.amount_satang)}</dd>
            </div>
          ))}
        </dl>
      )}
      {any && (
        <>
          <ul className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-sm">
            {series.map(({ name, title, total }, i) => (
              <li key={name} className="flex items-center gap-2">
                <span aria-hidden className={`size-2.5 rounded-[3px] ${swatches[i % swatches.length]}`} />
                <span className="text-muted-foreground">{title}</span>
                {total !== undefined && <span className="font-semibold">{amount(total)}</span>}
              </li>
            ))}
          </ul>
          <ReportChart bars={bars} series={series} beside={chart?.beside ?? false} />
        </>
      )}
    </Card>
  );
}

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

const isNumber = ({ kind }: Column) => kind === 'number' || kind === 'satang';

interface RowsProps {
  description: Description;
  rows: ReportRow[];
  totals: Record<string, number>;
  filter: Record<string, string>;
}

const sumText = (column: Column, totals: Record<string, number>) =>
  column.kind === 'satang' ? amount(totals[column.name] ?? 0) : count(totals[column.name] ?? 0);

function Rows({ title, description, rows, totals, filter }: RowsProps & { title: string }) {
  const { t, i18n } = useLingui();
  const columns = description.columns.filter(({ hidden }) => !hidden);
  return (
    // Wider than a phone: the keyboard must be able to move it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section tabIndex={0} aria-label={title} className="overflow-x-auto max-sm:hidden">
      <Table>
        <TableHead>
          <tr>
            {columns.map((column) => (
              <TableHeader key={column.name} numeric={isNumber(column)} className="first:pl-[18px]">
                {pick(column, 'title', i18n.locale)}
              </TableHeader>
            ))}
          </tr>
        </TableHead>
        <TableBody>
          <tr className="bg-accent font-semibold">
            {columns.map((column, i) => (
              <TableCell key={column.name} compact numeric={isNumber(column)} className="first:pl-[18px]">
                {i === 0 ? t`In all` : column.sum ? sumText(column, totals) : null}
              </TableCell>
            ))}
          </tr>
          {rows.map((row, i) => (
            <TableRow key={i}>
              {columns.map((column) => (
                <TableCell
                  key={column.name}
                  compact
                  numeric={isNumber(column)}
                  className="whitespace-nowrap first:pl-[18px]"
                >
                  <span className="block max-w-[36ch] truncate">
                    <Value column={column} row={row} filter={filter} />
                  </span>
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </section>
  );
}

/** A cell, which leads to the record or the report behind it. */
function Value({ column, row, filter }: { column: Column; row: ReportRow; filter: Record<string, string> }) {
  const { i18n } = useLingui();
  const { can } = usePerson();
  const text = column.name === 'day' ? dayText(row) : cellText(column, row, i18n.locale);
  const record = column.table ? recordScreens[column.table] : undefined;
  const id = column.id ? row[column.id] : undefined;
  if (record && typeof id === 'string' && can(record.module, 'v')) {
    return (
      <Link
        to="/owner/$screen/$id"
        params={{ screen: record.path, id }}
        className="font-medium text-brand-text hover:underline"
      >
        {text}
      </Link>
    );
  }
  const screen = column.report ? reports[column.report as ReportName] : undefined;
  if (!screen || !can(screen.module, 'v')) return text;
  const { step: _, ...kept } = filter;
  const search = {
    ...kept,
    ...Object.fromEntries((column.with ?? []).map((one) => [one.filter, String(row[one.field])])),
  };
  return (
    <Link
      to="/owner/$screen"
      params={{ screen: screen.path }}
      search={search as never}
      className="font-medium text-brand-text hover:underline"
    >
      {text}
    </Link>
  );
}

/** On a phone: what a row is of, and its main number. */
function Cards({ description, rows, totals, filter }: RowsProps) {
  const { t, i18n } = useLingui();
  const shown = description.columns.filter(({ hidden }) => !hidden);
  const words = shown.filter((column) => !isNumber(column));
  const [lead, ...others] = words;
  const main = shown.find((column) => column.main);
  const rest = shown.filter((column) => isNumber(column) && column !== main);
  if (!lead || !main) return null;
  return (
    <ul className="divide-y sm:hidden">
      <li className="flex justify-between gap-4 bg-accent px-4 py-3 text-base font-semibold">
        <span>{t`In all`}</span>
        <span>{sumText(main, totals)}</span>
      </li>
      {rows.map((row, i) => (
        <li key={i} className="flex items-start justify-between gap-4 px-4 py-3">
          <span className="min-w-0">
            <span className="line-clamp-2 font-medium">
              <Value column={lead} row={row} filter={filter} />
            </span>
            <span className="block text-caption text-quiet">
              {others
                .map((column) => cellText(column, row, i18n.locale))
                .filter(Boolean)
                .join(' · ')}
            </span>
          </span>
          <span className="shrink-0 text-right">
            <span className="block font-semibold">{cellText(main, row, i18n.locale)}</span>
            {rest.slice(0, 2).map((column) => (
              <span key={column.name} className="block text-caption text-quiet">
                {pick(column, 'title', i18n.locale)} {cellText(column, row, i18n.locale)}
              </span>
            ))}
          </span>
        </li>
      ))}
    </ul>
  );
}

function FileButtons({ name, filter }: { name: ReportName; filter: Record<string, string> }) {
  const { i18n } = useLingui();
  const follow = useFollowJob();
  const ask = useMutation({
    mutationFn: (format: 'csv' | 'xlsx') => call('/api/owner/report/job', { report: name, filter, format }),
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
