import { cleanup, screen, within } from '@testing-library/react';
import { Refusal } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const consents = { '/api/user/consent/open': () => ({ data: [] }) };

const listed = (rest: object) => ({
  id: 'o1',
  number: 'ABCDE12345',
  state: 'paid',
  total_satang: 99_000,
  created_at: '2026-11-21T07:05:00Z',
  paid_at: '2026-11-21T07:05:00Z',
  name_th: 'นวด',
  name_en: 'Massage',
  picture: null,
  packages: 1,
  vouchers: 3,
  ...rest,
});

const voucher = (rest: object) => ({
  id: 'v1',
  code: 'QQQQ',
  kind: 'item',
  name_th: 'นวด',
  name_en: 'Massage',
  picture: null,
  state: 'ready',
  items_total: 3,
  items_left: 3,
  valid_until: '2027-06-30',
  frozen_because: '',
  service_points: 1,
  used_at: null,
  use_session: null,
  gift_id: null,
  offer_id: null,
  ...rest,
});

const gone = {
  line: 0,
  by: 'gift',
  subject: 'g1',
  name_th: 'นวด',
  name_en: 'Massage',
  picture: null,
  kind: 'item',
  items: 2,
  to_name: 'Mum',
  at: '2026-11-21T08:02:00Z',
};

const order = (rest: object) => ({
  id: 'o1',
  number: 'ABCDE12345',
  state: 'paid',
  total_satang: 99_000,
  created_at: '2026-11-21T07:05:00Z',
  paid_at: '2026-11-21T07:05:00Z',
  lines: [
    {
      package_id: 'p1',
      name_th: 'นวด',
      name_en: 'Massage',
      picture: null,
      quantity: 2,
      unit_satang: 45_000,
      amount_satang: 90_000,
      discount_satang: 0,
    },
    {
      package_id: 'p2',
      name_th: 'ชา',
      name_en: 'Tea',
      picture: null,
      quantity: 1,
      unit_satang: 9_000,
      amount_satang: 9_000,
      discount_satang: 0,
    },
  ],
  discounts: [],
  vouchers: [],
  held: [],
  handed_on: [],
  ...rest,
});

const refunds = (rest: object = {}) => ({
  number: 'ABCDE12345',
  paid_at: '2026-11-21T07:05:00Z',
  balance_satang: 0,
  debt_satang: 0,
  card: null,
  vouchers: [],
  refunds: [],
  requests: [],
  ...rest,
});

const orderPage = (detail: object, options: object = refunds()) =>
  renderPage('/user/orders/o1', {
    '/api/user/refund/options': () => options,
    '/api/user/order/detail': () => detail,
    ...consents,
  });

it('lists orders, of which one that waits opens its payment', async () => {
  await renderPage('/user/orders', {
    '/api/user/order/list': () => ({
      data: [
        listed({ id: 'o3', state: 'awaiting', paid_at: null, vouchers: 0 }),
        listed({ id: 'o2', packages: 2 }),
        listed({ state: 'part_refunded', vouchers: 1 }),
        listed({ id: 'o0', state: 'refunded' }),
      ],
    }),
    ...consents,
  });
  const rows = await screen.findAllByRole('link', { name: /Massage/ });
  expect(rows.map((row) => row.getAttribute('href'))).toEqual([
    '/user/order/o3',
    '/user/orders/o2',
    '/user/orders/o1',
    '/user/orders/o0',
  ]);
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringMatching(/Massage21\/11\/2026.*Waiting for payment/),
    expect.stringMatching(/Massage and 1 more21\/11\/2026 · 3 vouchers.*Paid/),
    expect.stringMatching(/1 voucher.*Partly refunded/),
    expect.stringMatching(/Refunded/),
  ]);
});

it('says that there is no order yet, and that they did not load', async () => {
  await renderPage('/user/orders', { '/api/user/order/list': () => ({ data: [] }), ...consents });
  await screen.findByRole('heading', { name: 'No orders yet' });
  cleanup();
  await renderPage('/user/orders', { '/api/user/order/list': () => new Refusal(500, 'internal'), ...consents });
  await screen.findByText('Your orders did not load');
});

