import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const part = (name_en: string, rest: object = {}) => ({
  name_th: name_en,
  name_en,
  kind: 'item',
  quantity: 1,
  count: 3,
  valid_days: 90,
  valid_until: null,
  last_day: '2027-04-03',
  transfer_rule: 'times',
  transfer_times: 2,
  transfer_together: false,
  conditions_th: '',
  conditions_en: '',
  expiry_rule: 'breakage',
  ...rest,
});
const product = {
  id: 'p1',
  name_th: 'สปา',
  name_en: 'Spa day',
  picture: null,
  price_satang: 329000,
  list_price_satang: 420000,
  remaining: null,
  sold: 0,
  refund_rule: 'self',
  refund_days: 7,
  refund_fee_basis_points: 0,
  refund_until: '2027-01-10',
};
const open = (parts: object[], rest: object = {}) =>
  renderPage('/user/market/p1', {
    '/api/user/salepackage/detail': () => ({
      ...product,
      description_th: '',
      description_en: '',
      parts,
      where: [],
      shop_service_points: 3,
      protected: true,
      ...rest,
    }),
    '/api/user/consent/open': () => ({ data: [] }),
  });

it('says beside the protection whose the rest is at expiry, and how often it may be given, and until when it is refunded', async () => {
  await open([part('Aroma massage')]);
  await screen.findByText('Your money is safe until you use it or it expires');
  screen.getByText('After it expires, what is left belongs to the shop');
  const rule = screen.getByText('Not used yet? Get a refund until 10/01/2027');
  expect(rule.nextSibling?.textContent).toBe(
    "Into your Wallet, in full · Once given or sold on, a refund is its holder's",
  );
  screen.getByText('Can be given to others 2 times');
});

it.each([
  ['asking', 0, 'Not used yet? Ask for a refund until 10/01/2027', 'The shop decides · Into your Wallet, in full'],
  ['self', 750, 'Not used yet? Get a refund until 10/01/2027', 'Into your Wallet, less 7.5%'],
  ['none', 0, 'No refund if you change your mind', 'If the shop cannot provide it, you are entitled to a refund'],
])('says of a refund by the rule %s what it costs', async (refund_rule, refund_fee_basis_points, title, line) => {
  await open([part('Aroma massage', { transfer_rule: 'none' })], { refund_rule, refund_fee_basis_points });
  expect((await screen.findByText(title)).nextSibling?.textContent).toBe(line);
});

it('says nothing of a refund of what costs nothing', async () => {
  await open([part('Aroma massage')], { price_satang: 0 });
  await screen.findByText('Can be given to others 2 times');
  expect(screen.queryByText(/refund/)).toBeNull();
});

it('says each rule of a package whose parts differ in it, with the part it is of', async () => {
  await open([part('Aroma massage'), part('Gift card', { expiry_rule: 'wallet' })]);
  const kept = await screen.findByText('After it expires, what is left belongs to the shop');
  expect(kept.nextSibling?.textContent).toBe('Aroma massage');
  const back = screen.getByText('After it expires, what is left goes back to your Wallet');
  expect(back.nextSibling?.textContent).toBe('Gift card');
});

it('says before paying who sells it, until which day, and where; the places open with hours, phone and map', async () => {
  const user = userEvent.setup();
  const place = (id: string, phone: string) => ({
    id,
    name_th: '',
    name_en: `Branch ${id}`,
    address_th: '',
    address_en: '9 Nimman Road',
    phone,
    hours_th: '',
    hours_en: '10:00–21:00',
    latitude: 18.79,
    longitude: 98.98,
  });
  await open([part('Aroma massage')], { where: [place('A', '053215509'), place('B', '')] });
  await screen.findByText('Buy today, valid until 03/04/2027');
  screen.getByText('90 days from the day you buy');
  screen.getByText('3 places · On the platform since 09/2026');
  screen.getByText('Save ฿910.00');
  expect(screen.getByRole('link', { name: /Call to book/ }).getAttribute('href')).toBe('tel:053215509');
  expect(screen.getByRole('link', { name: /Ask the shop/ }).getAttribute('href')).toBe('/contact');

  await user.click(screen.getByRole('button', { name: /Use it at 2 places/ }));
  const sheet = within(await screen.findByRole('dialog'));
  expect(sheet.getByRole('link', { name: 'Call to book 053\u00a0215\u00a0509' }).getAttribute('href')).toBe(
    'tel:053215509',
  );
  expect(sheet.getAllByText('10:00–21:00')).toHaveLength(2);
  expect(sheet.getAllByRole('link', { name: 'Directions' })).toHaveLength(2);
});

it('shows at once what the market knows, while the rest is on its way', async () => {
  const user = userEvent.setup();
  const card = {
    ...product,
    picture: { id: 'pic1', width: 1, height: 1, color: '#000000' },
    sold: 0,
    tags: [],
    featured: true,
    service_points: 1,
    sale_to: null,
    code: '',
    badge_th: '',
    badge_en: '',
  };
  await renderPage('/user/market', {
    '/api/user/get/salepackage': () => ({ data: [card], next: null, total: 1 }),
    '/api/user/get/tags': () => ({ data: [] }),
    '/api/user/consent/open': () => ({ data: [] }),
    '/api/user/salepackage/detail': () => new Promise(() => undefined),
  });
  await user.click(await screen.findByRole('link', { name: /Spa day/ }));
  await screen.findByRole('heading', { name: 'Spa day' });
  screen.getByRole('status', { name: 'Loading…' });
  screen.getByRole('link', { name: /Buy now/ });
  const large = document.querySelector('article img[data-slot=picture]');
  expect(large?.parentElement?.style.backgroundImage, 'the small one, which is here already').toContain(
    '/media/pic1?w=400',
  );
});
