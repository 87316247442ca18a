import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../test/render-page.ts';

const voucher = {
  id: 'v1',
  code: 'RL7K42',
  kind: 'item',
  name_th: 'นวด',
  name_en: 'Aroma massage',
  picture: null,
  state: 'ready',
  items_total: 3,
  items_left: 3,
  valid_until: '2027-03-31',
  service_points: 1,
  use_session: null,
  frozen_because: '',
};
const list = (items_left: number) => ({
  '/api/user/voucher/list': () => ({
    data: [{ ...voucher, items_left }],
    counts: { ready: 1, used: 0, expired: 2, all: 3 },
  }),
  '/api/user/order/awaiting': () => ({ data: [] }),
});

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it('shows what the phone has kept, with its time, where there is no connection', async () => {
  await renderPage('/user/activevoucher', list(3));
  await screen.findByText('3 of 3 left');
  cleanup();

  await renderPage('/user/activevoucher', {});
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await screen.findByText('3 of 3 left');
  await screen.findByText(/^No connection\. As of \d\d\/\d\d\/\d{4} \d\d:\d\d$/, {}, { timeout: 6_000 });
  expect(screen.queryByRole('alert')).toBeNull();
});

it('is read anew at once, however new what was kept', async () => {
  await renderPage('/user/activevoucher', list(3));
  await screen.findByText('3 of 3 left');
  cleanup();
  await renderPage('/user/activevoucher', list(2));
  await screen.findByText('2 of 3 left');
});

it('shows nobody what another session has kept', async () => {
  await renderPage('/user/activevoucher', list(3));
  await screen.findByText('3 of 3 left');
  cleanup();

  const stored = JSON.parse(localStorage.getItem('vouchers') ?? '');
  localStorage.setItem('vouchers', JSON.stringify({ ...stored, owner: 'a0ther.1' }));
  await renderPage('/user/activevoucher', {});
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await screen.findByText('Your vouchers did not load', {}, { timeout: 6_000 });
  expect(screen.queryByText('3 of 3 left')).toBeNull();
});
