import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { session } from '@wlv/client/session';
import { Refusal } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from './test/render-page.ts';

const product = {
  id: 'p1',
  name_th: 'นวด',
  name_en: 'Aroma massage',
  badge_th: '',
  badge_en: '',
  picture: null,
  price_satang: 3_290_00,
  list_price_satang: null,
  remaining: null,
  sold: 0,
  tags: [],
  featured: true,
  service_points: 3,
};
const market = {
  '/api/user/get/salepackage': () => ({ data: [product], next: null, total: 1 }),
  '/api/user/get/tags': () => ({ data: [] }),
};

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it('lets a visitor see the market, and sends him home from a closed page with the way back', async () => {
  await renderPage('/user/market', market, { signedIn: false });
  await screen.findByText('Aroma massage');
  cleanup();

  await renderPage('/user/wallet', market, { signedIn: false });
  await screen.findByRole('button', { name: 'Sign in with LINE' });
  expect(location.pathname).toBe('/user/home');
  expect(new URLSearchParams(location.search).get('next')).toBe('/user/wallet');
});

it.each(['/nobody/knows', '/logincallback/nobody/knows', '/USER/wallet', '/user/nobody/knows'])(
  'sends %s to the area’s home',
  async (address) => {
    await renderPage(address, {}, { signedIn: false });
    await waitFor(() => expect(location.pathname).toBe('/user/home'));
  },
);

it('leads a customer from the entry to the market', async () => {
  await renderPage('/welovevoucher/1656565656-AbCdEfGh', market);
  await waitFor(() => expect(location.pathname).toBe('/welovevoucher/1656565656-AbCdEfGh/market'));
  cleanup();

  await renderPage('/user/home', market);
  await waitFor(() => expect(location.pathname).toBe('/user/market'));
});

it('shows a link that was cut off as one whose record is gone', async () => {
  await renderPage('/user/market/01a200ba-7cba', {
    '/api/user/salepackage/detail': () => new Refusal(422, 'input.invalid'),
  });
  expect(await screen.findByText('Package not found')).toBeTruthy();
  cleanup();

  await renderPage('/user/activevoucher/01a200ba-7cba', {
    '/api/user/voucher/detail': () => new Refusal(422, 'input.invalid'),
  });
  expect(await screen.findByText("We couldn't find it. It may have been removed.")).toBeTruthy();
});

it('has the same screens under the address of the app inside LINE', async () => {
  await renderPage('/welovevoucher/1656565656-AbCdEfGh/market', market);
  const link = await screen.findByRole('link', { name: 'Aroma massage' });
  expect(link.getAttribute('href')).toBe('/welovevoucher/1656565656-AbCdEfGh/market/p1');
});

it('forgets the token when the server says the session is over', async () => {
  await renderPage('/user/wallet', { '/api/user/getwallet': () => new Refusal(401, 'session.invalid_token') });
  await waitFor(() => expect(session.token('user')).toBeNull());
});

it('sends a session without a profile to the sign-in, which goes nowhere by itself', async () => {
  const page = await renderPage('/user/wallet?x=1', {
    ...market,
    '/api/user/profile/customer': () => new Refusal(403, 'access.forbidden'),
  });
  await screen.findByText("We couldn't open your account. Sign in again to go on; your cart is kept.");
  expect(location.pathname).toBe('/user/home');
  expect(new URLSearchParams(location.search).get('next')).toBe('/user/wallet?x=1');
  expect(page.calls('/api/user/profile/customer').length).toBeLessThan(4);
});

it('shows a visitor’s pages to a session without a profile', async () => {
  const refused = { ...market, '/api/user/profile/customer': () => new Refusal(403, 'access.forbidden') };
  await renderPage('/user/market', {
    ...refused,
    '/api/user/get/salepackage': () => ({ data: [product], next: null, total: 1 }),
  });
  await screen.findByText('Aroma massage');
  expect(location.pathname).toBe('/user/market');
});

it('keeps twenty digits of an address as they stand', async () => {
  await renderPage('/user/market?q=98765432109876543210', market);
  const field = await screen.findByRole<HTMLInputElement>('searchbox');
  expect(field.value).toBe('98765432109876543210');
});

it('searches while the person types, and says so when nothing matches', async () => {
  const user = userEvent.setup();
  const page = await renderPage('/user/market', {
    ...market,
    '/api/user/get/salepackage': ({ search }: { search?: string }) =>
      search ? { data: [], next: null, total: 0 } : { data: [product], next: null, total: 1 },
  });

  await user.type(await screen.findByRole('searchbox'), 'xyz');

  await screen.findByText('Package not found');
  expect(page.calls('/api/user/get/salepackage').at(-1)?.body).toEqual({ search: 'xyz' });
  expect(location.search).toBe('?q=xyz');
});

it('keeps a visitor’s sale link until he has signed in, then sends it once', async () => {
  const detail = {
    ...product,
    description_th: '',
    description_en: '',
    per_customer: null,
    refund_rule: 'asking',
    refund_days: 7,
    refund_fee_basis_points: 0,
    refund_until: '2027-01-10',
    parts: [],
    where: [],
    protected: true,
  };
  const answers = { '/api/user/salepackage/detail': () => detail, '/api/user/link/open': () => ({ package_id: 'p1' }) };

  const visitor = await renderPage('/user/market/p1?link=TJ219', answers, { signedIn: false });
  await screen.findByRole('heading', { name: 'Aroma massage' });
  expect(visitor.calls('/api/user/link/open')).toHaveLength(0);
  cleanup();

  const customer = await renderPage('/user/market/p1', answers);
  await waitFor(() => expect(customer.calls('/api/user/link/open').map((c) => c.body)).toEqual([{ code: 'TJ219' }]));
  await waitFor(() => expect(localStorage.getItem('sale-link')).toBeNull());
});

it('sends a sale link again that the server could not take, and forgets an unknown one', async () => {
  localStorage.setItem('sale-link', JSON.stringify({ code: 'TJ219', at: Date.now() }));
  for (const refusal of [
    new Refusal(503, 'unready'),
    new Refusal(429, 'rate.limited'),
    new Refusal(404, 'agent.link_not_found'),
  ]) {
    const customer = await renderPage('/user/profile', { '/api/user/link/open': () => refusal });
    await waitFor(() => expect(customer.calls('/api/user/link/open')).toHaveLength(1));
    cleanup();
  }
  await waitFor(() => expect(localStorage.getItem('sale-link')).toBeNull());
});
