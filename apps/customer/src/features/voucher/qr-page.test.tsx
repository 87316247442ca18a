import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Print, realtime } from '@wlv/client/realtime';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

const point = {
  id: 's1',
  name_th: 'ท่าแพ',
  name_en: 'Tha Phae',
  address_th: '',
  address_en: '',
  hours_th: '',
  hours_en: '',
  phone: '',
  latitude: null,
  longitude: null,
};
const voucher = {
  id: 'v1',
  package_id: 'p1',
  code: 'RL-7K42',
  kind: 'item',
  name_th: 'นวด',
  name_en: 'Aroma massage',
  picture: null,
  state: 'ready',
  items_total: 3,
  items_left: 2,
  valid_until: '2027-03-31',
  service_points: 1,
  use_session: null,
  conditions_th: '',
  conditions_en: '',
  transfer_rule: 'none',
  transfers_left: 0,
  transfer_together: false,
  expiry_rule: 'breakage',
  where: [point, { ...point, id: 's2', name_en: 'Nimman' }],
  uses: [],
};

const opened = (state = 'open', used_at: string | null = null) => ({
  used_at,
  id: '0193a5c2-7b1e-7000-8000-0123456789ab',
  voucher_id: 'v1',
  secret: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8',
  typed_name: 'RL7',
  items: 1,
  items_left: 1,
  items_total: 3,
  staff: 'Tom',
  scanned_at: null,
  scan_expires_at: null,
  state,
  opened_at: new Date().toISOString(),
  expires_at: new Date(Date.now() + 600_000).toISOString(),
  server_time: new Date(Date.now() + 90_000).toISOString(),
  organisation_tag: 'b3Jn1Q',
  service_point_name_th: 'ท่าแพ',
  service_point_name_en: 'Tha Phae',
  name_th: 'นวด',
  name_en: 'Aroma massage',
  kind: 'item',
});

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it('asks for service point and items, and shows a QR until the use is confirmed', async () => {
  const user = userEvent.setup();
  let state = 'open';
  const page = await renderPage('/user/activevoucher/v1/use', {
    '/api/user/voucher/detail': () => voucher,
    '/api/user/voucher/use': () => opened(),
    '/api/user/voucher/use/get': () => opened(state, state === 'used' ? '2026-11-20T18:51:00Z' : null),
    '/api/user/salepackage/detail': () => ({ id: 'p1', price_satang: 3290_00 }),
  });

  await user.click(await screen.findByRole('button', { name: 'Show the QR' }));
  expect(screen.getByText('Choose the place where you are.')).toBeDefined();
  await user.click(screen.getByLabelText(/Tha Phae/));
  await user.click(screen.getByRole('button', { name: 'Show the QR' }));

  await screen.findByText(/^RL7[A-Z2-9] [A-Z2-9]{4}$/);
  await screen.findByRole('img', { name: 'QR of this voucher; it changes every 30 seconds' });
  const [use] = page.calls('/api/user/voucher/use');
  expect(use?.body).toEqual({ voucher_id: 'v1', service_point_id: 's1', items: 1 });
  expect(use?.headers.has('Idempotency-Key')).toBe(true);
  expect(JSON.parse(localStorage.getItem('use:v1') ?? '{}').ahead).toBeGreaterThan(80_000);

  state = 'used';
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Used 1 item' })).toBeDefined(), { timeout: 5_000 });
  expect(document.title).toMatch(/^Voucher successfully used - /);
  screen.getByText('21/11/2026 at 01:51'); // when it was used, not when the code was opened
  screen.getByText('1 of 3 items left');
  screen.getByText('Confirmed by Tom');
  expect((await screen.findByRole('link', { name: /Buy it again/ })).getAttribute('href')).toBe('/user/market/p1');
});

it('rests while staff check the code, until they may no longer confirm it', async () => {
  localStorage.setItem('use:v1', JSON.stringify({ ...opened(), ahead: 0 }));
  const scanned_at = new Date(Date.now() - 57_500).toISOString();
  await renderPage('/user/activevoucher/v1/qr', {
    '/api/user/voucher/detail': () => voucher,
    '/api/user/voucher/use/get': () => ({
      ...opened(),
      scanned_at,
      scan_expires_at: new Date(Date.parse(scanned_at) + 60_000).toISOString(),
    }),
  });
  await screen.findByRole('heading', { name: 'Staff are checking it' });
  screen.getByText('Nothing is used until the staff confirm.', { exact: false });
  expect(screen.queryByText(/^RL7[A-Z2-9] [A-Z2-9]{4}$/)).toBeNull();

  await screen.findByRole('heading', { name: 'Hold it out to the staff' }, { timeout: 5_000 });
  await screen.findByText(/^RL7[A-Z2-9] [A-Z2-9]{4}$/);
});

it('says why staff could not take the code, until they scan it again', async () => {
  const session = opened();
  localStorage.setItem('use:v1', JSON.stringify({ ...session, ahead: 0 }));
  await renderPage('/user/activevoucher/v1/qr', {
    '/api/user/voucher/detail': () => voucher,
    '/api/user/voucher/use/get': () => session,
  });
  await screen.findByText(/^RL7[A-Z2-9] [A-Z2-9]{4}$/);
  const push = (print: Print) => act(() => void realtime.dispatchEvent(new CustomEvent('print', { detail: print })));
  push({ topic: 'use', id: 'another', state: 'refused', fault: 'voucher.expired' });
  expect(screen.queryByRole('alert')).toBeNull();
  push({ topic: 'use', id: session.id, state: 'refused', fault: 'voucher.other_service_point' });
  expect(screen.getByRole('alert').textContent).toContain('You opened it for another place.');
  push({ topic: 'use', id: session.id, state: 'scanned' });
  expect(screen.queryByRole('alert')).toBeNull();
});

it('goes on without network after a reload, from the secret that the phone has kept', async () => {
  localStorage.setItem('use:v1', JSON.stringify({ ...opened(), ahead: 0 }));
  await renderPage('/user/activevoucher/v1/qr', {});
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));

  await screen.findByRole('img', { name: 'QR of this voucher; it changes every 30 seconds' });
  expect(screen.getByText('Tha Phae')).toBeDefined();
  expect(screen.getByText(/^RL7[A-Z2-9] [A-Z2-9]{4}$/)).toBeDefined();
});

it('offers a new QR when the ten minutes are over', async () => {
  const over = { ...opened(), expires_at: new Date(Date.now() - 1000).toISOString(), ahead: 0 };
  localStorage.setItem('use:v1', JSON.stringify(over));
  await renderPage('/user/activevoucher/v1/qr', { '/api/user/voucher/detail': () => voucher });

  await screen.findByText('The time for this QR is over');
  await waitFor(() => expect(localStorage.getItem('use:v1')).toBeNull());
});

it('says that every service point of the voucher has closed, and offers no QR', async () => {
  await renderPage('/user/activevoucher/v1/use', { '/api/user/voucher/detail': () => ({ ...voucher, where: [] }) });

  await screen.findByText('No place takes this voucher now');
  expect(screen.getByRole('link', { name: 'Ask the shop' }).getAttribute('href')).toBe('/contact');
  expect(screen.queryByRole('button', { name: 'Show the QR' })).toBeNull();
});
