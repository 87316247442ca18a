import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type Detail, pages, query } from '@wlv/client/call';
import { pick } from '@wlv/client/language';
import { isDay } from '@wlv/ui/date-input';
import { amount, calendarDay, count, date, dateTime } from '@wlv/ui/format';
import type { ReportName } from '../../reports.ts';

export type Description = Detail<'/api/owner/report/describe'>;
export type Column = Description['columns'][number];
export type Filter = Description['filters'][number];
export type Screen = Detail<'/api/owner/report/daily'>;
export type ReportRow = Screen['data'][number];

type Search = Record<string, string | undefined>;

const month = 29 * 86_400_000;

/** What a report is read with: the address says it, by default the last thirty days. */
export function useReport(name: ReportName) {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const described = useQuery({ ...query('/api/owner/report/describe', { report: name }), staleTime: Infinity });
  const description = described.data;

  const days = {
    from: isDay(search.from ?? '') ? (search.from ?? '') : calendarDay(Date.now() - month),
    to: isDay(search.to ?? '') ? (search.to ?? '') : calendarDay(Date.now()),
  };
  const filter: Record<string, string> = description?.days ? { ...days } : {};
  for (const one of description?.filters ?? []) {
    const value = search[one.name] || (one.must ? one.words?.[0]?.value : undefined);
    if (value) filter[one.name] = value;
  }
  // All reports speak one protocol.
  const path = `/api/owner/report/${name}` as '/api/owner/report/daily';
  const read = useInfiniteQuery({
    ...pages(path, { filter }),
    enabled: Boolean(description),
    placeholderData: (before) => before,
  });
  return {
    description,
    described,
    filter,
    read,
    first: read.data?.pages[0],
    rows: read.data?.pages.flatMap(({ data }) => data) ?? [],
    change: (next: Search) =>
      void navigate({ to: '.', search: (now) => ({ ...now, ...next }), replace: true, resetScroll: false }),
  };
}

/** What a cell says. Nothing at all stands as a dash among sums of money. */
export function cellText(column: Column, row: ReportRow, language: string): string {
  if (column.both) return pick(row as never, column.name, language);
  const value = row[column.name];
  if (value === null || value === undefined) return '';
  switch (column.kind) {
    case 'satang':
      return value === 0 ? '–' : amount(Number(value));
    case 'number':
      return count(Number(value));
    case 'day':
      return date(String(value));
    case 'moment':
      return dateTime(String(value));
    default: {
      const word = column.words?.find((one) => one.value === value);
      return word ? (language === 'en' ? word.en : word.th) : String(value);
    }
  }
}

/** A row of several days says the last one, too. */
export function dayText(row: ReportRow) {
  const [day, until] = [String(row.day), String(row.until ?? row.day)];
  return day === until ? date(day) : `${date(day)}–${date(until)}`;
}

export interface Bar {
  label: string;
  values: Record<string, number>;
}

const dayLength = 86_400_000;

/** The bars of a report's chart: of the points where rows come in pages, else of the rows themselves; days without any are there too. */
export function barsOf(
  description: Description,
  screen: Screen,
  filter: Record<string, string>,
  language: string,
): Bar[] {
  const { chart, columns, paged } = description;
  if (!chart) return [];
  const by = columns.find(({ name }) => name === chart.by);
  const ofDays = paged || by?.kind === 'day';
  const numbers = (from: Record<string, unknown>) =>
    Object.fromEntries(chart.series.map((name) => [name, Number(from[name] ?? 0)]));
  if (!ofDays || !by?.kind || (filter.step && filter.step !== 'day')) {
    if (!paged) {
      const bars = screen.data.map((row) => ({
        label: by?.kind === 'day' ? dayText(row) : by ? cellText(by, row, language) : '',
        values: numbers(row),
      }));
      return by?.kind === 'day' ? bars.reverse() : bars.slice(0, 24);
    }
  }
  const found = new Map<string, Record<string, number>>();
  for (const [day, values] of paged
    ? screen.points.map((point) => [point.day, numbers(point.values)] as const)
    : screen.data.map((row) => [String(row[chart.by]), numbers(row)] as const)) {
    const before = found.get(day) ?? {};
    found.set(day, Object.fromEntries(chart.series.map((name) => [name, (before[name] ?? 0) + (values[name] ?? 0)])));
  }
  const [first, last] = [Date.parse(filter.from ?? ''), Date.parse(filter.to ?? '')];
  const bars: Bar[] = [];
  for (let at = first; at <= last; at += dayLength) {
    const day = new Date(at).toISOString().slice(0, 10);
    bars.push({ label: date(day), values: found.get(day) ?? numbers({}) });
  }
  return bars;
}
