import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { date, time } from '@wlv/ui/format';
import { keepThaiTogether } from '@wlv/ui/thai';
import { Fragment, type ReactNode } from 'react';
import type { Listing } from './listing.ts';
import { useName } from './names.ts';
import type { AnyResource, AnyRow, CardPart, Column } from './resource.ts';
import { RowPicture } from './row-name.tsx';
import { StatusChip } from './status-chip.tsx';

/**
 * The list on a phone: each row in two lines, its name and amount, then when, what and its state. A list in the order
 * of its instants stands under their days.
 */
export function ListCards({ resource, listing, rows }: { resource: AnyResource; listing: Listing; rows: AnyRow[] }) {
  const { t, i18n } = useLingui();
  const instant = partOf(resource, 'instant');
  const sort = listing.params.sort?.replace(/^-/, '') ?? instant?.name;
  if (!resource.grows || !instant || sort !== instant.name) return <Rows resource={resource} rows={rows} />;

  const weekday = new Intl.DateTimeFormat(i18n.locale, { weekday: 'long', timeZone: 'Asia/Bangkok' });
  const [today, yesterday] = [date(Date.now()), date(Date.now() - 86_400_000)];
  const dayName = (day: string, at: string) => {
    const named = `${weekday.format(new Date(at)).replace(/^วัน/, '')} ${day.endsWith(today.slice(6)) ? day.slice(0, 5) : day}`;
    if (day === today) return t`Today, ${named}`;
    return day === yesterday ? t`Yesterday, ${named}` : named;
  };
  const days = new Map<string, AnyRow[]>();
  for (const row of rows) {
    const day = date(String(row[instant.name]));
    days.set(day, [...(days.get(day) ?? []), row]);
  }
  return [...days].map(([day, those]) => (
    <section key={day} className="sm:hidden">
      <h2 className="px-4 pb-0.5 pt-3 text-caption font-medium text-quiet">
        {dayName(day, String(those[0]?.[instant.name]))}
      </h2>
      <Rows resource={resource} rows={those} underDay />
    </section>
  ));
}

/** The first column that a card shows as that part. */
function partOf(resource: AnyResource, part: CardPart): Column<AnyRow> | undefined {
  return resource.columns.find(({ card, hidden }) => card === part && !hidden);
}

function Rows({ resource, rows, underDay }: { resource: AnyResource; rows: AnyRow[]; underDay?: boolean }) {
  return (
    <ul className="divide-y sm:hidden">
      {rows.map((row) => (
        <li key={row.id} className="relative flex min-h-[62px] items-center gap-3 px-4 py-2.5">
          <RowPicture resource={resource} picture={(resource.card?.picture ?? resource.picture)?.(row)} />
          <div className="min-w-0 flex-1">
            <CardName resource={resource} row={row} />
            <CardLine resource={resource} row={row} underDay={Boolean(underDay)} />
          </div>
          <div className="flex max-w-[45%] shrink-0 flex-col items-end gap-1">
            <Part of={partOf(resource, 'amount')} row={row} className="font-medium" />
            <StatusChip resource={resource} row={row} />
          </div>
        </li>
      ))}
    </ul>
  );
}

function CardName({ resource, row }: { resource: AnyResource; row: AnyRow }) {
  const named = useName(resource)(row);
  return (
    <Link
      to="/owner/$screen/$id"
      params={{ screen: resource.path, id: String(row.id) }}
      search={(now) => now}
      className="block truncate font-medium text-foreground after:absolute after:inset-0"
    >
      {keepThaiTogether(resource.card?.name?.(row) ?? named) || '–'}
    </Link>
  );
}

/** When, by which code, and what. */
function CardLine({ resource, row, underDay }: { resource: AnyResource; row: AnyRow; underDay: boolean }) {
  const instant = partOf(resource, 'instant');
  const what = partOf(resource, 'what');
  const at = instant && row[instant.name];
  const code = resource.card?.name ? undefined : resource.code?.(row);
  const parts: ReactNode[] = [
    at ? (underDay ? time(String(at)) : date(String(at))) : undefined,
    code,
    what && row[what.name] !== null && row[what.name] !== '' ? <Part of={what} row={row} /> : undefined,
  ];
  return (
    <p className="flex min-w-0 gap-1.5 overflow-hidden whitespace-nowrap text-caption text-quiet empty:hidden">
      {parts
        .filter((part) => part !== undefined)
        .map((part, i) => (
          <Fragment key={i}>
            {i > 0 && <span aria-hidden>·</span>}
            <span className="min-w-0 truncate last:flex-1">{part}</span>
          </Fragment>
        ))}
    </p>
  );
}

function Part({ of, row, className }: { of: Column<AnyRow> | undefined; row: AnyRow; className?: string }) {
  if (!of) return null;
  const Cell = of.cardCell ?? of.cell;
  return (
    <span className={className}>
      <Cell row={row} />
    </span>
  );
}
