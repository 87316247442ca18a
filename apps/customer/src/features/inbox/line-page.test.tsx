import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { afterEach, expect, it } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
});

const reached = { sends: true, account: '@lamai', lang: 'en', friend: true, off: ['sales'], every_use: false };

const page = (push: object, answers = {}) =>
  renderPage('/user/inbox/line', {
    '/api/user/push/get': () => push,
    '/api/user/message/unread': () => ({ count: 0 }),
    '/api/user/consent/open': () => ({ data: [] }),
    ...answers,
  });

it('shows what comes to LINE, and takes a change', async () => {
  const user = userEvent.setup();
  const server = await page(reached, {
    '/api/user/push/save': (body: object) => ({ ...reached, ...body }),
  });
  const sold = await screen.findByRole('switch', { name: /^Sold/ });
  expect(sold.getAttribute('aria-checked')).toBe('false');
  await user.click(screen.getByRole('switch', { name: /^Gifts/ }));
  await waitFor(() =>
    expect(screen.getByRole('switch', { name: /^Gifts/ }).getAttribute('aria-checked')).toBe('false'),
  );
  expect(server.calls('/api/user/push/save')[0]?.body).toEqual({ off: ['sales', 'gifts'], every_use: false });
});

it('sends each use to who wishes it, and then uses are not refused any more', async () => {
  const user = userEvent.setup();
  const refused = { ...reached, off: ['uses'] };
  const server = await page(refused, { '/api/user/push/save': (body: object) => ({ ...refused, ...body }) });
  const each = await screen.findByRole('switch', { name: /^Every use/ });
  expect(each.getAttribute('aria-checked')).toBe('false');
  await user.click(each);
  await waitFor(() => expect(each.getAttribute('aria-checked')).toBe('true'));
  expect(screen.getByRole('switch', { name: /^Uses/ }).getAttribute('aria-checked')).toBe('true');
  expect(server.calls('/api/user/push/save')[0]?.body).toEqual({ off: [], every_use: true });
});

it('goes back to what holds where the change was not taken', async () => {
  const user = userEvent.setup();
  await page(reached, { '/api/user/push/save': () => new Refusal(503, 'unavailable') });
  await user.click(await screen.findByRole('switch', { name: /^Gifts/ }));
  await screen.findByText(/can't do this right now/);
  expect(screen.getByRole('switch', { name: /^Gifts/ }).getAttribute('aria-checked')).toBe('true');
});

it('asks who is no friend of the account to become one, and nobody else', async () => {
  await page({ ...reached, friend: false });
  expect((await screen.findByRole('link', { name: 'Add @lamai' })).getAttribute('href')).toBe(
    'https://line.me/R/ti/p/%40lamai',
  );
  cleanup();
  await page({ ...reached, friend: null });
  await screen.findByRole('switch', { name: /^Gifts/ });
  expect(screen.queryByRole('link', { name: 'Add @lamai' })).toBeNull();
});

it('says so where the shop sends nothing', async () => {
  await page({ ...reached, sends: false, account: '' });
  await screen.findByText(/This shop sends nothing to LINE/);
});
