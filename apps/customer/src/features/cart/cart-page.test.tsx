import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

const line = {
  package_id: 'p1',
  name_th: 'นวด',
  name_en: 'Aroma massage',
  picture: null,
  unit_satang: 3_290_00,
  discount_satang: 0,
  last_days: ['2027-04-03'],
  expiry_rules: ['breakage'],
  refund_rule: 'self',
  refund_days: 7,
  refund_fee_basis_points: 0,
  refund_until: '2027-01-10',
  transfer_rules: [{ rule: 'unlimited', times: 0, together: false }],
};
const terms = {
  _id: 'c1',
  kind: 'terms',
  name_en: 'Terms of purchase',
  name_th: '',
  body_en: 'x',
  body_th: '',
};

/** The server's price of one massage, with so much in the wallet. */
function quote(balance: number, { unit = 3_290_00, consents = [terms] } = {}) {
  return ({ lines }: { lines: { quantity: number }[] }) => {
    const quantity = lines[0]?.quantity ?? 0;
    const total = unit * quantity;
    const missing = Math.max(0, total - balance);
    return {
      hash: `h${total}`,
      lines: [{ ...line, quantity, unit_satang: unit, amount_satang: total }],
      discounts: [],
      lost_discounts: [],
      total_satang: total,
      balance_satang: balance,
      missing_satang: missing,
      topup_satang: missing && Math.max(missing, 100_00),
      topup_is_minimum: missing > 0 && missing < 100_00,
      consents,
    };
  };
}

const options = () => ({
  data: [
    { method: 'promptpay', public_key: 'pkey', vault_url: 'https://vault.test' },
    { method: 'card', public_key: 'pkey', vault_url: 'https://vault.test' },
  ],
});

const nothingWaits = {
  '/api/user/order/awaiting': () => ({ data: [] }),
  '/api/user/wallet/payment-options': options,
  '/api/user/order/detail': () => order,
};

const payment = (rest: object = {}) => ({
  id: 'o1',
  amount_satang: 3_290_00,
  authorize_url: '',
  captured_at: null,
  captured_satang: 3_290_00,
  charge_id: 'chrg_1',
  created_at: '',
  credited: false,
  expires_at: new Date(Date.now() + 582_000).toISOString(),
  failure: '',
  late: false,
  method: 'promptpay',
  qr_image_url: '/qr.svg',
  reference: 'TU112194',
  server_time: new Date().toISOString(),
  state: 'awaiting',
  ...rest,
});

const order = {
  id: 'o1',
  number: 'RL-42',
  state: 'paid',
  total_satang: 3_290_00,
  paid_at: '2026-11-21T03:00:00Z',
  lines: [],
  discounts: [],
  vouchers: [],
};

beforeEach(() => localStorage.setItem('cart', '[{"package_id":"p1","total":1}]'));

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it('pays exactly what the button says, once the terms are accepted, and empties the cart', async () => {
  const user = userEvent.setup();
  const page = await renderPage('/user/cart', {
    ...nothingWaits,
    '/api/user/order/quote': quote(5_000_00),
    '/api/user/order/confirm': () => order,
  });

  await user.click(await screen.findByRole('button', { name: 'Pay from Wallet ฿3,290.00' }));
  expect(screen.getByText('Please read and accept before you pay.')).toBeDefined();
  expect(page.calls('/api/user/order/confirm')).toHaveLength(0);

  await user.click(screen.getByRole('checkbox'));
  await user.click(screen.getByRole('button', { name: 'Pay from Wallet ฿3,290.00' }));

  await screen.findByText('Successfully purchased the voucher');
  const [confirm] = page.calls('/api/user/order/confirm');
  expect(confirm?.body).toMatchObject({ hash: 'h329000', accepted: ['c1'], lang: 'en' });
  expect(confirm?.headers.get('Idempotency-Key')).toMatch(/^[0-9a-f-]{36}$/);
  expect(localStorage.getItem('cart')).toBe('[]');
});

