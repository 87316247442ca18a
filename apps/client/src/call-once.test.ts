import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { callOnce } from './call-once.ts';
import { session } from './session.ts';
import { Refusal, serve } from './test-kit.tsx';

const path = '/api/user/order/confirm';
const body = { lines: [{ package_id: 'p1', quantity: 1 }], hash: 'h1', accepted: ['c1'], lang: 'en' as const };

beforeEach(() => session.save('user', 'us_ann'));

afterEach(() => {
  localStorage.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A server that gives these answers, one after the other. */
function answering(...answers: unknown[]) {
  const server = serve({
    [path]: () => {
      const next = answers.shift();
      if (next instanceof Error) throw next;
      return next;
    },
  });
  return {
    server,
    keys: () => server.calls(path).map(({ headers }) => headers.get('Idempotency-Key')),
  };
}

it.each([
  ['no network', new TypeError('Failed to fetch')],
  ['an unknown outcome', new Refusal(503, 'outcome_unknown')],
  ['an error of the server', new Refusal(500, 'internal')],
  ['a session that has ended', new Refusal(401, 'session.invalid_token')],
  ['a text that waits to be accepted', new Refusal(409, 'consent.missing')],
  ['too many calls', new Refusal(429, 'rate.limited')],
])('repeats the first call, body and key, after %s', async (_, lost) => {
  const { server, keys } = answering(lost, { id: 'o1' });

  await expect(callOnce(path, body, body.lines)).rejects.toThrow();
  session.clear('user');
  session.save('user', 'us_ann');
  await callOnce(path, { ...body, hash: 'h2', accepted: [] }, body.lines);

  expect(keys()[1]).toBe(keys()[0]);
  expect(server.calls(path)[1]?.body).toEqual(body);
});

it.each([
  ['success', { id: 'o1' }],
  ['a refusal', new Refusal(409, 'order.quote_changed')],
])('takes a new key after %s', async (_, known) => {
  const { keys } = answering(new Refusal(500, 'internal'), known, { id: 'o2' });

  await expect(callOnce(path, body)).rejects.toThrow();
  await callOnce(path, body).catch(() => undefined);
  await callOnce(path, body);

  expect(keys()[1]).toBe(keys()[0]);
  expect(keys()[2]).not.toBe(keys()[0]);
});

it('takes another key for another intent, and on another day', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const lost = new Refusal(500, 'internal');
  const { keys } = answering(lost, lost, { id: 'o1' });

  await expect(callOnce(path, body)).rejects.toThrow();
  await expect(callOnce(path, { ...body, hash: 'h2' })).rejects.toThrow();
  vi.setSystemTime(Date.now() + 24 * 60 * 60 * 1000);
  await callOnce(path, body);

  expect(new Set(keys()).size).toBe(3);
});

it('forgets a sent call when the person signs out', async () => {
  answering(new Refusal(500, 'internal'));

  await expect(callOnce(path, body)).rejects.toThrow();
  session.forget('user');

  expect(localStorage.length).toBe(0);
});

it('sends the call where nothing can be stored, and beside an entry that is broken', async () => {
  const { keys } = answering(new Refusal(500, 'internal'), { id: 'o1' }, { id: 'o2' });
  await expect(callOnce(path, body)).rejects.toThrow();
  localStorage.setItem(localStorage.key(localStorage.length - 1) ?? '', '{"key":');
  await callOnce(path, body);
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  const warned = vi.spyOn(console, 'warn').mockReturnValue();

  await callOnce(path, body);

  expect(new Set(keys()).size).toBe(3);
  expect(warned).toHaveBeenCalledOnce();
  full.mockRestore();
  warned.mockRestore();
});
