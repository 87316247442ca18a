import { cleanup, screen, within } from '@testing-library/react';
import { Refusal } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

const product = (id: string, more: object = {}) => ({
  id,
  name_th: id,
  name_en: id,
  badge_th: '',
  badge_en: '',
  picture: null,
  price_satang: 790_00,
  list_price_satang: null,
  remaining: null,
  sold: 0,
  tags: [],
  featured: false,
  service_points: 1,
  ...more,
});
const market = (...products: object[]) => ({
  '/api/user/get/salepackage': () => ({ data: products, next: null, total: products.length }),
  '/api/user/get/tags': () => ({ data: [] }),
});

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it('recommends only marked packages, and names no best sellers where nothing was sold', async () => {
  await renderPage('/user/market', market(product('Compress'), product('Massage')));
  await screen.findByRole('heading', { name: 'Packages' });
  expect(screen.queryByText('Recommended')).toBeNull();
  expect(screen.queryByText('See all')).toBeNull();
});

it('puts the marked package first and the best sold below it', async () => {
  const more = ['b', 'c', 'd', 'e'].map((id) => product(id, { sold: 3 }));
  await renderPage('/user/market', market(...more, product('Massage', { featured: true })));
  const first = await screen.findByRole('region', { name: 'Recommended' });
  within(first).getByRole('link', { name: 'Massage' });
  screen.getByRole('heading', { name: 'Best sellers' });
  screen.getByText('See all');
});

it('shows no heading without packages below it', async () => {
  await renderPage('/user/market', market(product('Compress')));
  await screen.findByRole('link', { name: 'Compress' });
  expect(screen.queryByRole('heading', { name: /Packages|Best sellers/ })).toBeNull();
});

it('says that the balance cannot be read', async () => {
  await renderPage('/user/market', {
    ...market(product('Compress')),
    '/api/user/getwallet': () => new Refusal(500, 'internal'),
  });
  await screen.findByText('No balance now', {}, { timeout: 8_000 });
});
