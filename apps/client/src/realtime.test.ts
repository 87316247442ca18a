import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { emitWithAck, listen, liveQuery, realtime } from './realtime.ts';
import { session } from './session.ts';

type Listener = (...args: never[]) => unknown;

/** A socket.io socket that the test speaks for: what the app listens to, and what the server acknowledges. */
const socket = {
  connected: false,
  listeners: new Map<string, Listener>(),
  asked: [] as string[],
  answer: async (): Promise<unknown> => ({ result: true, code: 200, message: 'success' }),
  reconnected: 0,
  on(event: string, listener: Listener) {
    this.listeners.set(event, listener);
  },
  timeout() {
    return this;
  },
  emitWithAck(event: string) {
    this.asked.push(event);
    return this.answer();
  },
  disconnect() {
    return this;
  },
  connect() {
    this.reconnected++;
    return this;
  },
  close() {},
  receive(event: string, payload?: unknown) {
    this.connected = event !== 'disconnect';
    this.listeners.get(event)?.(payload as never);
  },
};

vi.mock('socket.io-client', () => ({ io: () => socket }));

const connected = { result: true, code: 200, message: 'success' };
let client: QueryClient;
let close: () => void;

async function open(audience: 'user' | 'owner') {
  session.save(audience, 'a token');
  close = listen(client, audience);
  await vi.waitFor(() => expect(socket.listeners.has('optionupdate')).toBe(true));
  socket.receive('connect');
}

const wake = () => document.dispatchEvent(new Event('visibilitychange'));

beforeEach(() => {
  client = new QueryClient();
  Object.assign(socket, {
    connected: false,
    listeners: new Map(),
    asked: [],
    answer: async () => connected,
    reconnected: 0,
  });
});

afterEach(() => {
  close();
  localStorage.clear();
  client.clear();
});

it('reports disconnected beside socket.io’s own event', async () => {
  await open('owner');
  const reported = vi.fn();
  realtime.addEventListener('disconnected', reported);
  expect(client.getQueryData(liveQuery.queryKey)).toBe(true);
  socket.receive('disconnect');
  expect(reported).toHaveBeenCalledOnce();
  expect(client.getQueryData(liveQuery.queryKey)).toBe(false);
  realtime.removeEventListener('disconnected', reported);
});

it('reads balance and vouchers anew when another phone has bought from the wallet', async () => {
  await open('user');
  const keys = [
    '/api/user/getwallet',
    '/api/user/wallet/movements',
    '/api/user/wallet/statement',
    '/api/user/cashout/options',
    '/api/user/voucher/list',
  ].map((path) => [path, {}]);
  for (const key of keys) client.setQueryData(key, {});
  socket.receive('command_print', { topic: 'wallet' });
  for (const key of keys) expect(client.getQueryState(key)?.isInvalidated, key[0] as string).toBe(true);
});

it('shows pushed names at once, and drops rows that are gone', async () => {
  await open('user');
  const tags = ['/api/user/get/tags', {}];
  client.setQueryData(tags, {
    data: [
      { id: 't1', name_th: 'เก่า', name_en: 'Old', icon: 'leaf' },
      { id: 't2', name_th: 'ไป', name_en: 'Gone' },
    ],
  });
  socket.receive('optionupdate', { table: 'tags', data: [{ _id: 't1', name_th: 'ใหม่', name_en: 'New' }] });
  expect(client.getQueryData(tags)).toEqual({ data: [{ id: 't1', name_th: 'ใหม่', name_en: 'New', icon: 'leaf' }] });
});

it('reads the overview and an open record anew when something happened, once for all that did', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    await open('owner');
    const keys = ['/api/owner/dashboard', '/api/owner/story/voucher'].map((path) => [path, {}]);
    for (const key of keys) client.setQueryData(key, {});
    const read = vi.spyOn(client, 'invalidateQueries');
    for (const table of ['dashboard', 'voucher', 'dashboard']) socket.receive('optionupdate', { table });
    await vi.advanceTimersByTimeAsync(1_500);
    for (const key of keys) expect(client.getQueryState(key)?.isInvalidated, key[0] as string).toBe(true);
    expect(read).toHaveBeenCalledTimes(2); // and the list of the table
  } finally {
    vi.useRealTimers();
  }
});

it('reads with a run of payouts whom it pays, and what the next one could pay', async () => {
  await open('owner');
  const keys = [
    '/api/owner/get/payoutrun',
    '/api/owner/get/payout',
    '/api/owner/payoutrun/next',
    '/api/owner/get/orders',
  ];
  for (const path of keys) client.setQueryData([path, {}], {});
  socket.receive('optionupdate', { table: 'payoutrun' });
  const stale = keys.filter((path) => client.getQueryState([path, {}])?.isInvalidated);
  expect(stale).toEqual(keys.slice(0, 3));
});

it('rechecks on waking, and connects anew when no answer comes', async () => {
  await open('user');
  wake();
  expect(socket.asked).toEqual(['recheck']);
  expect(socket.reconnected).toBe(0);

  socket.answer = () => Promise.reject(new Error('operation has timed out'));
  wake();
  await vi.waitFor(() => expect(socket.reconnected).toBe(1));
  expect(session.token('user')).toBe('a token');
});

it('ends a session that the server says is over', async () => {
  await open('user');
  socket.answer = async () => ({ result: false, code: 401, message: 'Invalid Token' });
  wake();
  await vi.waitFor(() => expect(session.token('user')).toBeNull());
});

it('sends nothing without a connection', async () => {
  await open('user');
  socket.receive('disconnect');
  expect(await emitWithAck('recheck')).toEqual({ result: false, message: 'Socket not connected' });
  expect(socket.asked).toEqual([]);
});
