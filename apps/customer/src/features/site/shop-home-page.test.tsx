import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal, spa } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

const product = (id: string, name: string) => ({
  id,
  name_th: name,
  name_en: name,
  badge_th: '',
  badge_en: '',
  picture: null,
  price_satang: 790_00,
  list_price_satang: null,
  remaining: null,
  sold: 0,
  tags: [],
  featured: id === 'p2',
  service_points: 1,
});
const point = {
  id: 's1',
  name_th: 'นิมมาน',
  name_en: 'Nimman',
  address_th: '',
  address_en: '9 Nimman Road',
  hours_th: '',
  hours_en: '10:00–21:00',
  phone: '053 215 509',
  latitude: null,
  longitude: null,
};
const question = { id: 'q1', name_th: 'จอง', name_en: 'Do I have to book?', answer_th: 'จอง', answer_en: 'Yes.' };
const packages = (...products: object[]) => ({
  '/api/user/get/salepackage': () => ({ data: products, next: null, total: products.length }),
});
const shop = {
  ...packages(product('p1', 'Herbal compress'), product('p2', 'Aroma massage')),
  '/api/user/get/service_point': () => ({ data: [point] }),
  '/api/user/get/faq': () => ({ data: [question] }),
};
const nothing = { '/api/user/get/service_point': () => ({ data: [] }), '/api/user/get/faq': () => ({ data: [] }) };
const visitor = { signedIn: false };

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it('shows on a shop’s host what that shop sells, where, and what its customers ask', async () => {
  await renderPage('/', shop, visitor);
  await screen.findByRole('heading', { level: 1, name: 'Ruean Lamai Spa' });
  await screen.findAllByRole('link', { name: 'Aroma massage' });
  expect(screen.getByRole('link', { name: 'Herbal compress' }).getAttribute('href')).toBe('/user/market/p1');
  expect(screen.getByRole('link', { name: 'Buy now' }).getAttribute('href')).toBe('/user/market/p2');
  await screen.findByText('9 Nimman Road');
  expect(screen.getByRole('link', { name: '053\u00a0215\u00a0509' }).getAttribute('href')).toBe('tel:053215509');
  await screen.findByText('Do I have to book?');
  screen.getByText('What is not used yet is kept safe for you');
  screen.getByText('Powered by We Love Voucher');
  expect(screen.queryByText('Open a shop with us')).toBeNull();
});

it('promises nothing about money that the shop itself holds', async () => {
  await renderPage('/', shop, { ...visitor, org: { ...spa, protected: false } });
  await screen.findByText('Choose and pay');
  expect(screen.queryByText('What is not used yet is kept safe for you')).toBeNull();
});

it('shows one package once', async () => {
  await renderPage('/', { ...nothing, ...packages(product('p1', 'Herbal compress')) }, visitor);
  expect(await screen.findAllByText('Herbal compress')).toHaveLength(1);
  expect(screen.queryByRole('heading', { name: 'Packages' })).toBeNull();
});

it('says that nothing is on sale yet', async () => {
  await renderPage('/', { ...nothing, ...packages() }, visitor);
  await screen.findByText('Nothing on sale yet');
  expect(screen.queryByRole('link', { name: 'Choose a package' })).toBeNull();
  expect(screen.queryByText('Choose and pay')).toBeNull();
});

it('says that the service points did not load, and tries again', async () => {
  const user = userEvent.setup();
  let broken = true;
  await renderPage(
    '/',
    {
      ...shop,
      '/api/user/get/service_point': () => (broken ? new Refusal(500, 'internal') : { data: [point] }),
    },
    visitor,
  );
  await screen.findByText('The places did not load');
  broken = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('9 Nimman Road');
});

it('leads a page of the platform alone to the shop’s front', async () => {
  await renderPage('/partner', shop, visitor);
  await waitFor(() => expect(location.pathname).toBe('/'));
  cleanup();
  await renderPage('/partner', {}, { ...visitor, org: null });
  await screen.findByRole('heading', { level: 1, name: 'Open a shop with us' });
});
