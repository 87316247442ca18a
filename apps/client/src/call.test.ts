import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { call } from './call.ts';
import { session } from './session.ts';

const answer = (envelope: object, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(envelope), { headers: { 'Content-Type': 'application/json', ...headers } });
const ok = (detail: unknown) => answer({ result: true, code: 200, message: '', detail });

const fetched = vi.fn<typeof fetch>();
const sent = (nth: number) => new Headers(fetched.mock.calls[nth]?.[1]?.headers);

beforeEach(() => vi.stubGlobal('fetch', fetched));

afterEach(() => {
  fetched.mockReset();
  session.enableVisitors(async () => 'wc_fresh');
  localStorage.clear();
});

it('answers the detail, with the audience’s own token and the key of a money-moving call', async () => {
  session.save('user', 'us_ann');
  fetched.mockResolvedValue(ok({ balance_satang: 1 }));

  const wallet = await call('/api/user/getwallet', {}, { idempotencyKey: 'k' });

  expect(wallet).toEqual({ balance_satang: 1 });
  expect(sent(0).get('Authorization')).toBe('Bearer us_ann');
  expect(sent(0).get('Idempotency-Key')).toBe('k');
});

it('refuses a call without a token, and never sends another audience’s', async () => {
  const over = vi.fn();
  const stop = session.onExpired(over);
  session.save('user', 'us_ann');

  const error = await call('/api/staff/get/service_point', {}).catch((e: unknown) => e);

  expect(error).toMatchObject({ message: 'No token , please login first', code: 401, fault: 'client.no_token' });
  expect(fetched).not.toHaveBeenCalled();
  expect(over).toHaveBeenCalledWith('staff', true);
  expect(session.token('user')).toBe('us_ann');
  stop();
});

it.each([
  { result: true, code: 401, message: '', detail: {} },
  { result: true, code: 402, message: '', detail: null },
  { result: true, code: 200, message: '', detail: { code: 401 } },
  { result: true, code: 200, message: '', detail: { code: 402, data: [] } },
])('signs out silently when a successful answer has a code for it: %j', async (envelope) => {
  const over = vi.fn();
  const stop = session.onExpired(over);
  session.save('user', 'us_ann');
  fetched.mockResolvedValue(answer(envelope));

  const error = await call('/api/user/getwallet', {}).catch((e: unknown) => e);

  expect(error).toMatchObject({ message: 'Invalid Token', sessionExpired: true });
  expect(over).toHaveBeenCalledExactlyOnceWith('user', true);
  expect(session.token('user')).toBeNull();
  stop();
});

it('keeps a session that began while the call was running', async () => {
  session.save('user', 'us_old');
  fetched.mockImplementation(async () => {
    session.save('user', 'us_new');
    return answer({ result: true, code: 401, message: '', detail: {} });
  });
  await call('/api/user/getwallet', {}).catch(() => undefined);
  expect(session.token('user')).toBe('us_new');
});

it('takes a code that is no number for a part of the answer', async () => {
  session.save('user', 'us_ann');
  fetched.mockResolvedValue(ok({ code: '401' }));
  expect(await call('/api/user/getwallet', {})).toEqual({ code: '401' });
});

it('throws what the envelope says, whatever the HTTP status', async () => {
  session.save('user', 'us_ann');
  const refused = { result: false, code: 409, message: 'sold out', fault: 'catalog.sold_out', detail: null };
  fetched.mockResolvedValue(answer(refused, { 'X-Request-Id': '7f3ac21e-0000' }));

  const error = await call('/api/user/getwallet', {}).catch((e: unknown) => e);

  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ code: 409, fault: 'catalog.sold_out', reference: '7F3AC21E', sessionExpired: false });
});

it('distinguishes a lost connection from an unreadable answer', async () => {
  session.save('user', 'us_ann');
  fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  await expect(call('/api/user/getwallet', {})).rejects.toMatchObject({ code: 0, fault: 'client.offline' });

  fetched.mockResolvedValueOnce(new Response('<html>', { status: 502 }));
  await expect(call('/api/user/getwallet', {})).rejects.toMatchObject({ code: 502, fault: 'client.unreadable' });
});

it('asks once for a visitor’s token, and again when it is refused', async () => {
  const ask = vi.fn(async () => `wc_${ask.mock.calls.length}`);
  session.enableVisitors(ask);
  fetched.mockImplementation(async () => ok({ data: [] }));

  await Promise.all([call('/api/user/get/tags', {}), call('/api/user/get/service_point', {})]);
  expect(ask).toHaveBeenCalledTimes(1);

  fetched.mockResolvedValueOnce(answer({ result: false, code: 401, message: 'Invalid Token' }));
  await call('/api/user/get/tags', {});
  expect(ask).toHaveBeenCalledTimes(2);
  expect(sent(3).get('Authorization')).toBe('Bearer wc_2');
});
