import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal, spa } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../test/render-page.ts';

const org = { ...spa, suspended: true };
const stopped = () => new Refusal(409, 'org.suspended');
const answers = {
  '/api/user/get/salepackage': stopped,
  '/api/user/trade/list': stopped,
  '/api/user/voucher/list': () => ({ data: [], next: null }),
};

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it.each(['/user/market', '/user/cart', '/user/trade', '/user/wallet/topup', '/'])(
  'says at %s that the shop is closed, and leads to what is used as before',
  async (path) => {
    const server = await renderPage(path, answers, { org });
    await screen.findByText('Ruean Lamai Spa is closed for now');
    expect(server.calls('/api/user/get/salepackage')).toHaveLength(0);
    await userEvent.click(screen.getByRole('link', { name: 'My vouchers' }));
    await screen.findByRole('heading', { name: 'My Voucher & Ticket' });
  },
);

it('has a visitor sign in to his vouchers', async () => {
  await renderPage('/user/market/0190a0c8-0000-7000-8000-000000000001?link=abc', answers, { org, signedIn: false });
  const link = await screen.findByRole('link', { name: 'Sign in to my vouchers' });
  expect(link.getAttribute('href')).toBe('/user/home');
});

it('says why a payment was not taken where the page was open before', async () => {
  await renderPage('/user/market', answers);
  await screen.findByText(/The shop is closed for now, so this was not done and you have not been charged/);
});
