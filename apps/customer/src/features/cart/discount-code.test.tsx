import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

const lost = {
  discount_id: null,
  fault: 'discount.unknown',
  name_th: '',
  name_en: '',
  at: null,
  missing_satang: null,
  missing_items: null,
  times: null,
  other_th: '',
  other_en: '',
  for_th: [],
  for_en: [],
};

/** One massage; LAMAI10 takes ten percent off, MORE is too much for it, and others are no codes. */
function quote({ codes = [] }: { codes?: string[] }) {
  const off = codes.includes('LAMAI10') ? 100_00 : 0;
  return {
    hash: `h${off}`,
    lines: [
      {
        package_id: 'p1',
        name_th: 'นวด',
        name_en: 'Massage',
        picture: null,
        quantity: 1,
        unit_satang: 1_000_00,
        amount_satang: 1_000_00 - off,
        discount_satang: off,
        last_days: ['2027-04-03'],
        expiry_rules: ['breakage'],
        transfer_rules: [{ rule: 'none', times: 0, together: false }],
        refund_rule: 'self',
        refund_fee_basis_points: 0,
        refund_until: '2027-01-10',
      },
    ],
    discounts: off ? [{ id: 'd1', name_th: 'ต้อนรับ', name_en: 'Welcome', code: 'LAMAI10', amount_satang: off }] : [],
    lost_discounts: codes
      .filter((code) => code !== 'LAMAI10')
      .map((code) =>
        code === 'MORE'
          ? { ...lost, code, fault: 'discount.too_little', name_en: 'More', missing_satang: 500_00 }
          : { ...lost, code },
      ),
    total_satang: 1_000_00 - off,
    balance_satang: 5_000_00,
    missing_satang: 0,
    topup_satang: 0,
    topup_is_minimum: false,
    consents: [],
  };
}

const calls = {
  '/api/user/order/awaiting': () => ({ data: [] }),
  '/api/user/wallet/payment-options': () => ({ data: [] }),
  '/api/user/order/quote': quote,
};

beforeEach(() => localStorage.setItem('cart', '[{"package_id":"p1","total":1}]'));

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

async function type(code: string) {
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('Discount code'), `${code}{Enter}`);
  return user;
}

it('takes a code, says what it takes off each line, and buys by it', async () => {
  const page = await renderPage('/user/cart', {
    ...calls,
    '/api/user/order/confirm': () => new Refusal(409, 'discount.used_up'),
  });
  const user = await type('LAMAI10');

  await screen.findByText('Less 100.00');
  await screen.findByText('−100.00');
  expect(screen.getByLabelText<HTMLInputElement>('Discount code').value).toBe('');
  await user.click(await screen.findByRole('button', { name: 'Pay from Wallet ฿900.00' }));
  await screen.findByText('All used. You were not charged.');
  expect(page.calls('/api/user/order/confirm')[0]?.body).toMatchObject({ hash: 'h10000', codes: ['LAMAI10'] });
});

it('says at the field that a code is none, keeps what was typed, and asks for it no more', async () => {
  const page = await renderPage('/user/cart', calls);
  await type('NONE');
  await screen.findByText('This code does not work. Check the letters');
  expect(screen.getByLabelText<HTMLInputElement>('Discount code').value).toBe('NONE');
  expect(localStorage.getItem('discount-codes')).toBeNull();
  expect(page.calls('/api/user/order/quote').filter(({ body }) => JSON.stringify(body).includes('NONE'))).toHaveLength(
    1,
  );
});

it('says what a code lacks, keeps it for a larger cart, and lets go of it', async () => {
  await renderPage('/user/cart', calls);
  const user = await type('MORE');
  await screen.findByText('Add ฿500.00 to use it');
  expect(localStorage.getItem('discount-codes')).toBe('["MORE"]');
  await user.click(screen.getByRole('button', { name: 'Remove the code MORE' }));
  await waitFor(() => expect(screen.queryByText('MORE')).toBeNull());
});

it('says when codes can be tried again', async () => {
  await renderPage('/user/cart', {
    ...calls,
    '/api/user/order/quote': (body: { codes?: string[] }) =>
      body.codes
        ? new Refusal(429, 'discount.too_many_tries', { detail: { retry_after_seconds: 1_500 } })
        : quote(body),
  });
  await type('ABC');
  await screen.findByText('Try again in 25 min');
});
