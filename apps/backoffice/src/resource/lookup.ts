import { useLingui } from '@lingui/react/macro';
import { useQueries, useQuery } from '@tanstack/react-query';
import { pick } from '@wlv/client/language';
import { listQuery, recordQuery } from './calls.ts';
import type { AnyRow, Table } from './resource.ts';

/** Tables whose rows have one name, not one for each language. */
const named: Partial<Record<Table, string[]>> = {
  staff: ['name'],
  agent: ['name'],
  customer: ['displayName'],
};

/**
 * The active rows of a table as choices of a form, and the rows that are `chosen` already, though they are not active any more. A table
 * that this person may not see offers none.
 */
export function useLookup(table: Table, chosen: readonly string[] = []) {
  const { t, i18n } = useLingui();
  const fields = named[table] ?? ['name_th', 'name_en'];
  const asked = useQuery({
    ...listQuery(table, { select: ['id', ...fields], filter: { status: 5 }, limit: 5000 }),
    staleTime: 60_000,
    retry: false,
  });
  const { data, isPending } = asked;
  const label = (row: AnyRow) => {
    const [first = ''] = fields;
    return fields.length === 1 ? String(row[first] ?? '') : pick(row as never, 'name', i18n.locale);
  };
  const active = (data?.data ?? []).map((row) => ({ value: String(row.id), label: label(row) }));
  const others = useQueries({
    queries: (data ? chosen : [])
      .filter((id) => !active.some(({ value }) => value === id))
      .map((id) => ({ ...recordQuery(table, id), staleTime: 60_000, retry: false })),
  });
  const inactive = others.flatMap(({ data: row }) => {
    const name = row && label(row);
    return name ? [{ value: String(row.id), label: t`${name} (not active)` }] : [];
  });
  const choices = [...active, ...inactive];
  return { choices, isPending, asked, label: (id: string) => choices.find(({ value }) => value === id)?.label };
}
