import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { session } from '@wlv/client/session';
import { Refusal } from '@wlv/client/test-kit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderPage } from '../test/render-page.ts';
import { plannedPurchase, planPurchase } from './planned-purchase.ts';

const body = { lines: [{ package_id: 'p1', quantity: 1 }], hash: 'h329000', accepted: ['c1'], lang: 'en' as const };

const topup = (rest: object = {}) => ({
  id: 'tp1',
  amount_satang: 3_290_00,
  authorize_url: '',
  captured_at: '2026-11-21T03:00:00Z',
  captured_satang: 3_290_00,
  created_at: '',
  expires_at: '2026-11-21T03:09:00Z',
  failure: '',
  late: false,
  method: 'promptpay',
  qr_image_url: '/qr.svg',
  reference: 'TP-112194',
  server_time: '2026-11-21T03:00:05Z',
  state: 'captured',
  ...rest,
});

const made = {
  id: 'o1',
  number: 'RL-42',
  state: 'paid',
  total_satang: 3_290_00,
  paid_at: '2026-11-21T03:00:06Z',
  lines: [],
  discounts: [],
  vouchers: [],
};

/** A top-up's page after its money came in, and a server that makes an order. */
const open = (key: string, answers: object = {}, id = 'tp1') =>
  renderPage(`/user/wallet/topup/${id}?order=${key}&return=%2Fuser%2Fcart`, {
    '/api/user/wallet/topup/get': () => topup({ id }),
    '/api/user/order/confirm': () => made,
    '/api/user/order/detail': () => made,
    ...answers,
  });
const confirms = (page: Awaited<ReturnType<typeof open>>) => page.calls('/api/user/order/confirm');

/** A cart's price of one piece, with enough in the wallet. */
const quote = (package_id: string) => ({
  hash: body.hash,
  lines: [
    {
      package_id,
      name_th: '',
      name_en: 'Spa',
      picture: null,
      quantity: 1,
      unit_satang: 1,
      amount_satang: 1,
      discount_satang: 0,
      last_days: [],
      expiry_rules: [],
      refund_rule: 'self',
      refund_days: 7,
      refund_fee_basis_points: 0,
      refund_until: '2027-01-10',
      transfer_rules: [{ rule: 'unlimited', times: 0, together: false }],
    },
  ],
  discounts: [],
  lost_discounts: [],
  total_satang: 3_290_00,
  balance_satang: 3_290_00,
  missing_satang: 0,
  topup_satang: 0,
  topup_is_minimum: false,
  consents: [{ _id: 'c1', kind: 'terms', name_en: 'Terms', name_th: '', body_en: '', body_th: '' }],
});

let key: string;
beforeEach(() => {
  localStorage.setItem('cart', '[{"package_id":"p1","total":1},{"package_id":"p2","total":1}]');
  key = planPurchase(body, true, '/user/cart');
});

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it('buys what was agreed to before the top-up, and takes it out of the cart', async () => {
  const page = await open(key);
  await waitFor(() => expect(location.pathname).toBe('/user/order/o1'));
  const [confirm] = confirms(page);
  expect(confirm?.body).toEqual(body);
  expect(confirm?.headers.get('Idempotency-Key')).toBe(key);
  expect(localStorage.getItem('cart')).toBe('[{"package_id":"p2","total":1}]');
});

it('leads to the same order after a reload, on a second page and after a second top-up of it, and buys nothing more', async () => {
  expect(planPurchase(body, true, '/user/cart')).toBe(key);
  await open(key);
  await waitFor(() => expect(location.pathname).toBe('/user/order/o1'));
  for (const id of ['tp1', 'tp2']) {
    cleanup();
    const page = await open(key, {}, id);
    await waitFor(() => expect(location.pathname).toBe('/user/order/o1'));
    expect(confirms(page)).toHaveLength(0);
  }
});

it('asks again under the same key when the answer was lost, and says that the order is not known yet', async () => {
  const user = userEvent.setup();
  let answers = 0;
  const page = await open(key, {
    '/api/user/order/confirm': () => (answers++ ? made : Promise.reject(new TypeError('Failed to fetch'))),
  });
  await screen.findByText('The money is in, the order is not known yet');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(location.pathname).toBe('/user/order/o1'));
  expect(confirms(page).map((c) => c.headers.get('Idempotency-Key'))).toEqual([key, key]);
});

it('asks again under the same key on a page that was loaded anew before the answer came', async () => {
  await open(key, { '/api/user/order/confirm': () => new Promise(() => undefined) });
  await screen.findByText('The money is in. Issuing your vouchers…');
  cleanup();
  const page = await open(key);
  await waitFor(() => expect(location.pathname).toBe('/user/order/o1'));
  expect(confirms(page)[0]?.headers.get('Idempotency-Key')).toBe(key);
});

