import { type Query, type QueryClient, queryOptions, skipToken } from '@tanstack/react-query';
import type { Socket } from 'socket.io-client';
import type { Path } from './call.ts';
import { type Audience, session } from './session.ts';

type Topic = 'wallet' | 'topup' | 'order' | 'use' | 'gift' | 'offer' | 'message' | 'member' | 'job';

/** What each event makes stale; the screens then read it anew. A purchase from the wallet is a `wallet`, and brings vouchers. */
const stale: Record<Topic, Path[]> = {
  wallet: [
    '/api/user/getwallet',
    '/api/user/wallet/movements',
    '/api/user/wallet/statement',
    '/api/user/cashout/options',
    '/api/user/voucher/list',
  ],
  topup: [
    '/api/user/wallet/topup/get',
    '/api/user/getwallet',
    '/api/user/wallet/movements',
    '/api/user/wallet/statement',
  ],
  order: [
    '/api/user/order/detail',
    '/api/user/order/awaiting',
    '/api/user/order/list',
    '/api/user/history/list',
    '/api/user/voucher/list',
  ],
  // Each use that was confirmed is a message, too.
  use: [
    '/api/user/voucher/use/get',
    '/api/user/voucher/list',
    '/api/user/voucher/detail',
    '/api/user/history/list',
    '/api/user/message/list',
    '/api/user/message/unread',
  ],
  gift: [
    '/api/user/transfer/list',
    '/api/user/transfer/detail',
    '/api/user/history/list',
    '/api/user/voucher/list',
    '/api/user/voucher/detail',
  ],
  offer: [
    '/api/user/history/list',
    '/api/user/trade/list',
    '/api/user/trade/detail',
    '/api/user/trade/own',
    '/api/user/trade/payment',
    '/api/user/voucher/list',
    '/api/user/voucher/detail',
  ],
  // It may say how the shop decided about a use, which may have come back as a voucher, or that a voucher is on hold.
  message: [
    '/api/user/message/list',
    '/api/user/message/unread',
    '/api/user/objection/use',
    '/api/user/voucher/list',
    '/api/user/voucher/detail',
    '/api/user/history/list',
  ],
  // Nothing is bought, given or offered by who is no member where the shop asks for that.
  member: ['/api/user/member/get', '/api/user/member/points', '/api/authen/rechecktoken'],
  job: ['/api/owner/report/job/list'],
};

/** What the server answers to an event that it acknowledges. */
interface Answer {
  result: boolean;
  code?: number;
  message: string;
}

let socket: Socket | undefined;

/** Says `connect` and `disconnected`; socket.io itself calls the second `disconnect`. `print` says what else was pushed. */
export const realtime = new EventTarget();

/** What the server pushes to one person. */
export interface Print {
  topic: Topic;
  id?: string;
  state?: string;
  /** Why staff cannot honour what the person shows them. */
  fault?: string;
}

/** Sends an event and waits for the server's answer; nothing is sent without a connection. */
export async function emitWithAck(event: string, ...args: unknown[]): Promise<Answer> {
  const unheard = { result: false, message: 'Socket not connected' };
  if (!socket?.connected) return unheard;
  return socket
    .timeout(ackTimeout)
    .emitWithAck(event, ...args)
    .catch(() => unheard);
}

const ackTimeout = 5_000;

/** An id/name record of an option list. */
interface Option {
  _id: string;
  name_th?: string;
  name_en?: string;
}

/** Many phones receive a change at once: each shows the new names, and reads the rest at some moment of this time. */
const spread = 4_000;

/** The overview counts everything, and a record has what happened anywhere; much may happen at once: both are read again at most so often. */
const officeRest = 1_500;
const ofOffice = /^\/api\/owner\/(dashboard|story)/;

/** What else of the office a change of a table makes stale: a run of payouts has a list of its own of whom it pays. */
const withTable: Record<string, Path[]> = {
  payoutrun: ['/api/owner/get/payout', '/api/owner/payoutrun/next', '/api/owner/payoutsetting/get'],
  taxcertificate: ['/api/owner/taxreturn/next'],
  taxreturn: ['/api/owner/taxreturn/next', '/api/owner/get/taxcertificate'],
};

/** Is the socket connected at this moment? */
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

  const shopper = audience === 'user' || audience === 'agent';
  const connect = async () => {
    const token = session.token(audience);
    if (!token) return;
    const { io } = await import('socket.io-client');
    if (stopped) return;

    socket = io({ transports: ['websocket'], query: { token }, reconnectionDelay: 10_000 });
    socket.on('command_print', (print: Print) => {
      for (const path of stale[print.topic] ?? []) client.invalidateQueries({ queryKey: [path] });
      realtime.dispatchEvent(new CustomEvent('print', { detail: print }));
    });
    client.setQueryDefaults(liveQuery.queryKey, { gcTime: Number.POSITIVE_INFINITY });
    let before = false;
    socket.on('connect', () => {
      client.setQueryData(liveQuery.queryKey, true);
      realtime.dispatchEvent(new Event('connect'));
      // What was pushed meanwhile is lost.
      if (before) for (const path of Object.values(stale).flat()) client.invalidateQueries({ queryKey: [path] });
      before = true;
    });
    socket.on('disconnect', () => realtime.dispatchEvent(new Event('disconnected')));
    const lost = () => client.setQueryData(liveQuery.queryKey, false);
    realtime.addEventListener('disconnected', lost);
    const awake = () => void (document.visibilityState === 'visible' && askIfHeard(audience));
    document.addEventListener('visibilitychange', awake);
    let soon = false;
    const readOffice = () => {
      if (soon) return;
      soon = true;
      setTimeout(() => {
        soon = false;
        client.invalidateQueries({ predicate: ({ queryKey }) => ofOffice.test(String(queryKey[0])) });
      }, officeRest);
    };
    socket.on('optionupdate', ({ table, data }: { table: string; data?: Option[] }) => {
      if (!shopper) readOffice();
      if (table === 'dashboard') return;
      const others: string[] = withTable[table] ?? [];
      const changed = ({ queryKey: [path] }: Query) =>
        String(path).endsWith(`/get/${table}`) || others.includes(String(path));
      if (!shopper) return void client.invalidateQueries({ predicate: changed });
      if (data) client.setQueriesData({ predicate: changed }, (known: unknown) => renamed(known, data));
      setTimeout(() => client.invalidateQueries({ predicate: changed }), Math.random() * spread);
    });
    close = () => {
      document.removeEventListener('visibilitychange', awake);
      realtime.removeEventListener('disconnected', lost);
      socket?.close();
      socket = undefined;
    };
  };

  void connect();
  return () => close();
}

/**
 * A phone that was asleep may have lost its connection without noticing, or its session meanwhile: the server is asked,
 * and where it does not answer the connection is made anew at once.
 */
async function askIfHeard(audience: Audience) {
  const { result, code } = await emitWithAck('recheck');
  if (code === 401 || code === 402) session.expire(audience);
  else if (!result) socket?.disconnect().connect();
}

/** What was read before, with the names of the pushed list and without what is no longer on it. */
function renamed(known: unknown, options: Option[]) {
  if (!isList(known)) return known;
  const by = new Map(options.map((option) => [option._id, option]));
  return {
    ...known,
    data: known.data.flatMap((row) => {
      const option = by.get(row.id);
      return option ? [{ ...row, name_th: option.name_th, name_en: option.name_en }] : [];
    }),
  };
}

function isList(known: unknown): known is { data: { id: string }[] } {
  return typeof known === 'object' && known !== null && 'data' in known && Array.isArray(known.data);
}
