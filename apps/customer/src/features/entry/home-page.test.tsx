import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const detail = ({ id }: { id: string }) => ({
  id,
  name_th: '',
  name_en: id === 'p1' ? 'Aroma massage' : 'Foot bath',
  picture: null,
  price_satang: 3_290_00,
});
const home = (next: string, answers: object = {}) =>
  renderPage(
    `/user/home?next=${encodeURIComponent(next)}`,
    { '/api/user/salepackage/detail': detail, ...answers },
    { signedIn: false },
  );

it('shows what is being bought, and tells LINE the way back with its query and hash', async () => {
  const user = userEvent.setup();
  const page = await home('/user/cart?only=p1&n=2#consent', {
    '/api/authen/line/start': () => new Promise(() => undefined),
  });
  const wanted = await screen.findByRole('region', { name: 'Carry on buying' });
  await screen.findByText('Aroma massage');
  expect(wanted.textContent).toContain('฿3,290.00× 2');

  await user.click(screen.getByRole('button', { name: 'Sign in with LINE' }));
  await waitFor(() => expect(page.calls('/api/authen/line/start')).toHaveLength(1));
  expect(page.calls('/api/authen/line/start')[0]?.body.return).toBe('/user/cart?only=p1&n=2#consent');
});

it('shows the first package of a cart, and how many more there are', async () => {
  localStorage.setItem('cart', '[{"package_id":"p2","total":1},{"package_id":"p1","total":3}]');
  await home('/user/cart');
  await screen.findByText('Foot bath');
  screen.getByText('and 1 more package');
});

it.each([
  ['nothing is bought', '/user/profile'],
  ['the way back is not ours', 'https://evil.example/cart?only=p1'],
])('shows nothing where %s', async (_, next) => {
  const page = await home(next);
  await screen.findByRole('button', { name: 'Sign in with LINE' });
  expect(screen.queryByText('Carry on buying')).toBeNull();
  expect(page.calls('/api/user/salepackage/detail')).toHaveLength(0);
});

it('lets somebody sign in whose package is no longer on sale', async () => {
  await home('/user/cart?only=p1', {
    '/api/user/salepackage/detail': () => new Refusal(404, 'catalog.package_not_found'),
  });
  await waitFor(() => expect(screen.queryByText('Carry on buying')).toBeNull());
  screen.getByRole('button', { name: 'Sign in with LINE' });
});
