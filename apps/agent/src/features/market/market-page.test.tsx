import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { home, link, massage, renderPage } from '../../test/render-page.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it('shows the commission of each day, and its rate', async () => {
  await renderPage(`${home}/home`);
  await screen.findByText('12.5%, or as a package says');
  expect(screen.getByRole('img', { name: 'Commission of the last 2 days; most on 21/11/2026: ฿119.00' })).toBeDefined();
  expect(screen.getByText('Agent of Ruean Lamai Spa · code DWXANBAN')).toBeDefined();
});

it('says what can be paid out, or what the next payout takes, with the way to the payouts', async () => {
  const summary = { pending_satang: 0, payable_satang: 0, month_satang: 0, rate_basis_points: 500, by_day: [] };
  await renderPage(`${home}/home`);
  const ready = await screen.findByText('Ready to be paid');
  await waitFor(() => expect(ready.nextElementSibling?.textContent).toBe('฿8,140.00'));
  expect(screen.getByRole('link', { name: 'See your payouts' }).getAttribute('href')).toBe(`${home}/payouts`);
  cleanup();

  await renderPage(`${home}/home`, { '/api/agent/summary': () => ({ ...summary, owed_satang: 380_00 }) });
  await screen.findByText('You owe the shop');
  expect(screen.getByText('Taken from the next payout')).toBeDefined();
  expect(screen.queryByText('Ready to be paid')).toBeNull();
});

it('copies the whole link, and sends it in LINE with the name of the package', async () => {
  const user = userEvent.setup();
  const opened = vi.fn((_address: string) => ({}));
  vi.stubGlobal('open', opened);
  await renderPage(`${home}/home`);

  await user.click(await screen.findByRole('button', { name: 'Copy' }));
  await screen.findByText('Link copied');
  expect(await navigator.clipboard.readText()).toBe(link);

  await user.click(screen.getByRole('button', { name: 'Send in LINE' }));
  await waitFor(() => expect(opened).toHaveBeenCalled());
  const url = new URL(opened.mock.calls[0]?.[0] ?? '');
  expect(url.host).toBe('social-plugins.line.me');
  expect(url.searchParams.get('url')).toBe(link);
  expect(url.searchParams.get('text')).toBe('Aroma massage at Ruean Lamai Spa');
});

it('asks for the link of the package that is shared, and shows its QR', async () => {
  const user = userEvent.setup();
  const other = { ...massage, id: 'p2', name_en: 'Foot massage', commission_satang: 24_50 };
  const page = await renderPage(`${home}/home`, {
    '/api/agent/get/salepackage': ({ limit }: { limit?: number }) =>
      limit ? { data: [massage], next: null, total: 2 } : { data: [massage, other], next: null, total: 2 },
  });

  await user.click(await screen.findByRole('button', { name: 'Share Foot massage' }));

  const sheet = within(await screen.findByRole('dialog', { name: 'Foot massage' }));
  await sheet.findByRole('img', { name: 'QR of your link to Foot massage' });
  expect(sheet.getByText(/earns you ฿24\.50/)).toBeDefined();
  expect(page.calls('/api/agent/link/create').at(-1)?.body).toEqual({ package_id: 'p2' });
});

it('offers no link to a package that is sold out', async () => {
  await renderPage(`${home}/home`, {
    '/api/agent/get/salepackage': () => ({ data: [{ ...massage, remaining: 0 }], next: null, total: 1 }),
  });
  await screen.findByText('Sold out');
  expect(screen.queryByRole('button', { name: 'Share Aroma massage' })).toBeNull();
});

it('searches while the person types and by category, and says so when nothing matches', async () => {
  const user = userEvent.setup();
  const page = await renderPage(`${home}/home`, {
    '/api/agent/get/salepackage': ({ search }: { search?: string }) =>
      search ? { data: [], next: null, total: 0 } : { data: [massage], next: null, total: 1 },
  });

  await user.click(await screen.findByRole('button', { name: 'Aroma' }));
  await waitFor(() => expect(location.search).toBe('?tag=t1'));
  await user.type(screen.getByRole('searchbox'), 'xyz');

  await screen.findByText('Package not found');
  expect(page.calls('/api/agent/get/salepackage').at(-1)?.body).toEqual({ search: 'xyz', filter: { tag: 't1' } });
});

it('offers another try when the commission did not load', async () => {
  const user = userEvent.setup();
  let broken = true;
  const summary = {
    pending_satang: 0,
    payable_satang: 0,
    owed_satang: 0,
    month_satang: 0,
    rate_basis_points: 500,
    by_day: [],
  };
  await renderPage(`${home}/home`, {
    '/api/agent/summary': () => (broken ? new Refusal(409, 'unavailable') : summary),
  });

  await screen.findByText('Your commission did not load');
  broken = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('5%, or as a package says');
});

it('says instead of links that a suspended shop is closed for now, and still what was earned', async () => {
  await renderPage(`${home}/home`, { '/api/agent/get/salepackage': () => new Refusal(409, 'org.suspended') });
  await screen.findByText(/^The shop is closed for now/);
  await screen.findByText('12.5%, or as a package says');
  expect(screen.queryByRole('button', { name: 'Copy' })).toBeNull();
});
