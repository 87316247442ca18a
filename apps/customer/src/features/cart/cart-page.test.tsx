import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openPage, Refusal } from '../../open-page.tsx';

const line = { package_id: 'p1', name_th: 'นวด', name_en: 'Aroma massage', picture: null, unit_satang: 3_290_00 };
const terms = {
  version_id: 'c1',
  kind: 'terms',
  title_en: 'Terms of purchase',
  title_th: '',
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
      total_satang: total,
      balance_satang: balance,
      missing_satang: missing,
      topup_satang: missing && Math.max(missing, 100_00),
      topup_is_minimum: missing > 0 && missing < 100_00,
      consents,
    };
  };
}

const order = {
  id: 'o1',
  number: 'RL-42',
  state: 'paid',
  total_satang: 3_290_00,
  paid_at: '2026-11-21T03:00:00Z',
  lines: [],
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
  const page = await openPage('/user/cart', {
    '/api/user/order/quote': quote(5_000_00),
    '/api/user/order/confirm': () => order,
  });

  await user.click(await screen.findByRole('button', { name: 'Pay from Wallet ฿3,290.00' }));
  expect(screen.getByText('Please read and accept before you pay.')).toBeDefined();
  expect(page.calls('/api/user/order/confirm')).toHaveLength(0);

  await user.click(screen.getByRole('checkbox'));
  await user.click(screen.getByRole('button', { name: 'Pay from Wallet ฿3,290.00' }));

  await screen.findByText('Done. Your voucher is ready to use.');
  const [confirm] = page.calls('/api/user/order/confirm');
  expect(confirm?.body).toMatchObject({ hash: 'h329000', accepted: ['c1'], lang: 'en' });
  expect(confirm?.headers.get('Idempotency-Key')).toMatch(/^[0-9a-f-]{36}$/);
  expect(localStorage.getItem('cart')).toBe('[]');
});

it('offers the missing sum when the wallet does not reach', async () => {
  await openPage('/user/cart', { '/api/user/order/quote': quote(1_000_00) });

  await screen.findByText('Not enough in your Wallet');
  expect(screen.getByText('฿2,290.00 short')).toBeDefined();
  const link = screen.getByRole('link', { name: 'Top up ฿2,290.00' });
  expect(link.getAttribute('href')).toBe('/user/wallet/topup?return=%2Fuser%2Fcart&amount=229000&method=promptpay');
});

it('says that nothing was charged when the price has changed, and asks again with the new one', async () => {
  const user = userEvent.setup();
  let unit = 3_290_00;
  await openPage('/user/cart', {
    '/api/user/order/quote': (body) => quote(5_000_00, { unit, consents: [] })(body),
    '/api/user/order/confirm': () => {
      unit = 3_490_00;
      return new Refusal(409, 'market.quote_changed');
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
  const page = await openPage('/user/cart', {
    '/api/user/order/quote': quote(5_000_00, { consents: [] }),
    '/api/user/order/confirm': () => (answers++ ? order : new Refusal(500, 'internal')),
  });

  const pay = { name: 'Pay from Wallet ฿3,290.00' };
  await user.click(await screen.findByRole('button', pay));
  await screen.findByRole('alert');
  await user.click(await screen.findByRole('button', pay));
  await screen.findByText('Done. Your voucher is ready to use.');

  const keys = page.calls('/api/user/order/confirm').map((c) => c.headers.get('Idempotency-Key'));
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
});
