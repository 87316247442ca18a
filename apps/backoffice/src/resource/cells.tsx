import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import { pick } from '@wlv/client/language';
import { Chip, type ChipTone } from '@wlv/ui/chip';
import { amount, count, date, dateTime, lastDay } from '@wlv/ui/format';
import { phone } from '@wlv/ui/phone';
import { keepThaiTogether } from '@wlv/ui/thai';
import type { ComponentType } from 'react';
import { useOptions } from './names.ts';
import type { Column, NumberedList } from './resource.ts';

type Field<R> = keyof R & string;

/** A column as most of them are: a field, its title, and how its value is written. */
function column<R>(
  name: Field<R>,
  title: MessageDescriptor,
  cell: ComponentType<{ row: R }>,
  options: Partial<Column<R>> = {},
): Column<R> {
  return { name, title, cell, sorts: true, ...options };
}

type Options<R> = Partial<Pick<Column<R>, 'sorts' | 'hidden' | 'wide' | 'whenUsed' | 'card'>>;

export function money<R>(name: Field<R>, title: MessageDescriptor, options?: Options<R>) {
  const Cell = ({ row }: { row: R }) => {
    const satang = row[name];
    if (typeof satang !== 'number') return '';
    return options?.whenUsed && satang === 0 ? '–' : amount(satang);
  };
  return column<R>(name, title, Cell, { numeric: true, card: 'amount', ...options });
}

export function number<R>(name: Field<R>, title: MessageDescriptor, options?: Options<R>) {
  const Cell = ({ row }: { row: R }) => (typeof row[name] === 'number' ? count(row[name]) : '');
  return column<R>(name, title, Cell, { numeric: true, ...options });
}

export function day<R>(name: Field<R>, title: MessageDescriptor, options?: Options<R>) {
  const Cell = ({ row }: { row: R }) =>
    row[name] ? <span className="whitespace-nowrap">{date(row[name] as string)}</span> : '';
  return column<R>(name, title, Cell, options);
}

export function instant<R>(name: Field<R>, title: MessageDescriptor, options?: Options<R>) {
  const Cell = ({ row }: { row: R }) =>
    row[name] ? <span className="whitespace-nowrap">{dateTime(row[name] as string)}</span> : '';
  return column<R>(name, title, Cell, { card: 'instant', ...options });
}

/** The last day of what ends with a day. */
export function until<R>(name: Field<R>, title: MessageDescriptor, options?: Options<R>) {
  const Cell = ({ row }: { row: R }) =>
    row[name] ? <span className="whitespace-nowrap">{lastDay(row[name] as string)}</span> : '';
  return column<R>(name, title, Cell, options);
}

export function text<R>(name: Field<R>, title: MessageDescriptor, options?: Options<R>) {
  const Cell = ({ row }: { row: R }) => (
    <span className="max-w-[32ch] sm:line-clamp-2">{keepThaiTogether(String(row[name] ?? ''))}</span>
  );
  return column<R>(name, title, Cell, { card: 'what', ...options });
}

export function phoneNumber<R>(name: Field<R>, title: MessageDescriptor, options?: Options<R>) {
  return column<R>(name, title, ({ row }: { row: R }) => phone(String(row[name] ?? '')), options);
}

/** A text kept in both languages: `address_th`, `address_en`. */
export function bilingual<R>(key: string, title: MessageDescriptor, options?: Options<R>) {
  const Cell = ({ row }: { row: R }) => {
    const { i18n } = useLingui();
    return (
      <span className="max-w-[36ch] sm:line-clamp-2">{keepThaiTogether(pick(row as never, key, i18n.locale))}</span>
    );
  };
  return column<R>(`${key}_th` as Field<R>, title, Cell, { sorts: false, card: 'what', ...options });
}

interface Word {
  title: MessageDescriptor;
  tone?: ChipTone;
}

/** What a field holds, as a key. */
type Value<V> = `${Extract<V, string | boolean>}`;

/** One of a few values, each with its word; a chip where it has a colour. */
export function word<R, Name extends Field<R> = Field<R>>(
  name: Name,
  title: MessageDescriptor,
  words: Record<Value<R[Name]>, Word>,
  options?: Options<R>,
) {
  const Cell = ({ row }: { row: R }) => {
    const { i18n } = useLingui();
    const known = (words as Record<string, Word>)[String(row[name])];
    if (!known) return String(row[name] ?? '');
    const said = i18n._(known.title);
    return known.tone ? <Chip tone={known.tone}>{said}</Chip> : <span className="whitespace-nowrap">{said}</span>;
  };
  return column<R>(name, title, Cell, { card: 'what', ...options });
}

/** A number of an option list, in the organisation's own words. */
export function option<R>(name: Field<R>, title: MessageDescriptor, list: NumberedList, options?: Options<R>) {
  const Cell = ({ row }: { row: R }) => (
    <span className="max-w-[32ch] sm:line-clamp-2">{keepThaiTogether(useOptions(list).label(row[name]))}</span>
  );
  return column<R>(name, title, Cell, { sorts: false, card: 'what', ...options });
}
