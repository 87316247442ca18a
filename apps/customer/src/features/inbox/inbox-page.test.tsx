import { cleanup, screen, waitFor } from '@testing-library/react';
import { Refusal } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const message = (id: string, rest: object) => ({
  id,
  about: 'gift',
  subject: `of-${id}`,
  vouchers: 1,
  title_th: 'หัวข้อ',
  title_en: `Title ${id}`,
  text_th: 'ข้อความ',
  text_en: `Text ${id}`,
  at: '2026-11-21T07:20:00Z',
  read: true,
  ...rest,
});

const inbox = (data: object[], count = 0) =>
  renderPage('/user/inbox', {
    '/api/user/message/list': () => ({ data }),
    '/api/user/message/unread': () => ({ count }),
    '/api/user/message/read': () => ({ count: 0 }),
    '/api/user/consent/open': () => ({ data: [] }),
  });

it('leads from each message to what it is about', async () => {
  await inbox([
    message('m5', { about: 'gift' }),
    message('m4', { about: 'offer' }),
    message('m3', { about: 'voucher' }),
    message('m2', { about: 'voucher', vouchers: 3 }),
    message('m1', { about: 'money', at: '2026-11-20T07:20:00Z' }),
    message('m0', { about: 'use', at: '2026-11-20T07:20:00Z' }),
  ]);
  const rows = await screen.findAllByRole('link', { name: /Title/ });
  expect(rows.map((row) => row.getAttribute('href'))).toEqual([
    '/user/gift/of-m5',
    '/user/trade/of-m4',
    '/user/activevoucher/of-m3',
    '/user/activevoucher',
    '/user/wallet',
    '/user/used/of-m0',
  ]);
  expect(screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)).toEqual([
    '21/11/2026',
    '20/11/2026',
  ]);
});

it('marks what is new, and has the server mark it as seen', async () => {
  const server = await inbox([message('m2', { read: false }), message('m1', {})], 1);
  expect(await screen.findAllByRole('img', { name: 'New' })).toHaveLength(1);
  await waitFor(() => expect(server.calls('/api/user/message/read').map(({ body }) => body)).toEqual([{ id: 'm2' }]));
});

it('marks nothing where all was seen', async () => {
  const server = await inbox([message('m1', {})]);
  await screen.findByText('Title m1');
  expect(server.calls('/api/user/message/read')).toEqual([]);
});

it('counts on the profile tab and its row what is new', async () => {
  await renderPage('/user/profile', {
    '/api/user/message/unread': () => ({ count: 3 }),
    '/api/user/trade/setting': () => ({ open: false }),
    '/api/user/consent/open': () => ({ data: [] }),
  });
  await screen.findByText('3 new messages');
  await waitFor(() => expect(screen.getAllByText('3')).toHaveLength(3));
});

it('says that there is nothing yet', async () => {
  await inbox([]);
  await screen.findByText('No messages yet');
});

it('says that it did not load', async () => {
  await renderPage('/user/inbox', {
    '/api/user/message/list': () => new Refusal(500, 'internal'),
    '/api/user/consent/open': () => ({ data: [] }),
  });
  await screen.findByText('Your inbox did not load');
});
