import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const options = (rest: object = {}) => ({
  balance_satang: 900_00,
  limit_satang: 800_00,
  debt_satang: 0,
  sources: [
    { method: 'card', card_digits: '4242', limit_satang: 300_00 },
    { method: 'bank', card_digits: '', limit_satang: 500_00 },
  ],
  requests: [],
  ...rest,
});

const request = (rest: object = {}) => ({
  id: 'k1',
  number: 'KKKKK11111',
  state: 'asked',
  amount_satang: 400_00,
  bank: '004',
  account_digits: '7890',
  asked_at: '2026-11-20T12:02:00Z',
  due_at: '2099-12-05T12:02:00Z',
  answered_at: null,
  answer: '',
  parts: [],
  ...rest,
});

const opened = (detail: () => object, calls: object = {}) =>
  renderPage('/user/wallet/cashout', { '/api/user/cashout/options': detail, ...calls } as never);

it('says where each part of the sum goes, and asks for an account only where some is transferred', async () => {
  let asked: object[] = [];
  const { calls } = await opened(() => options({ requests: asked }), {
    '/api/user/cashout/ask': () => {
      asked = [request()];
      return request();
    },
  });
  const amount = await screen.findByRole('textbox', { name: 'Amount' });
  screen.getByText('Of ฿900.00 in your Wallet, this is what you topped up yourself. The rest is for spending here.');
  await userEvent.type(amount, '900');
  screen.getByText('Enter ฿800.00 or less.');
  await userEvent.clear(amount);
  await userEvent.type(amount, '300');
  screen.getByText('฿300.00 to your card ····4242');
  expect(screen.queryByText('Account number')).toBeNull();
  await userEvent.clear(amount);
  await userEvent.type(amount, '400');
  screen.getByText('฿100.00 to your bank account');
  await userEvent.click(screen.getByRole('button', { name: 'Ask for ฿400.00' }));
  expect(screen.getAllByText('Please fill this in')).toHaveLength(3);
  await userEvent.click(screen.getByRole('combobox', { name: 'Bank' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Kasikornbank' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Account number' }), '1234567890');
  await userEvent.type(screen.getByRole('textbox', { name: 'Account name' }), 'Kamon Jaidee');
  await userEvent.click(screen.getByRole('button', { name: 'Ask for ฿400.00' }));
  await screen.findByText('Waits for the shop');
  expect(calls('/api/user/cashout/ask').map(({ body }) => body)).toEqual([
    { amount_satang: 400_00, account: { bank: '004', number: '1234567890', name: 'Kamon Jaidee' } },
  ]);
  expect(screen.queryByRole('textbox', { name: 'Amount' })).toBeNull();
});

it('says why nothing can be taken out', async () => {
  await opened(() => options({ limit_satang: 0, sources: [] }));
  await screen.findByText('There is nothing to take out');
  cleanup();
  await opened(() => options({ limit_satang: 0, debt_satang: 120_00 }));
  await screen.findByText('You owe this shop ฿120.00');
});

it('shows how far each part is, and withdraws what waits', async () => {
  let state = 'asked';
  const { calls } = await opened(
    () => ({
      ...options(),
      requests: [
        request({ state }),
        request({
          id: 'k0',
          number: 'KKKKK00000',
          state: 'approved',
          answered_at: '2026-11-10T12:02:00Z',
          parts: [
            { amount_satang: 300_00, method: 'card', digits: '4242', state: 'done', at: '2026-11-10T12:05:00Z' },
            { amount_satang: 100_00, method: 'bank', digits: '7890', state: 'sent', at: '2026-11-11T12:05:00Z' },
          ],
        }),
      ],
    }),
    {
      '/api/user/cashout/withdraw': () => {
        state = 'withdrawn';
        return request({ state });
      },
    },
  );
  await screen.findByText('฿300.00 to your card ····4242');
  screen.getByText('The shop has given its bank the transfer, and waits until it is confirmed');
  screen.getByText('On its way');
  await userEvent.click(screen.getByRole('button', { name: 'Withdraw the request' }));
  await screen.findByText('You withdrew it');
  expect(calls('/api/user/cashout/withdraw')).toHaveLength(1);
});

it('shows what the server refuses', async () => {
  await opened(() => options(), {
    '/api/user/cashout/ask': () => new Refusal(409, 'cashout.too_much'),
  });
  await userEvent.type(await screen.findByRole('textbox', { name: 'Amount' }), '100');
  await userEvent.click(screen.getByRole('button', { name: 'Ask for ฿100.00' }));
  await screen.findByText('No more can be paid out than you have topped up yourself and still have.');
});