it('offers the exact sum by PromptPay first, and the missing sum as a top-up, when the wallet does not reach', async () => {
  const user = userEvent.setup();
  await renderPage('/user/cart', {
    ...nothingWaits,
    '/api/user/order/quote': quote(1_000_00),
    '/api/user/wallet/topup': () => new Promise(() => undefined),
  });

  await screen.findByRole('button', { name: 'Pay ฿3,290.00 by PromptPay' });
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /PromptPay/ }).checked).toBe(true);
  expect(screen.queryByRole('radio', { name: /Wallet/ })).toBeNull();
  expect(screen.getByText('You have ฿1,000.00, ฿2,290.00 short')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Top up ฿2,290.00' }));
  expect(screen.getByText('Please read and accept before you pay.')).toBeDefined();
  expect(location.pathname).toBe('/user/cart');

  await user.click(screen.getByRole('checkbox'));
  await user.click(screen.getByRole('button', { name: 'Top up ฿2,290.00' }));
  await waitFor(() => expect(location.pathname).toBe('/user/wallet/topup'));
  expect(Object.fromEntries(new URLSearchParams(location.search))).toMatchObject({
    return: '/user/cart',
    amount: '229000',
    method: 'promptpay',
    order: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

it('says before paying until when it is valid, whose the rest is then, and whom to ask', async () => {
  await renderPage('/user/cart', { ...nothingWaits, '/api/user/order/quote': quote(0) });
  await screen.findByText('Valid until 03/04/2027');
  screen.getByText('After it expires, what is left belongs to the shop');
  screen.getByText('Not used yet? Get a refund until 10/01/2027');
  expect(screen.getByRole('link', { name: /Ask the shop/ }).getAttribute('href')).toBe('/contact');
});

it('chooses the wallet where it reaches, and leaves the other ways open', async () => {
  const user = userEvent.setup();
  await renderPage('/user/cart', { ...nothingWaits, '/api/user/order/quote': quote(5_000_00) });

  await screen.findByRole('button', { name: 'Pay from Wallet ฿3,290.00' });
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /Wallet/ }).checked).toBe(true);
  expect(screen.getByText('You have ฿5,000.00, ฿1,710.00 stays after this')).toBeDefined();
  await user.click(screen.getByRole('radio', { name: /card/ }));
  await user.click(screen.getByRole('checkbox'));
  await user.click(screen.getByRole('button', { name: 'Pay ฿3,290.00 by card' }));
  expect(screen.getByText('Enter the 3 or 4 digits.')).toBeDefined();
});

it('fills the wallet where nothing can be paid past it', async () => {
  await renderPage('/user/cart', {
    ...nothingWaits,
    '/api/user/order/quote': quote(1_000_00),
    '/api/user/wallet/payment-options': () => ({ data: [] }),
  });
  expect(await screen.findAllByRole('button', { name: 'Top up ฿2,290.00' })).toHaveLength(1);
});

it('says that nothing was charged when the price has changed, and asks again with the new one', async () => {
  const user = userEvent.setup();
  let unit = 3_290_00;
  await renderPage('/user/cart', {
    ...nothingWaits,
    '/api/user/order/quote': (body) => quote(5_000_00, { unit, consents: [] })(body),
    '/api/user/order/confirm': () => {
      unit = 3_490_00;
      return new Refusal(409, 'order.quote_changed');
    },
  });

  await user.click(await screen.findByRole('button', { name: 'Pay from Wallet ฿3,290.00' }));

  await screen.findByRole('button', { name: 'Pay from Wallet ฿3,490.00' });
  expect(screen.getByRole('alert').textContent).toBe(
    'The price is now 3,490.00. You have not been charged; please check it again.',
  );
  expect(localStorage.getItem('cart')).toContain('p1');
});

