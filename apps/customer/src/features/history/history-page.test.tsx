import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const event = (rest: object) => ({
  id: 'e1',
  kind: 'used',
  at: '2026-11-21T07:22:00Z',
  about: 'voucher',
  subject: 'v1',
  name_th: 'นวด',
  name_en: 'Massage',
  picture: null,
  packages: 0,
  vouchers: 1,
  unit: 'item',
  items: 1,
  items_left: 0,
  person: '',
  amount_satang: 0,
  method: '',
  service_point_name_th: '',
  service_point_name_en: '',
  sale: null,
  ...rest,
});

const months = [
  { month: '2026-11', all: 5, use: 2, gift: 1, resale: 0, order: 2 },
  { month: '2026-10', all: 1, use: 1, gift: 0, resale: 0, order: 0 },
];

const page = (answer: (body: object) => object, address = '/user/history') =>
  renderPage(address, {
    '/api/user/history/list': (body: object) => {
      const detail = answer(body);
      return detail instanceof Refusal ? detail : { more: false, months, ...detail };
    },
    '/api/user/consent/open': () => ({ data: [] }),
  });

const sale = {
  price_satang: 90_000,
  royalty_satang: 1_800,
  fee_satang: 2_700,
  net_satang: 85_500,
  expires_at: '2026-12-21T17:00:00Z',
};

it.each([
  [{ items_left: 2, service_point_name_en: 'Nimman' }, /You used Massage14:22 · Nimman1 time2 left/, 'used/e1'],
  [{ subject: null }, /You used Massage14:221 timeAll used/, 'used/e1'],
  [{ unit: 'baht', items: 64_000, items_left: 36_000 }, /฿640\.00฿360\.00 left/, 'used/e1'],
  [{ kind: 'taken_back', subject: null }, /Massage was taken back/, null],
  [{ kind: 'given', about: 'gift', person: 'Mum', items: 2 }, /You gave it to Mum14:22 · Massage2 times/, 'gift/v1'],
  [{ kind: 'given', about: 'gift' }, /You gave it14:22 · Massage/, 'gift/v1'],
  [{ kind: 'gift_claimed', about: 'gift', person: 'Mum' }, /Mum received your gift/, 'gift/v1'],
  [{ kind: 'gift_withdrawn', about: 'gift' }, /You took the gift back/, 'gift/v1'],
  [{ kind: 'gift_declined', about: 'gift' }, /Your gift was declined/, 'gift/v1'],
  [{ kind: 'gift_returned', about: 'gift' }, /Your gift came back/, 'gift/v1'],
  [{ kind: 'gift_stopped', about: 'gift' }, /Your gift was stopped/, 'gift/v1'],
  [{ kind: 'received', about: 'gift', person: 'Nok' }, /Nok gave you a gift14:22 · Massage1 time/, 'gift/v1'],
  [
    { kind: 'offered', about: 'offer', sale },
    /You put it on sale.*Price 900\.00Service fee 27\.00The shop's part 18\.00until 21\/12\/2026/,
    'trade/v1',
  ],
  [
    { kind: 'sold', about: 'offer', person: 'Pim', amount_satang: 85_500, sale },
    /Sold to Pim.*Price 900\.00Service fee 27\.00The shop's part 18\.00\+855\.00/,
    'trade/v1',
  ],
  [{ kind: 'offer_cancelled', about: 'offer', sale }, /You took it off sale14:22 · Massage1 time/, 'trade/v1'],
  [{ kind: 'offer_ended', about: 'offer', sale }, /Your offer ended/, 'trade/v1'],
  [{ kind: 'offer_stopped', about: 'offer', sale }, /Your offer was stopped/, 'trade/v1'],
  [
    { kind: 'resale_bought', about: 'offer', person: 'Ann', amount_satang: -90_000, method: 'wallet' },
    /You bought it from Ann….*−900\.00/,
    'trade/v1',
  ],
  [
    { kind: 'ordered', about: 'order', packages: 3, unit: '', amount_satang: -329_000, method: 'promptpay' },
    /You bought Massage and 2 more14:22 · PromptPay−3,290\.00/,
    'orders/v1',
  ],
  [
    { kind: 'expired', vouchers: 2, amount_satang: 5_000 },
    /Massage and 1 more expired14:22 · What was left came into your Wallet\+50\.00/,
    'activevoucher/v1',
  ],
  [{ kind: 'frozen', unit: '', items: 0, vouchers: 2 }, /is on hold.*2 vouchers/, 'activevoucher/v1'],
  [{ kind: 'released', unit: '', items: 0 }, /Massage is no longer on hold.*1 voucher/, 'activevoucher/v1'],
  [{ kind: 'frozen_by_shop', unit: '', items: 0 }, /Massage is on hold.*By the shop/, 'activevoucher/v1'],
  [{ kind: 'released_by_shop', unit: '', items: 0 }, /no longer on hold.*days on hold were added/, 'activevoucher/v1'],
  [
    { kind: 'voided_by_shop', amount_satang: 5_000 },
    /The shop cancelled Massage.*Into your Wallet.*50\.00/,
    'activevoucher/v1',
  ],
  [{ kind: 'taken_back' }, /Massage was taken back.*Its payment was returned/, 'activevoucher/v1'],
])('says of %j what happened, and opens what it is about', async (rest, words, opens) => {
  await page(() => ({ data: [event(rest)] }));
  const row = await screen.findByText(/14:22/);
  const shown = row.closest('[data-slot="card"]');
  expect(shown?.textContent).toMatch(words);
  expect(row.closest('a')?.getAttribute('href') ?? null).toBe(opens && `/user/${opens}`);
});

