import { useQuery } from '@tanstack/react-query';
import { type Body, type Detail, query } from '@wlv/client/call';
import { session } from '@wlv/client/session';
import { useEffect, useState } from 'react';

/** What is kept on the phone of the one who is signed in, so that a voucher can be found without a connection. */
type Path = '/api/user/voucher/list' | '/api/user/voucher/detail';

interface Kept {
  path: Path;
  body: string;
  detail: unknown;
  /** When it was true, in milliseconds. */
  at: number;
}

const key = 'vouchers';
const mostKept = 12;

/** Names the session without being it; what another session kept is not shown. */
const owner = () => session.token('user')?.slice(-8);

function readAll(): Kept[] {
  const stored = JSON.parse(localStorage.getItem(key) ?? 'null') as { owner: string; kept: Kept[] } | null;
  return stored && stored.owner === owner() ? stored.kept : [];
}

function keep(next: Kept) {
  const others = readAll().filter(({ path, body }) => path !== next.path || body !== next.body);
  try {
    localStorage.setItem(key, JSON.stringify({ owner: owner(), kept: [next, ...others].slice(0, mostKept) }));
  } catch {
    localStorage.removeItem(key); // the phone's room is used up: without a connection there is nothing then
  }
}

/** Reads as useQuery does, and begins with what this phone has kept: the ready vouchers and the last ones that were opened. */
export function useVouchers<P extends Path>(path: P, body: Body<P>) {
  const name = JSON.stringify(body);
  const [kept] = useState(() => readAll().find((one) => one.path === path && one.body === name));
  const result = useQuery({
    ...query(path, body),
    // However new: what was used meanwhile was used on another page.
    ...(kept
      ? { initialData: kept.detail as Detail<P>, initialDataUpdatedAt: kept.at, refetchOnMount: 'always' as const }
      : {}),
  });
  const { data, dataUpdatedAt } = result;
  useEffect(() => {
    if (data && session.token('user')) keep({ path, body: name, detail: data, at: dataUpdatedAt });
  }, [path, name, data, dataUpdatedAt]);
  return result;
}