it('says of each voucher of an order where it is now, by what was bought', async () => {
  await orderPage(
    order({
      vouchers: [
        voucher({}),
        voucher({ id: 'v2', items_left: 1 }),
        voucher({ id: 'v3', name_en: 'Tea', state: 'used', items_left: 0, used_at: '2026-11-22T02:00:00Z' }),
        voucher({ id: 'v4', name_en: 'Tea', kind: 'baht', items_total: 9_000, items_left: 9_000, state: 'refunded' }),
      ],
      held: [
        { voucher_id: 'v1', line: 0 },
        { voucher_id: 'v2', line: 0 },
        { voucher_id: 'v3', line: 1 },
        { voucher_id: 'v4', line: 1 },
      ],
      handed_on: [gone, { ...gone, by: 'offer', subject: 'f1', to_name: '', line: 1, name_en: 'Tea' }],
    }),
  );
  await screen.findByRole('heading', { name: 'Where it is now' });
  const rows = screen.getAllByRole('listitem').flatMap((item) => within(item).queryAllByRole('link'));
  expect(rows.map((row) => [row.getAttribute('href'), row.textContent?.replace('RL', '')])).toEqual([
    ['/user/activevoucher/v1', 'MassageWith you3 times · valid until 30/06/2027'],
    ['/user/activevoucher/v2', 'MassagePartly used1 time · valid until 30/06/2027'],
    ['/user/gift/g1', 'MassageWith Mum2 times · 21/11/2026 15:02'],
    ['/user/activevoucher/v3', 'TeaAll used22/11/2026 09:00'],
    ['/user/activevoucher/v4', 'TeaRefunded฿90.00'],
    ['/user/trade/f1', 'TeaSold on2 times · 21/11/2026 15:02'],
  ]);
});

it.each([
  ['in_use', 'In use'],
  ['on_sale', 'On sale'],
  ['in_transfer', 'Given, not received yet'],
  ['frozen', 'On hold'],
  ['expired', 'Expired'],
  ['void', 'Cancelled'],
])('has a word for a voucher that is %s', async (state, word) => {
  await orderPage(order({ vouchers: [voucher({ state })], held: [{ voucher_id: 'v1', line: 0 }] }));
  const row = await screen.findByRole('link', { name: /Massage/ });
  within(row).getByText(word);
});

it('leads to its receipt', async () => {
  await orderPage(order({}));
  const link = await screen.findByRole('link', { name: /Receipt/ });
  expect(link.getAttribute('href')).toBe('/user/receipts/order/o1');
});

it('leads an order without its money to its payment, and has no receipt of it', async () => {
  await orderPage(order({ state: 'expired', paid_at: null, payment: { method: 'card', reference: 'REF77' } }));
  const link = await screen.findByRole('link', { name: 'See the payment' });
  expect(link.getAttribute('href')).toBe('/user/order/o1');
  expect(screen.queryByRole('link', { name: /Receipt/ })).toBeNull();
});

it("says that somebody else's order is not there", async () => {
  await renderPage('/user/orders/o9', {
    '/api/user/order/detail': () => new Refusal(404, 'order.not_found'),
    ...consents,
  });
  await screen.findByRole('heading', { name: 'Order not found yet' });
});

const option = (rest: object) => ({
  voucher_id: 'v1',
  kind: 'item',
  name_th: 'นวด',
  name_en: 'Massage',
  picture: null,
  items_total: 3,
  items_left: 3,
  until: '2026-11-28',
  how: 'self',
  refused: '',
  slices: [],
  ...rest,
});