it('keeps the key when the person taps again after a lost connection', async () => {
  const user = userEvent.setup();
  let answers = 0;
  const page = await renderPage('/user/cart', {
    ...nothingWaits,
    '/api/user/order/quote': quote(5_000_00, { consents: [] }),
    '/api/user/order/confirm': () => (answers++ ? order : new Refusal(500, 'internal')),
  });

  const pay = { name: 'Pay from Wallet ฿3,290.00' };
  await user.click(await screen.findByRole('button', pay));
  await screen.findByRole('alert');
  await user.click(await screen.findByRole('button', pay));
  await screen.findByText('Successfully purchased the voucher');

  const keys = page.calls('/api/user/order/confirm').map((c) => c.headers.get('Idempotency-Key'));
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
});

it('buys once when the person leaves after a lost connection, and comes back to a price that has moved', async () => {
  const user = userEvent.setup();
  const pay = { name: 'Pay from Wallet ฿3,290.00' };
  const before = await renderPage('/user/cart', {
    ...nothingWaits,
    '/api/user/order/quote': quote(5_000_00, { consents: [] }),
    '/api/user/order/confirm': () => Promise.reject(new TypeError('Failed to fetch')),
  });
  await user.click(await screen.findByRole('button', pay));
  await screen.findByRole('alert');
  cleanup();

  const after = await renderPage('/user/cart', {
    ...nothingWaits,
    '/api/user/order/quote': quote(5_000_00, { unit: 3_490_00, consents: [] }),
    '/api/user/order/confirm': () => order,
  });
  await user.click(await screen.findByRole('button', { name: 'Pay from Wallet ฿3,490.00' }));
  await screen.findByText('Successfully purchased the voucher');

  const [first] = before.calls('/api/user/order/confirm');
  const [second] = after.calls('/api/user/order/confirm');
  expect(second?.headers.get('Idempotency-Key')).toBe(first?.headers.get('Idempotency-Key'));
  expect(second?.body).toEqual(first?.body);
});

it('pays the exact sum past the wallet, keeps the key on a second tap, and shows the QR', async () => {
  const user = userEvent.setup();
  const waits = {
    ...order,
    state: 'awaiting',
    paid_at: null,
    lines: [{ ...line, quantity: 1, amount_satang: 3_290_00 }],
    payment: payment(),
  };
  let answers = 0;
  const page = await renderPage('/user/cart', {
    ...nothingWaits,
    '/api/user/order/quote': quote(1_000_00),
    '/api/user/order/pay': () => (answers++ ? waits : new Refusal(503, 'payment.unavailable')),
    '/api/user/order/detail': () => waits,
  });

  const pay = { name: 'Pay ฿3,290.00 by PromptPay' };
  await user.click(await screen.findByRole('button', pay));
  expect(screen.getByText('Please read and accept before you pay.')).toBeDefined();
  await user.click(screen.getByRole('checkbox'));
  await user.click(screen.getByRole('button', pay));
  await screen.findByRole('alert');
  await user.click(await screen.findByRole('button', pay));

  await screen.findByAltText('PromptPay QR for TU112194');
  const [first, second] = page.calls('/api/user/order/pay');
  expect(first?.body).toMatchObject({ hash: 'h329000', accepted: ['c1'], lang: 'en', method: 'promptpay' });
  expect(second?.headers.get('Idempotency-Key')).toBe(first?.headers.get('Idempotency-Key'));
  expect(localStorage.getItem('cart')).toBe('[]');
});

it('offers 100 baht with the reason where less is missing, and the exact price beside it', async () => {
  await renderPage('/user/cart', { ...nothingWaits, '/api/user/order/quote': quote(3_250_00) });

  await screen.findByText(/The least top-up is ฿100.00/);
  expect(screen.getByText('You have ฿3,250.00, ฿40.00 short')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Top up ฿100.00' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Pay ฿3,290.00 by PromptPay' })).toBeDefined();
});

