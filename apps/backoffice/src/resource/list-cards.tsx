import { useLingui } from '@lingui/react/macro';
import type { AnyResource, AnyRow } from './resource.ts';
import { RowName } from './row-name.tsx';
import { StatusChip } from './status-chip.tsx';

/** The list on a phone: each row a card with its name, state and first figures. */
export function ListCards({ resource, rows }: { resource: AnyResource; rows: AnyRow[] }) {
  return (
    <ul className="divide-y sm:hidden">
      {rows.map((row) => (
        <li key={row.id} className="relative grid grid-cols-1 gap-2 px-4 py-3">
          <div className="flex items-start gap-3">
            <div className="min-w-0 flex-1">
              <RowName resource={resource} row={row} />
            </div>
            <StatusChip resource={resource} row={row} />
          </div>
          <Facts resource={resource} row={row} />
        </li>
      ))}
    </ul>
  );
}

function Facts({ resource, row }: { resource: AnyResource; row: AnyRow }) {
  const { i18n } = useLingui();
  return (
    <dl className="grid grid-cols-1 gap-y-1">
      {resource.columns.slice(0, 5).map(({ name, title, cell: Cell }) => (
        <div key={name} className="flex min-w-0 justify-between gap-4 text-caption">
          <dt className="shrink-0 text-quiet">{i18n._(title)}</dt>
          <dd className="line-clamp-2 min-w-0 text-right font-medium empty:before:content-['–']">
            <Cell row={row} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
