import { useLingui } from '@lingui/react/macro';
import { Checkbox } from '@wlv/ui/checkbox';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@wlv/ui/table';
import { clsx } from 'clsx';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { usePerson } from '../access/person.ts';
import type { Listing } from './listing.ts';
import { useName } from './names.ts';
import type { AnyResource, AnyRow, Column } from './resource.ts';
import { RowMenu } from './row-menu.tsx';
import { RowName } from './row-name.tsx';
import { StatusChip } from './status-chip.tsx';

/**
 * The list from a tablet on. The head stays below the bar, but where the columns need more room than there is: then the
 * table scrolls sideways, and a head can stay in place in one direction only. A click anywhere on a row opens it.
 */
export function ListTable({ resource, listing, rows }: { resource: AnyResource; listing: Listing; rows: AnyRow[] }) {
  const { t, i18n } = useLingui();
  const { can } = usePerson();
  const name = useName(resource);
  const nameField =
    resource.nameSorts ?? (resource.grows ? '' : rows.some((row) => 'name_th' in row) ? `name_${i18n.locale}` : '');
  const columns = resource.columns.filter(
    ({ name, whenUsed }) => !listing.hidden.includes(name) && (!whenUsed || rows.some((row) => row[name])),
  );
  const acts = Boolean(resource.actions?.length) && can(resource.module, 's');
  const selects = acts || (Boolean(resource.many) && (can(resource.module, 'u') || can(resource.module, 's')));
  const hasState = Boolean(resource.look) || rows.some((row) => row.status !== undefined);
  const frame = useRef<HTMLDivElement>(null);
  const tooWide = useTooWide(frame);

  return (
    <div ref={frame} className={clsx('max-sm:hidden', tooWide ? 'overflow-x-auto' : 'max-lg:overflow-x-auto')}>
      <Table>
        <TableHead className={tooWide ? '' : 'lg:top-[60px]'}>
          <tr>
            {selects && <SelectAll listing={listing} rows={rows} />}
            <SortableHeader
              column={{ name: nameField, title: resource.title, sorts: Boolean(nameField) }}
              listing={listing}
              className={selects ? '' : 'pl-[18px]'}
            />
            {columns.map((column) => (
              <SortableHeader
                key={column.name}
                column={column}
                listing={listing}
                className={column.wide ? 'max-lg:hidden' : ''}
              />
            ))}
            {hasState && <TableHeader>{t`State`}</TableHeader>}
            {acts && (
              <TableHeader className="w-12">
                <span className="sr-only">{t`Actions`}</span>
              </TableHeader>
            )}
          </tr>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={row.id} selected={listing.selected.includes(String(row.id))} className="relative">
              {selects && (
                <TableCell className="w-12 pl-[18px]">
                  <SelectOne listing={listing} row={row} label={t`Select ${name(row)}`} />
                </TableCell>
              )}
              <TableCell className={selects ? '' : 'pl-[18px]'}>
                <RowName resource={resource} row={row} />
              </TableCell>
              {columns.map(({ name: field, numeric, wide, cell: Cell }) => (
                <TableCell
                  key={field}
                  numeric={Boolean(numeric)}
                  className={clsx(
                    numeric ? 'whitespace-nowrap font-medium' : 'text-muted-foreground',
                    wide && 'max-lg:hidden',
                  )}
                >
                  <Cell row={row} />
                </TableCell>
              ))}
              {hasState && (
                <TableCell>
                  <StatusChip resource={resource} row={row} />
                </TableCell>
              )}
              {acts && (
                <TableCell className="pr-3 text-right">
                  <RowMenu resource={resource} row={row} />
                </TableCell>
              )}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  );
}

/** Does what stands in a frame need more room than the frame has? */
function useTooWide(frame: RefObject<HTMLElement | null>) {
  const [tooWide, setTooWide] = useState(false);
  useLayoutEffect(() => {
    const outer = frame.current;
    const inner = outer?.firstElementChild;
    if (!outer || !inner) return;
    const observer = new ResizeObserver(() => setTooWide(outer.scrollWidth > outer.clientWidth));
    observer.observe(outer);
    observer.observe(inner);
    return () => observer.disconnect();
  }, [frame]);
  return tooWide;
}

function SelectAll({ listing, rows }: { listing: Listing; rows: AnyRow[] }) {
  const { t } = useLingui();
  const here = rows.filter((row) => listing.selected.includes(String(row.id))).length;
  const checked = here === rows.length ? true : here > 0 ? 'indeterminate' : false;
  return (
    <TableHeader className="w-12 pl-[18px]">
      <Checkbox
        size="office"
        className={checked ? '' : 'bg-card'}
        aria-label={t`Select all rows of this page`}
        checked={checked}
        onCheckedChange={() =>
          listing.change({ sel: here === rows.length ? undefined : rows.map((row) => row.id).join(',') })
        }
      />
    </TableHeader>
  );
}

function SelectOne({ listing, row, label }: { listing: Listing; row: AnyRow; label: string }) {
  const id = String(row.id);
  const chosen = listing.selected.includes(id);
  return (
    <Checkbox
      size="office"
      className="z-[1]"
      aria-label={label}
      checked={chosen}
      onCheckedChange={() => {
        const next = chosen ? listing.selected.filter((one) => one !== id) : [...listing.selected, id];
        listing.change({ sel: next.join(',') });
      }}
    />
  );
}

function SortableHeader({
  column,
  listing,
  className = '',
}: {
  column: Omit<Column<AnyRow>, 'cell'>;
  listing: Listing;
  className?: string;
}) {
  const { i18n } = useLingui();
  const { sort } = listing.params;
  const title = i18n._(column.title);
  if (!column.sorts) {
    return (
      <TableHeader numeric={Boolean(column.numeric)} className={className}>
        {title}
      </TableHeader>
    );
  }

  const direction = sort === column.name ? 'ascending' : sort === `-${column.name}` ? 'descending' : 'none';
  const Arrow = direction === 'ascending' ? ArrowUp : ArrowDown;
  // Figures are looked at from the largest, words from the first letter.
  const first = column.numeric ? `-${column.name}` : column.name;
  const other = column.numeric ? column.name : `-${column.name}`;
  const next = sort === first ? other : sort === other ? undefined : first;
  return (
    <TableHeader numeric={Boolean(column.numeric)} aria-sort={direction} className={className}>
      <button
        type="button"
        onClick={() => listing.narrow({ sort: next })}
        className={`inline-flex h-9 items-center gap-1 hover:text-foreground ${direction === 'none' ? '' : 'text-foreground'}`}
      >
        {title}
        {direction !== 'none' && <Arrow aria-hidden className="size-3.5" strokeWidth={2} />}
      </button>
    </TableHeader>
  );
}