it('groups what happened by day', async () => {
  await page(() => ({
    data: [event({}), event({ id: 'e2', at: '2026-11-20T18:00:00Z' }), event({ id: 'e3', at: '2026-11-19T18:00:00Z' })],
  }));
  const days = await screen.findAllByRole('heading', { level: 2 });
  expect(days.map((day) => day.textContent?.replace('Today ', ''))).toEqual(['21/11/2026', '20/11/2026']);
});

it('is chosen by what it was and by month, and counts what there is', async () => {
  const user = userEvent.setup();
  const server = await page(() => ({ data: [event({})] }));
  const which = await screen.findByRole('group', { name: 'Which' });
  await within(which).findByText('6');
  expect(
    within(which)
      .getAllByRole('link')
      .map((link) => link.textContent),
  ).toEqual(['All6', 'Uses3', 'Gifts1', 'Orders2', 'Resale']);
  await user.click(within(which).getByRole('link', { name: /Gifts/ }));
  await waitFor(() =>
    expect(server.calls('/api/user/history/list').at(-1)?.body).toEqual({ group: 'gift', month: '' }),
  );
  expect(within(which).getByRole('link', { name: /Gifts/ }).getAttribute('aria-current')).toBe('page');

  await user.click(screen.getByRole('combobox', { name: 'Month' }));
  await user.click(await screen.findByRole('option', { name: 'Oct 2026' }));
  await waitFor(() =>
    expect(server.calls('/api/user/history/list').at(-1)?.body).toEqual({ group: 'gift', month: '2026-10' }),
  );
  expect(location.search).toBe('?part=gift&month=2026-10');
  expect(
    within(which)
      .getAllByRole('link')
      .map((link) => link.textContent),
  ).toEqual(['All1', 'Uses1', 'Gifts', 'Orders', 'Resale']);
});

it('goes on behind its last event', async () => {
  const user = userEvent.setup();
  const server = await page((body) =>
    'after' in body ? { data: [event({ id: 'e2', items: 2 })], months: [] } : { data: [event({})], more: true },
  );
  await user.click(await screen.findByRole('button', { name: 'Show more' }));
  await screen.findByText('2 times');
  expect(server.calls('/api/user/history/list').at(-1)?.body).toEqual({
    group: '',
    month: '',
    after: { id: 'e1', kind: 'used', at: '2026-11-21T07:22:00Z' },
  });
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

it.each([
  ['', 'History not found', 'Open the market'],
  ['?part=use', 'Nothing used', 'My Voucher & Ticket'],
  ['?part=gift', 'No gifts', 'My Voucher & Ticket'],
  ['?part=order', 'Nothing bought', 'Open the market'],
  ['?part=resale', 'Nothing sold on', 'My Voucher & Ticket'],
  ['?part=gift&month=2026-09', 'No gifts', 'All months'],
  ['?part=what&month=2026-99', 'History not found', 'Open the market'],
])('says at %j that there is nothing, and where to go', async (search, title, action) => {
  await page(() => ({ data: [], months: [] }), `/user/history${search}`);
  const heading = await screen.findByRole('heading', { name: title });
  within(heading.parentElement as HTMLElement).getByRole('link', { name: action });
});

it('says that it did not load, and tries again', async () => {
  const user = userEvent.setup();
  let down = true;
  await page(() => {
    if (down) return new Refusal(500, 'internal');
    return { data: [event({})] };
  });
  await screen.findByRole('heading', { name: 'Your history did not load' }, { timeout: 8_000 });
  down = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText(/14:22/);
});