it('leads to a refund while its payer may have one, or says whom to ask, and has the receipt of each', async () => {
  const receipt = {
    id: 'r1',
    number: 'RRRRR55555',
    amount_satang: 30_000,
    fee_satang: 1_000,
    own: true,
    method: 'wallet',
    state: 'done',
    digits: '',
    bank: '',
    due_at: null,
    ended_at: '2026-11-22T03:12:00Z',
    at: '2026-11-22T03:12:00Z',
    name_th: 'นวด',
    name_en: 'Massage',
    more: 1,
  };
  await orderPage(
    order({ state: 'part_refunded' }),
    refunds({
      vouchers: [option({}), option({ voucher_id: 'v2', how: 'asking', until: '2026-12-05' })],
      refunds: [receipt],
    }),
  );
  const link = await screen.findByRole('link', { name: /Get a refund/ });
  expect(link.getAttribute('href')).toBe('/user/orders/o1/refund');
  within(link).getByText('Of what is not used, until 28/11/2026');
  const paper = screen.getByRole('link', { name: /Refunded ฿300.00/ });
  expect(paper.getAttribute('href')).toBe('/user/receipts/refund/r1');
  cleanup();

  await orderPage(order({}), refunds({ vouchers: [option({ how: 'asking' })] }));
  const asks = await screen.findByRole('link', { name: /Ask the shop for a refund/ });
  expect(asks.getAttribute('href')).toBe('/user/orders/o1/refund');
  within(asks).getByText('Of what is not used, until 28/11/2026. The shop decides.');
  cleanup();

  const asked = { amount_satang: 30_000, due_at: '2099-12-07T03:12:00Z', answered_at: null, answer: '', parts: [] };
  await orderPage(
    order({}),
    refunds({
      vouchers: [option({ how: 'asking' })],
      requests: [
        { ...asked, id: 'q2', state: 'asked' },
        { ...asked, id: 'q1', state: 'refused', answer: 'The room was booked.' },
      ],
    }),
  );
  const waits = await screen.findByRole('link', { name: /You asked for ฿300.00/ });
  within(waits).getByText('The shop should answer by 07/12/2099');
  screen.getByText('The room was booked.');
  expect(screen.queryByText('Ask the shop for a refund')).toBeNull();
});

it.each([
  ['sent', '4242', 'On its way to your card ····4242'],
  ['done', '', 'Sent to the card that you paid with on 23/11/2026. Your bank needs about 5–10 days to show it.'],
  ['failed', '4242', 'The card could not take it, so it is in your Wallet'],
])('says how far a refund to a card is that is %s', async (state, digits, says) => {
  const refund = { id: 'r1', number: 'RRRRR55555', amount_satang: 30_000, fee_satang: 0, own: true, method: 'card' };
  const at = { at: '2026-11-22T03:12:00Z', ended_at: '2026-11-23T03:12:00Z' };
  await orderPage(
    order({ state: 'refunded' }),
    refunds({ refunds: [{ ...refund, ...at, state, digits, bank: '', due_at: null }] }),
  );
  within(await screen.findByRole('link', { name: /Refund(ed| of) ฿300.00/ })).getByText(says);
});

it('says nothing of a refund where none may be had', async () => {
  await orderPage(order({}), refunds({ vouchers: [option({ how: '', refused: 'refund.too_late' })] }));
  await screen.findByRole('heading', { name: 'Where it is now' });
  expect(screen.queryByText(/refund/i)).toBeNull();
});

it.each([
  ['approved', 'The shop should transfer it to Kasikornbank ····7890 by 07/12/2026'],
  ['sent', 'The shop has given its bank the transfer to Kasikornbank ····7890, and waits until it is confirmed'],
  ['done', 'Transferred to Kasikornbank ····7890 on 23/11/2026'],
  ['failed', 'It could not be transferred, so it is in your Wallet'],
])('says how far a refund to a bank account is that is %s', async (state, says) => {
  const refund = { id: 'r1', number: 'RRRRR55555', amount_satang: 30_000, fee_satang: 0, own: true, method: 'bank' };
  const at = { at: '2026-11-22T03:12:00Z', ended_at: '2026-11-23T03:12:00Z', due_at: '2026-12-07T03:12:00Z' };
  await orderPage(
    order({ state: 'refunded' }),
    refunds({ refunds: [{ ...refund, ...at, state, digits: '7890', bank: '004' }] }),
  );
  within(await screen.findByRole('link', { name: /Refund(ed| of) ฿300.00/ })).getByText(says);
});
