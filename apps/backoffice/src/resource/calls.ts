import { queryOptions } from '@tanstack/react-query';
import { call, type Path } from '@wlv/client/call';
import type { FormPath } from '@wlv/client/limits';
import type { AnyRow, EditableTable, Table } from './resource.ts';

// All tables speak one protocol, though their rows differ: here, and only here, a table's name becomes a path.

export interface ListBody {
  filter?: Record<string, unknown>;
  search?: string;
  sort?: string;
  limit?: number;
  after?: string;
  select?: string[];
}

interface Page {
  data: AnyRow[];
  next: string | null;
  total: number;
}

const listPath = (table: Table) => `/api/owner/get/${table}` as const;
export const savePath = (table: EditableTable) => `/api/owner/save/${table}` as Path & FormPath;

export function listQuery(table: Table, body: ListBody) {
  const path = listPath(table);
  return queryOptions({
    queryKey: [path, body] as const,
    queryFn: ({ signal }) => call(path as '/api/owner/get/tags', body, { signal }) as unknown as Promise<Page>,
  });
}

export function recordQuery(table: Table, id: string) {
  const path = `/api/owner/detail/${table}` as const;
  return queryOptions({
    queryKey: [path, { id }] as const,
    queryFn: ({ signal }) => call(path as '/api/owner/detail/tags', { id }, { signal }) as unknown as Promise<AnyRow>,
  });
}

export function saveRecord(table: EditableTable, values: object) {
  return call(savePath(table) as '/api/owner/save/tags', values as never) as unknown as Promise<AnyRow>;
}

export function setStatus(table: Table, ids: string[], status: 2 | 4 | 5 | 9) {
  return call(`/api/owner/status/${table}` as '/api/owner/status/tags', { ids, status });
}

export function exportList(table: Table, body: Pick<ListBody, 'filter' | 'search' | 'sort'>, format: 'csv' | 'xlsx') {
  return call(`/api/owner/export/${table}` as '/api/owner/export/tags', { ...body, format });
}