it.each([
  ['order.quote_changed', 'The price has changed meanwhile.'],
  ['catalog.sold_out', 'Sold out just now'],
])(
  'buys nothing after %s, says that the money is in the wallet, and does not try by itself again',
  async (fault, why) => {
    const refusal = { '/api/user/order/confirm': () => new Refusal(409, fault) };
    await open(key, refusal);
    await screen.findByText('฿3,290.00 is in your Wallet');
    expect(screen.getByText(/The order was not made/).textContent).toContain(why);
    expect(localStorage.getItem('cart')).toContain('p1');

    cleanup();
    const again = await open(key);
    await screen.findByText('฿3,290.00 is in your Wallet');
    expect(confirms(again)).toHaveLength(0);
  },
);

it.each([
  ['came back later', { server_time: '2026-11-21T03:10:00Z' }],
  ['paid after the QR had run out', { late: true }],
])('buys nothing by itself for somebody who %s', async (_, rest) => {
  const page = await open(key, { '/api/user/wallet/topup/get': () => topup(rest) });
  await screen.findByText('฿3,290.00 is in your Wallet');
  screen.getByRole('button', { name: 'Carry on with the order' });
  expect(confirms(page)).toHaveLength(0);
});

it('buys nothing by itself for a key that nobody planned under, nor for a top-up that is for no order', async () => {
  const page = await open('00000000-0000-4000-8000-000000000000');
  await screen.findByText('฿3,290.00 is in your Wallet');
  expect(confirms(page)).toHaveLength(0);

  cleanup();
  const plain = await renderPage('/user/wallet/topup/tp1', { '/api/user/wallet/topup/get': () => topup() });
  await screen.findByText('฿3,290.00 is in your Wallet');
  expect(plain.calls('/api/user/order/confirm')).toHaveLength(0);
});

it('makes one order when another page pays for the same lines from the wallet meanwhile', async () => {
  const user = userEvent.setup();
  const cart = await renderPage('/user/cart', {
    '/api/user/order/awaiting': () => ({ data: [] }),
    '/api/user/wallet/payment-options': () => ({ data: [] }),
    '/api/user/order/quote': () => quote('p1'),
    '/api/user/order/confirm': () => made,
    '/api/user/order/detail': () => made,
  });
  await screen.findByRole('checkbox');
  expect(screen.getByRole('checkbox').getAttribute('data-state')).toBe('checked');
  await user.click(screen.getByRole('button', { name: 'Pay from Wallet ฿3,290.00' }));
  await screen.findByText('Successfully purchased the voucher');
  expect(confirms(cart)[0]?.headers.get('Idempotency-Key')).toBe(key);

  cleanup();
  const page = await open(key);
  await waitFor(() => expect(location.pathname).toBe('/user/order/o1'));
  expect(confirms(page)).toHaveLength(0);
});

it('ticks nothing for another cart than the one that was agreed to', async () => {
  await renderPage('/user/cart?only=p2', {
    '/api/user/order/awaiting': () => ({ data: [] }),
    '/api/user/wallet/payment-options': () => ({ data: [] }),
    '/api/user/order/quote': () => quote('p2'),
  });
  expect((await screen.findByRole('checkbox')).getAttribute('data-state')).toBe('unchecked');
});

it("forgets what was planned at the end of the session: the phone may be somebody else's next", () => {
  session.clear('user');
  expect(plannedPurchase(key)).toBeUndefined();
});

it('forgets what was planned when its buyer agrees to something else', async () => {
  const other = planPurchase({ ...body, lines: [{ package_id: 'p2', quantity: 1 }] }, true, '/user/cart');
  expect(other).not.toBe(key);
  expect(plannedPurchase(key)).toBeUndefined();
});

it('leads who left the page of his top-up back to what he was buying, until he does not want it', async () => {
  const user = userEvent.setup();
  planPurchase(body, false, '/user/cart?only=p1&n=1');
  await renderPage('/user/activevoucher', {
    '/api/user/voucher/list': () => ({ data: [] }),
    '/api/user/order/awaiting': () => ({ data: [] }),
  });
  await screen.findByRole('button', { name: 'Go on buying' });
  await user.click(screen.getByRole('button', { name: 'Not any more' }));
  expect(screen.queryByRole('button', { name: 'Go on buying' })).toBeNull();
  expect(plannedPurchase()).toBeUndefined();
});
