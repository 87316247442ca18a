import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

const options = () => ({
  data: [
    { method: 'promptpay', public_key: 'pkey', vault_url: 'https://vault.test' },
    { method: 'card', public_key: 'pkey', vault_url: 'https://vault.test' },
  ],
});

const topup = (rest: object = {}) => ({
  id: 'tp1',
  amount_satang: 2_290_00,
  authorize_url: '',
  captured_at: null,
  captured_satang: 2_290_00,
  created_at: '',
  expires_at: new Date(Date.now() + 582_000).toISOString(),
  failure: '',
  late: false,
  method: 'promptpay',
  qr_image_url: '/qr.svg',
  reference: 'TP-112194',
  server_time: new Date().toISOString(),
  state: 'awaiting',
  ...rest,
});

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it('goes straight to the QR when the cart has decided the amount', async () => {
  const page = await renderPage('/user/wallet/topup?amount=229000&method=promptpay&return=%2Fuser%2Fcart', {
    '/api/user/wallet/payment-options': options,
    '/api/user/wallet/topup': () => topup(),
    '/api/user/wallet/topup/get': () => topup(),
  });

  await screen.findByAltText('PromptPay QR for TP-112194');
  expect(screen.getByRole('timer').textContent).toMatch(/^09:4\d$/);
  expect(page.calls('/api/user/wallet/topup').map((c) => c.body)).toEqual([
    { amount_satang: 229000, method: 'promptpay' },
  ]);
});

it('leads back to the order after the payment, and says that it came late', async () => {
  const user = userEvent.setup();
  await renderPage('/user/wallet/topup/tp1?return=%2Fuser%2Fprofile', {
    '/api/user/wallet/topup/get': () => topup({ state: 'captured', late: true }),
  });

  await screen.findByText('฿2,290.00 is in your Wallet');
  expect(screen.getByText(/after the QR had run out/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Carry on with the order' }));
  await waitFor(() => expect(location.pathname).toBe('/user/profile'));
});

it('refuses less than 100 baht before asking the server', async () => {
  const user = userEvent.setup();
  const page = await renderPage('/user/wallet/topup', { '/api/user/wallet/payment-options': options });

  const field = await screen.findByLabelText('Amount');
  await user.clear(field);
  await user.type(field, '99.99');

  expect(screen.getByText('Enter ฿100.00 or more.')).toBeDefined();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Top up ฿99.99' }).disabled).toBe(true);
  expect(page.calls('/api/user/wallet/topup')).toHaveLength(0);
});

it('shows the maximum, also for an amount that the cart has decided', async () => {
  const page = await renderPage('/user/wallet/topup?amount=15000001&method=promptpay', {
    '/api/user/wallet/payment-options': options,
  });

  await screen.findByText('Enter ฿150,000.00 or less.');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Top up/ }).disabled).toBe(true);
  expect(page.calls('/api/user/wallet/topup')).toHaveLength(0);
});

it('sends the card to the vault alone; our server only sees a token', async () => {
  const user = userEvent.setup();
  const page = await renderPage('/user/wallet/topup', {
    '/api/user/wallet/payment-options': options,
    '/api/user/wallet/topup': () => topup({ method: 'card', state: 'captured' }),
    '/api/user/wallet/topup/get': () => topup({ method: 'card', state: 'captured' }),
  });
  const ours = fetch;
  const vault = vi.fn(async (_address: string, _init: RequestInit) => Response.json({ object: 'token', id: 'tokn_1' }));
  vi.stubGlobal('fetch', (address: string, init: RequestInit) =>
    address.startsWith('https://vault.test') ? vault(address, init) : ours(address, init),
  );

  await user.click(await screen.findByLabelText(/Credit or debit card/));
  await user.type(screen.getByLabelText('Card number'), '4242424242424242');
  await user.type(screen.getByLabelText('Name on the card'), 'ANN LEE');
  await user.type(screen.getByLabelText('Expires (MM/YY)'), '1239');
  await user.type(screen.getByLabelText('Security code'), '123');
  await user.click(screen.getByRole('button', { name: 'Top up ฿500.00' }));

  await screen.findByText('฿2,290.00 is in your Wallet');
  expect(vault.mock.calls[0]?.[0]).toBe('https://vault.test/tokens');
  const [sent] = page.calls('/api/user/wallet/topup');
  expect(sent?.body).toMatchObject({ amount_satang: 50000, method: 'card', card_token: 'tokn_1' });
  expect(JSON.stringify(sent?.body)).not.toContain('4242');
});