it('shows an order that awaits its payment', async () => {
  localStorage.clear();
  await renderPage('/user/cart', {
    ...nothingWaits,
    '/api/user/order/awaiting': () => ({
      data: [{ ...order, state: 'awaiting', paid_at: null, lines: [line], payment: payment() }],
    }),
  });

  const link = await screen.findByRole('link', { name: /Waiting for payment/ });
  expect(screen.queryByText(/Your cart is empty/)).toBeNull();
  expect(link.textContent).toMatch(/Aroma massage.*฿3,290.00 · 09:4\d left/);
  expect(link.getAttribute('href')).toBe('/user/order/o1');
});

it('says that late money is in the wallet, and puts the lines back into the cart', async () => {
  const user = userEvent.setup();
  localStorage.clear();
  await renderPage('/user/order/o1', {
    ...nothingWaits,
    '/api/user/order/quote': quote(3_290_00),
    '/api/user/order/detail': () => ({
      ...order,
      state: 'expired',
      paid_at: null,
      lines: [{ ...line, quantity: 2, amount_satang: 6_580_00 }],
      payment: payment({ state: 'captured', late: true, credited: true }),
    }),
  });

  await screen.findByText('฿3,290.00 is in your Wallet');
  expect(screen.getByText(/the order was not made/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Put it back into the cart' }));
  expect(localStorage.getItem('cart')).toBe('[{"package_id":"p1","total":2}]');
});

it.each([
  ['', /You paid after the time was over/],
  ['cancelled', /after you cancelled the order/],
  ['insufficient_fund', /The payment had failed and the money came in afterwards/],
])('says why late money made no order: %s', async (failure, why) => {
  await renderPage('/user/order/o1', {
    ...nothingWaits,
    '/api/user/order/detail': () => ({
      ...order,
      state: 'expired',
      paid_at: null,
      payment: payment({ state: 'captured', late: true, credited: true, failure }),
    }),
  });
  await screen.findByText(why);
});

it('says that the cart is empty, and leads to the market', async () => {
  localStorage.clear();
  await renderPage('/user/cart', { ...nothingWaits, '/api/user/order/awaiting': () => ({ data: [] }) });
  await screen.findByText('Your cart is empty');
  expect(screen.getByRole('link', { name: 'Go to the market' })).toBeDefined();
});

const voucher = (rest: object = {}) => ({
  transfer_rule: 'times',
  transfers_left: 1,
  id: 'v1',
  code: '9PX2BD8W',
  kind: 'item',
  name_th: '',
  name_en: 'Aroma massage',
  picture: null,
  state: 'ready',
  items_total: 3,
  items_left: 3,
  valid_until: '2027-04-03',
  frozen_because: '',
  service_points: 1,
  use_session: null,
  ...rest,
});
const bought = (...vouchers: object[]) =>
  renderPage('/user/order/o1', { ...nothingWaits, '/api/user/order/detail': () => ({ ...order, vouchers }) });

it('shows what was bought as a ticket, how often and until when it can be used, and leads to using it', async () => {
  await bought(voucher());
  await screen.findByRole('heading', { name: 'It is yours' });
  screen.getByText('3 times');
  screen.getByText('Valid until 03/04/2027');
  expect(screen.getAllByText(/^Time \d$/)).toHaveLength(3);
  expect(screen.getByRole('link', { name: 'Use it now' }).getAttribute('href')).toBe('/user/activevoucher/v1/use');
});

it('leads to the list where several were bought, and offers no use of one that is on hold', async () => {
  await bought(voucher({ items_total: 12 }), voucher({ id: 'v2', name_en: 'Foot bath' }));
  await screen.findByText('12 times');
  screen.getByText('Foot bath');
  expect(screen.queryByText('Time 1')).toBeNull();
  expect(screen.queryByRole('link', { name: 'Use it now' })).toBeNull();

  cleanup();
  await bought(voucher({ state: 'frozen', frozen_because: 'dispute' }));
  await screen.findByText('3 times');
  expect(screen.queryByRole('link', { name: 'Use it now' })).toBeNull();
});

const givePage = {
  '/api/user/voucher/detail': () => ({ ...voucher(), where: [], uses: [] }),
  '/api/user/transfer/setting': () => ({ days: 7 }),
};

it('leads who buys for somebody else from paying to giving, also after a reload', async () => {
  const user = userEvent.setup();
  const answers = {
    ...nothingWaits,
    ...givePage,
    '/api/user/order/quote': quote(5_000_00, { consents: [] }),
    '/api/user/order/confirm': () => order,
    '/api/user/order/detail': () => ({ ...order, vouchers: [voucher(), voucher({ id: 'v2' })] }),
  };
  await renderPage('/user/cart', answers);
  await user.click(await screen.findByRole('switch', { name: /It is a gift/ }));
  cleanup();

  await renderPage('/user/cart', answers);
  await user.click(await screen.findByRole('button', { name: 'Pay from Wallet ฿3,290.00' }));
  await screen.findByRole('button', { name: 'Wrap the gift' });
  expect(location.pathname).toBe('/user/activevoucher/v1/give');
  cleanup();

  // Who comes back to the order sees the order.
  await renderPage('/user/order/o1', answers);
  await screen.findByRole('heading', { name: 'It is yours' });
});

it('leads on once the money of a direct payment has come in', async () => {
  localStorage.setItem('gift-orders', '["o1"]');
  await renderPage('/user/order/o1', {
    ...nothingWaits,
    ...givePage,
    '/api/user/order/detail': () => ({ ...order, payment: payment({ state: 'captured' }), vouchers: [voucher()] }),
  });
  await screen.findByRole('button', { name: 'Wrap the gift' });
});

it('asks which of several kinds is given first, and leaves out what cannot be given', async () => {
  localStorage.setItem('gift-orders', '["o1"]');
  await bought(
    voucher(),
    voucher({ id: 'v2', name_th: 'แช่เท้า', name_en: 'Foot bath' }),
    voucher({ id: 'v3', name_th: 'ซาวน่า', name_en: 'Sauna', transfer_rule: 'none' }),
  );
  await screen.findByRole('heading', { name: 'Which do you wrap first?' });
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(links.filter((href) => href?.endsWith('/give'))).toEqual([
    '/user/activevoucher/v1/give',
    '/user/activevoucher/v2/give',
  ]);
});

it.each([
  [[{ rule: 'none', times: 0, together: false }], 'What is in the cart is for its buyer alone, and cannot be given.'],
  [[{ rule: 'times', times: 1, together: true }], 'Who receives it cannot give it on.'],
  [[{ rule: 'times', times: 3, together: false }], 'Who receives it may give it on 2 more times.'],
  [[{ rule: 'times', times: 1, together: true }], 'All of its kind from this order go to one person.'],
])('says before paying what the rules of a gift are: %o', async (transfer_rules, sentence) => {
  localStorage.setItem('gift-orders', '["next"]');
  const priced = quote(5_000_00);
  await renderPage('/user/cart', {
    ...nothingWaits,
    '/api/user/order/quote': (body: Parameters<typeof priced>[0]) => {
      const now = priced(body);
      return { ...now, lines: now.lines.map((one) => ({ ...one, transfer_rules })) };
    },
  });
  await screen.findByText(sentence);
});

it('says whose name the bank will show, where the platform collects', async () => {
  await renderPage('/user/order/o1', {
    ...nothingWaits,
    '/api/user/order/detail': () => ({ ...order, state: 'awaiting', paid_at: null, payment: payment() }),
  });
  await screen.findByAltText('PromptPay QR for TU112194');
  expect(screen.getByText("Your bank's app will show").nextSibling?.textContent).toBe('We Love Voucher Co., Ltd.');
});
