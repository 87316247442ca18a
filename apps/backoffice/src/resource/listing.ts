import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { ListBody } from './calls.ts';
import type { AnyResource, AnyRow, Filter } from './resource.ts';

type Params = Record<string, string | undefined>;

/** How far the server counts a list; beyond, its total is an estimate. */
export const countedUpTo = 1000;
/** How many rows a search of a list that grows may find each way (resource.Def, Finds); a longer answer may be a part of them. */
export const foundUpTo = 200;

export const pageSizes = [25, 50, 100, 200];
const defaultSize = 50;

/** What the address says of a list: words, filters, sort, columns, page, selection. Nothing of it is kept elsewhere. */
export function useListing(resource: AnyResource) {
  const params = useSearch({ strict: false }) as Params;
  const navigate = useNavigate();

  const change = useCallback(
    (next: Params, options: { push?: boolean } = {}) =>
      void navigate({
        to: '.',
        search: (now: Params) => clean({ ...now, ...next }),
        replace: !options.push,
        resetScroll: false,
      } as never),
    [navigate],
  );
  /** A list that is narrowed or sorted anew begins at its first page, with nothing selected. */
  const narrow = useCallback(
    (next: Params) => change({ ...next, after: undefined, from: undefined, sel: undefined }),
    [change],
  );

  const hidden = params.hide?.split(',') ?? resource.columns.filter((column) => column.hidden).map(({ name }) => name);
  const size = pageSizes.includes(Number(params.size)) ? Number(params.size) : defaultSize;
  const body = useMemo(() => bodyOf(resource, params, size), [resource, params, size]);
  return {
    params,
    body,
    size,
    from: Number(params.from) || 1,
    hidden,
    selected: params.sel ? params.sel.split(',') : [],
    change,
    narrow,
  };
}

export type Listing = ReturnType<typeof useListing>;

function clean(params: Params) {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined && value !== ''));
}

/** The question for the server. A parameter that names no filter or sort of this list, or is mistyped, is left out. */
export function bodyOf(resource: AnyResource, params: Params, size: number): ListBody {
  const filter: Record<string, unknown> = { ...resource.views?.[Number(params.view)]?.filter };
  for (const one of resource.filters ?? []) {
    const value = filterValue(one, params[one.name]);
    if (value !== undefined) filter[one.name] = value;
  }
  return {
    ...(Object.keys(filter).length ? { filter } : {}),
    ...(params.q?.trim() ? { search: params.q.trim() } : {}),
    ...(params.sort && sorts(resource, params.sort) ? { sort: params.sort } : {}),
    ...(params.after ? { after: params.after } : {}),
    limit: size,
  };
}

/** An old link may sort a list that grows by what it is not sorted by any more: it comes in its own order then. */
function sorts(resource: AnyResource, sort: string) {
  const name = sort.replace(/^-/, '');
  return (
    !resource.grows ||
    name === resource.nameSorts ||
    resource.columns.some((column) => column.name === name && column.sorts)
  );
}

function filterValue(filter: Filter<AnyRow>, text: string | undefined): unknown {
  if (!text) return undefined;
  if (filter.kind === 'yes') return text === 'true';
  if (filter.kind === 'lookup') return text;
  if (filter.kind === 'option') {
    const numbers = text.split(',').filter((value) => /^\d{1,4}$/.test(value));
    return numbers.length ? numbers.map(Number) : undefined;
  }
  if (filter.kind === 'choice') {
    const known = text.split(',').filter((value) => filter.choices.some((choice) => choice.value === value));
    if (!known.length) return undefined;
    return filter.number ? known.map(Number) : known;
  }
  const [from = '', to = ''] = text.split('..');
  const range = { ...end('from', filter.kind, from), ...end('to', filter.kind, to) };
  return Object.keys(range).length ? range : undefined;
}

function end(side: 'from' | 'to', kind: 'money' | 'instant' | 'day', text: string) {
  if (kind === 'money') return /^\d+$/.test(text) ? { [side]: Number(text) } : {};
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return {};
  if (kind === 'day') return { [side]: text };
  // A day of Bangkok, from its first instant to its last.
  return { [side]: side === 'from' ? `${text}T00:00:00+07:00` : `${text}T23:59:59.999999+07:00` };
}
