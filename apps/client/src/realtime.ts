import { type QueryClient, queryOptions, skipToken } from '@tanstack/react-query';
import type { Path } from './call.ts';
import { type Audience, session } from './session.ts';

type Topic = 'wallet' | 'topup' | 'order' | 'use' | 'job';

/** What each event makes stale; the screens then read it anew. */
const stale: Record<Topic, Path[]> = {
  wallet: ['/api/user/getwallet', '/api/user/wallet/movements'],
  topup: ['/api/user/wallet/topup/get', '/api/user/getwallet', '/api/user/wallet/movements'],
  order: ['/api/user/order/detail', '/api/user/order/awaiting', '/api/user/voucher/list'],
  use: ['/api/user/voucher/use/get', '/api/user/voucher/list', '/api/user/voucher/detail', '/api/user/voucher/history'],
  job: ['/api/owner/report/job/list'],
};

/** The overview counts everything, and much may happen at once: it is read again at most so often. */
const overviewRest = 1_500;

/** Is the server heard at this moment? */
export const liveQuery = queryOptions({
  queryKey: ['live'],
  queryFn: skipToken,
  initialData: false,
  staleTime: Number.POSITIVE_INFINITY,
});

/** Listens for what the server pushes; returns how to stop. The library is loaded after the first screen stands. */
export function listen(client: QueryClient, audience: Audience) {
  let stopped = false;
  let close = () => {
    stopped = true;
  };

  const connect = async () => {
    const token = session.token(audience);
    if (!token) return;
    const { io } = await import('socket.io-client');
    if (stopped) return;

    const socket = io({ transports: ['websocket'], query: { token }, reconnectionDelay: 10_000 });
    socket.on('command_print', ({ topic }: { topic: Topic }) => {
      for (const path of stale[topic] ?? []) client.invalidateQueries({ queryKey: [path] });
    });
    client.setQueryDefaults(liveQuery.queryKey, { gcTime: Number.POSITIVE_INFINITY });
    socket.on('connect', () => client.setQueryData(liveQuery.queryKey, true));
    socket.on('disconnect', () => client.setQueryData(liveQuery.queryKey, false));
    let soon = false;
    socket.on('optionupdate', ({ table }: { table: string }) => {
      if (table === 'dashboard') {
        if (soon) return;
        soon = true;
        setTimeout(() => {
          soon = false;
          client.invalidateQueries({
            predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/api/owner/dashboard'),
          });
        }, overviewRest);
        return;
      }
      client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).endsWith(`/get/${table}`) });
    });
    close = () => socket.close();
  };

  void connect();
  return () => close();
}
