import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { pick } from '@wlv/client/language';
import type { ChipTone } from '@wlv/ui/chip';
import { keepThaiTogether } from '@wlv/ui/thai';
import { listQuery } from './calls.ts';
import type { AnyResource, AnyRow, NumberedList, Table } from './resource.ts';

/** Reads what a resource calls a row, in the person's language. */
export function useName(resource: AnyResource) {
  const { i18n } = useLingui();
  return (row: AnyRow) => {
    const name = resource.name(row);
    if (typeof name !== 'string' && 'words' in name) return i18n._(name.words);
    return keepThaiTogether(typeof name === 'string' ? name : pick(name, 'name', i18n.locale));
  };
}

const tones: Record<string, ChipTone> = { ok: 'ok', warn: 'warn', bad: 'bad', mute: 'mute', info: 'info' };

/**
 * What the organisation calls a table's status numbers, and in which colour. Who may not read the settings sees our
 * own words.
 */
export function useStatusNames(table: Table) {
  const { t, i18n } = useLingui();
  const { data } = useQuery({
    ...query('/api/owner/get/definestatus', { filter: { table_name: table }, limit: 100 }),
    staleTime: 600_000,
    retry: false,
  });
  const ours: Record<number, { name: string; tone: ChipTone }> = {
    1: { name: t`Draft`, tone: 'mute' },
    2: { name: t`Inactive`, tone: 'mute' },
    3: { name: t`Rejected`, tone: 'bad' },
    4: { name: t`Suspended`, tone: 'warn' },
    5: { name: t`Active`, tone: 'ok' },
  };
  return (status: number) => {
    const own = data?.data.find(({ number }) => number === status);
    if (own) return { name: pick(own, 'name', i18n.locale), tone: tones[own.color ?? ''] ?? 'mute' };
    return ours[status] ?? { name: String(status), tone: 'mute' as const };
  };
}

/**
 * What the organisation calls the numbers of an option list, in its order. Who may not read the settings sees our own
 * words.
 */
export function useOptions(list: NumberedList) {
  const { t, i18n } = useLingui();
  const { data } = useQuery({
    ...listQuery(list, { sort: 'position', limit: 100 }),
    staleTime: 600_000,
    retry: false,
  });
  const ours: Record<NumberedList, Record<number, string>> = {
    salechannel: { 1: t`Counter`, 2: t`Online`, 3: t`Agent`, 4: t`Printed` },
    customertype: { 1: t`Counter`, 2: t`Online` },
  };
  const own = data?.data.filter(({ number }) => typeof number === 'number') ?? [];
  const name = (row: AnyRow) => keepThaiTogether(pick(row as never, 'name', i18n.locale));
  const choices = own.length
    ? own.filter(({ status }) => status === 5).map((row) => ({ value: String(row.number), label: name(row) }))
    : Object.entries(ours[list]).map(([value, label]) => ({ value, label }));
  return {
    choices,
    label(number: unknown) {
      const row = own.find((one) => one.number === number);
      return row ? name(row) : (ours[list][number as number] ?? String(number ?? ''));
    },
  };
}
