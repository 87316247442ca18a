import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const spa = { name_th: 'เรือนละไม', name_en: 'Ruean Lamai', tagline_th: '', tagline_en: 'Thai massage' };
const shops = {
  '/api/public/shop/find': ({ name }: { name: string }) => ({
    data: name === 'lamai' ? [{ ...spa, url: 'https://spa.example/user/home' }] : [],
  }),
};
const stranger = { signedIn: false, org: null };

it('leads a customer to his shop by a part of its name, and other people to the sign-in of their area', async () => {
  const user = userEvent.setup();
  await renderPage('/loginpage', shops, stranger);
  const find = await screen.findByRole('button', { name: 'Find the shop' });
  for (const [name, href] of [
    [/^Back office/, '/owner/loginpage'],
    [/^Staff at the counter/, '/staff/loginpage'],
    [/^Platform administration/, '/advwsadmin/loginpage'],
  ] as const) {
    expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(href);
  }

  await user.click(find);
  await screen.findByText('Enter two letters of its name or more.');
  await user.type(screen.getByLabelText('Your shop'), ' nobody');
  await user.click(find);
  await screen.findByText('No shop is called so. Try a shorter part of its name.');
  await user.clear(screen.getByLabelText('Your shop'));
  await user.type(screen.getByLabelText('Your shop'), 'lamai ');
  await user.click(find);
  const link = await screen.findByRole('link', { name: /^Ruean Lamai/ });
  expect(link.getAttribute('href')).toBe('https://spa.example/user/home');
});

it('says that there is no such shop, until another is typed', async () => {
  const user = userEvent.setup();
  await renderPage('/loginpage?unique=nobody', shops, stranger);
  await screen.findByText("We couldn't find this shop. Please check the name.");
  await user.type(screen.getByLabelText('Your shop'), 'x');
  expect(screen.queryByText("We couldn't find this shop. Please check the name.")).toBeNull();
});

it('has a bar and finds the shop where there is none to buy from', async () => {
  await renderPage('/user/market', shops, stranger);
  await screen.findByRole('button', { name: 'Find the shop' });
  expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/loginpage');
});
