import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('leads a customer to his shop by its name, and other people to the sign-in of their area', async () => {
  const user = userEvent.setup();
  await renderPage('/loginpage', {}, { signedIn: false, org: null });
  const go = await screen.findByRole('button', { name: 'Go to the shop' });
  for (const [name, href] of [
    [/^Back office/, '/owner/loginpage'],
    [/^Staff at the counter/, '/staff/loginpage'],
    [/^Platform administration/, '/advwsadmin/loginpage'],
  ] as const) {
    expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(href);
  }

  await user.click(go);
  await screen.findByText("Enter the shop's short name.");
  const assign = vi.fn();
  vi.stubGlobal('location', { ...window.location, assign });
  await user.type(screen.getByLabelText('Your shop'), 'RueanLamai');
  await user.click(go);
  expect(assign).toHaveBeenCalledWith('/loginpage?unique=rueanlamai');
});

it('says that there is no such shop, until another is typed', async () => {
  const user = userEvent.setup();
  await renderPage('/loginpage?unique=nobody', {}, { signedIn: false, org: null });
  await screen.findByText("We couldn't find this shop. Please check the name.");
  await user.type(screen.getByLabelText('Your shop'), 'x');
  expect(screen.queryByText("We couldn't find this shop. Please check the name.")).toBeNull();
});
