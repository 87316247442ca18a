import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

afterEach(() => {
  cleanup();
  localStorage.clear(); // what the phone has kept of the last test
});

const voucher = (id: string, rest: object = {}) => ({
  id,
  code: `CODE${id}`,
  kind: 'item',
  name_th: 'นวดอโรมา',
  name_en: 'Aroma massage',
  picture: null,
  state: 'ready',
  items_total: 2,
  items_left: 2,
  items_own: 2,
  first_sibling_id: id,
  valid_until: '2099-03-31',
  frozen_because: '',
  service_points: 1,
  used_at: null,
  use_session: null,
  gift_id: null,
  offer_id: null,
  transfer_rule: 'times',
  transfers_left: 1,
  ...rest,
});

const page = (list: object[]) =>
  renderPage('/user/activevoucher', {
    '/api/user/voucher/list': () => ({
      data: list,
      counts: { ready: list.length, used: 0, expired: 0, all: list.length },
    }),
    '/api/user/consent/open': () => ({ data: [] }),
    '/api/user/order/awaiting': () => ({ data: [] }),
  });

it('shows vouchers that were made of one as one, with what is left of all', async () => {
  await page([
    voucher('v1', { items_total: 5, items_left: 2, items_own: 3 }),
    voucher('v2', { first_sibling_id: 'v1' }),
    voucher('v3'),
  ]);
  const cards = await screen.findAllByRole('heading', { name: 'Aroma massage' });
  expect(cards).toHaveLength(2);
  screen.getByText('2 vouchers');
  screen.getByText('4 of 5 left');
  screen.getByText('2 of 2 left');
  expect(
    within(cards[0] as HTMLElement)
      .getByRole('link')
      .getAttribute('href'),
  ).toBe('/user/activevoucher/v1');
});

it.each([
  { state: 'in_transfer', gift_id: 'g1' },
  { valid_until: '2099-04-01' },
  { state: 'frozen', frozen_because: 'shop' },
])('keeps apart what differs from its sibling: %o', async (rest) => {
  await page([voucher('v1'), voucher('v2', { first_sibling_id: 'v1', ...rest })]);
  expect(await screen.findAllByRole('heading', { name: 'Aroma massage' })).toHaveLength(2);
  expect(screen.queryByText('2 vouchers')).toBeNull();
});
