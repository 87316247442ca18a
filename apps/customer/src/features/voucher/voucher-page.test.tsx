import { act, cleanup, screen } from '@testing-library/react';
import { capabilities } from '@wlv/client/capabilities';
import { setLanguage } from '@wlv/client/language';
import { afterEach, expect, it, vi } from 'vitest';
import { messageCatalog } from '../../messages.ts';
import { renderPage } from '../../test/render-page.ts';

const { transfers } = capabilities;

afterEach(() => {
  capabilities.transfers = transfers;
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const voucher = (rest: object) => ({
  id: 'v1',
  code: 'RL-7K42',
  kind: 'item',
  name_th: 'นวด',
  name_en: 'Aroma massage',
  picture: null,
  state: 'frozen',
  frozen_because: '',
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
  given_by: '',
  gift_id: null,
  expiry_rule: 'breakage',
  where: [],
  uses: [],
  ...rest,
});
const page = (rest: object) =>
  renderPage('/user/activevoucher/v1', {
    '/api/user/voucher/detail': () => voucher(rest),
    '/api/user/consent/open': () => ({ data: [] }),
  });

it.each([
  ['dispute', /^The bank of whoever paid for it has asked the money back\./, /^ธนาคารของผู้ชำระเรียกเงินคืน/],
  ['refund', /^Some of the money paid for it was sent back\./, /^เงินที่ชำระบางส่วนถูกคืนไปแล้ว/],
  ['shop', /^The shop has put it on hold\./, /^ร้านอายัดไว้ชั่วคราว/],
])('says why a %s froze the voucher, and offers no use', async (frozen_because, english, thai) => {
  await page({ frozen_because });
  await screen.findByText('On hold: it cannot be used now');
  screen.getByText(english);
  expect(screen.queryByRole('link', { name: /use/i })).toBeNull();

  await act(() => setLanguage('th', messageCatalog));
  screen.getByText('ถูกอายัดไว้ ยังใช้ไม่ได้ตอนนี้');
  screen.getByText(thai);
  expect(screen.queryByRole('link', { name: /ใช้/ })).toBeNull();
});

it('says nothing of a freeze where the voucher is ready', async () => {
  await page({ state: 'ready' });
  await screen.findByRole('heading', { name: 'Aroma massage' });
  expect(screen.queryByText(/On hold/)).toBeNull();
});

it.each([
  ['breakage', 'After it expires, what is left belongs to the shop'],
  ['wallet', 'After it expires, what is left goes back to your Wallet'],
])('says whose the rest is at expiry by the rule %s, and shows the conditions', async (expiry_rule, sentence) => {
  await page({ state: 'ready', expiry_rule, conditions_en: 'Book a day ahead' });
  await screen.findByText(sentence);
  expect(screen.getByText('Book a day ahead').closest('details')?.open).toBe(true);
});

it('promises no gift while nothing can be given', async () => {
  capabilities.transfers = false;
  await page({ state: 'ready', transfer_rule: 'times', transfers_left: 2 });
  await screen.findByRole('heading', { name: 'Aroma massage' });
  expect(screen.queryByText(/given to others/)).toBeNull();
  expect(screen.queryByRole('link', { name: 'Give as a gift' })).toBeNull();
});

it.each([
  [{ transfer_rule: 'unlimited' }, true],
  [{ transfer_rule: 'times', transfers_left: 1 }, true],
  [{ transfer_rule: 'times', transfers_left: 0 }, false],
  [{ transfer_rule: 'none' }, false],
  [{ transfer_rule: 'unlimited', state: 'in_use' }, false],
])('offers to give it where its rule lets it be given: %o', async (rest, offered) => {
  capabilities.transfers = true;
  await page({ state: 'ready', ...rest });
  await screen.findByRole('heading', { name: 'Aroma massage' });
  expect(screen.queryAllByRole('link', { name: 'Give as a gift' })).toHaveLength(offered ? 1 : 0);
});

it('leads to the gift by which it is on its way, and says who gave it', async () => {
  capabilities.transfers = true;
  await page({ state: 'in_transfer', gift_id: 'g1', given_by: 'Nattakan' });
  const link = await screen.findByRole('link', { name: 'Open the gift' });
  expect(link.getAttribute('href')).toBe('/user/gift/g1');
  screen.getByText('Given by Nattakan');
});

it('says of what was given that its value is kept, and of what may not go on that only its holder uses it', async () => {
  capabilities.transfers = true;
  await page({ state: 'ready', hands: ['gift'], transfer_rule: 'times', issued_at: '2026-11-20T03:00:00Z' });
  await screen.findByText('Its value is kept for you until you use it or it expires');
  screen.getByText('Only you can use it');
  expect(screen.queryByText(/Your money/)).toBeNull();
});

it('says of each empty list what it is empty of', async () => {
  for (const [state, title] of [
    ['ready', 'No voucher ready to use'],
    ['used', 'No used vouchers yet'],
    ['expired', 'No expired vouchers'],
    ['all', 'No vouchers yet'],
  ]) {
    await renderPage(`/user/activevoucher?state=${state}`, {
      '/api/user/voucher/list': () => ({ data: [] }),
      '/api/user/order/awaiting': () => ({ data: [] }),
      '/api/user/consent/open': () => ({ data: [] }),
    });
    await screen.findByRole('heading', { name: title });
    expect(screen.queryByText(/receive/)).toBeNull();
    cleanup();
  }
});

it('leads to the other vouchers that were made of the same one', async () => {
  await page({
    state: 'ready',
    siblings: [{ ...voucher({ state: 'in_transfer', items_left: 2 }), id: 'v2', code: 'AB3' }],
  });
  await screen.findByRole('heading', { name: 'From the same voucher, yours as well' });
  const link = screen.getByRole('link', { name: /2 times left.*AB3.*Being given/ });
  expect(link.getAttribute('href')).toBe('/user/activevoucher/v2');
});

it.each([
  [['gift'], ['RLThe shop sold it20/11/2026', 'First hand', 'Youas a gift']],
  [
    ['offer', 'gift'],
    ['RLThe shop sold it20/11/2026', 'First hand', 'Hand 2bought from the one before', 'Youas a gift'],
  ],
  [
    ['offer', 'gift', 'offer', 'gift'],
    ['RLThe shop sold it20/11/2026', 'First handand 2 more hands', 'Hand 4bought from the one before', 'Youas a gift'],
  ],
])('shows the chain of hands of %j', async (hands, links) => {
  await page({ state: 'ready', hands, issued_at: '2026-11-20T03:00:00Z' });
  const chain = await screen.findByRole('heading', { name: 'Through whose hands it went' });
  screen.getByText('The shop vouches');
  const list = chain.closest('[data-slot="card"]')?.querySelectorAll('ol > li') ?? [];
  expect([...list].map(({ textContent }) => textContent)).toEqual(links);
});

it('shows no chain of what the shop sold to its holder', async () => {
  await page({ state: 'ready', hands: [] });
  await screen.findByRole('heading', { name: 'Aroma massage' });
  expect(screen.queryByText('The shop vouches')).toBeNull();
});

it('leads its payer to a refund of it, or says whom to ask, while he may have one', async () => {
  const refund = { order_id: 'o1', refund_rule: 'self', until: '2026-11-28' };
  await page({ state: 'ready', hands: [], refund: null });
  await screen.findByText('Left');
  expect(screen.queryByText(/refund/i)).toBeNull();
  cleanup();
  await page({ state: 'ready', hands: [], refund });
  const link = await screen.findByRole('link', { name: /Get a refund/ });
  expect(link.getAttribute('href')).toBe('/user/orders/o1/refund?voucher=v1');
  cleanup();
  await page({ state: 'ready', hands: [], refund: { ...refund, refund_rule: 'asking' } });
  await screen.findByText('Of what is not used, until 28/11/2026. The shop decides.');
});
