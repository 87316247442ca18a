import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal, SignedIn } from '@wlv/client/test-kit';
import { expect, it, vi } from 'vitest';
import { person, renderOffice } from '../../test/render-office.ts';

it('sends a visitor to the sign-in page and forgets the organisation', async () => {
  localStorage.setItem('org', 'spa');
  const { router } = await renderOffice('/owner/packagelist?q=oil', { signedIn: null });
  await screen.findByRole('button', { name: 'Sign in' });
  expect(router.state.location.pathname).toBe('/owner/loginpage');
  expect(router.state.location.search).toEqual({ next: '/owner/packagelist?q=oil' });
  expect(localStorage.getItem('org')).toBeNull();
});

it('clears all tokens where staff have none', async () => {
  const { router } = await renderOffice('/staff', { signedIn: 'owner' });
  await screen.findByRole('button', { name: 'Sign in' });
  expect(router.state.location.pathname).toBe('/staff/loginpage');
  expect(localStorage.getItem('token:owner')).toBeNull();
});

it('asks for the organisation only on the platform’s host, and returns to the wanted page', async () => {
  const user = userEvent.setup();
  const { router, calls } = await renderOffice('/owner/loginpage?next=%2Fowner%2Fsettingtag', {
    signedIn: null,
    org: null,
    answers: { '/api/authen/owner/user': () => new SignedIn('ow_1', { audience: 'owner', return: '' }) },
  });
  await user.type(await screen.findByLabelText('Organisation'), 'Spa');
  await user.type(screen.getByLabelText('User name'), 'nat');
  await user.type(screen.getByLabelText('Password'), 'secret');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/owner/settingtag'));
  expect(localStorage.getItem('token:owner')).toBe('ow_1');
  expect(calls('/api/authen/owner/user')[0]?.body).toEqual({ username: 'nat', password: 'secret', unique: 'spa' });
});

it('shows a missing field, and the server’s refusal', async () => {
  const user = userEvent.setup();
  const { calls } = await renderOffice('/staff/loginpage', {
    signedIn: null,
    answers: { '/api/authen/staff/user': () => new Refusal(403, 'staff.wrong_password') },
  });
  expect(screen.queryByLabelText('Organisation')).toBeNull();
  await user.click(await screen.findByRole('button', { name: 'Sign in' }));
  expect(await screen.findByText('Enter your user name.')).toBeTruthy();
  expect(calls('/api/authen/staff/user')).toHaveLength(0);

  await user.type(screen.getByLabelText('User name'), 'nat');
  await user.type(screen.getByLabelText('Password'), 'wrong');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByText('The user name or the password is not right.')).toBeTruthy();
});

it('leads to the sign-in when the session is over, and keeps the page', async () => {
  const { router } = await renderOffice('/owner/settingtag', {
    answers: { '/api/authen/rechecktoken': () => new Refusal(401, 'session.invalid_token') },
  });
  expect(await screen.findByText('Your session has ended. Sign in again to go on.')).toBeTruthy();
  expect(localStorage.getItem('token:owner')).toBeNull();
  expect(router.state.location.search).toEqual({ reason: 'over', next: '/owner/settingtag' });
});

it('leads to the sign-in once where the profile does not load, and opens after it', async () => {
  const user = userEvent.setup();
  const errors = vi.spyOn(console, 'error').mockReturnValue(); // React logs there what its boundary catches
  let down = true;
  const { router, calls } = await renderOffice('/owner/settingtag', {
    answers: {
      '/api/authen/rechecktoken': () => (down ? new Refusal(403, 'access.forbidden') : person()),
      '/api/authen/owner/user': () => new SignedIn('ow_1', { audience: 'owner', return: '' }),
    },
  });
  await screen.findByText("We couldn't open your account. Sign in again to go on.");
  expect(router.state.location.search).toEqual({ reason: 'profile', next: '/owner/settingtag' });
  expect(calls('/api/authen/rechecktoken')).toHaveLength(1);
  expect(errors).toHaveBeenCalledOnce();

  down = false;
  await user.type(screen.getByLabelText('User name'), 'nat');
  await user.type(screen.getByLabelText('Password'), 'secret');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  await screen.findByRole('heading', { name: 'Tags' });
});

it('shows only the screens and buttons that the letters allow', async () => {
  const { router } = await renderOffice('/owner/packagelist', {
    who: { role: 'user', permission: { tags: 'v', dashboard: '' } },
  });
  expect(await screen.findByRole('heading', { name: 'Tags' })).toBeTruthy();
  expect(router.state.location.pathname).toBe('/owner/settingtag');
  expect(screen.queryByRole('link', { name: 'Add tag' })).toBeNull();
  expect(screen.queryByText('Overview')).toBeNull();
});

it.each([
  [
    `/owner/settingtag?q=a%2Bb%2Cc&tag%5B%5D=1&tag%5B%5D=2&name=%E0%B8%99%E0%B8%A7%E0%B8%94&more=${'x'.repeat(400)}#part`,
    undefined,
  ],
  ['//evil.example/owner', '/owner/main'],
  ['/owner/..//evil.example', '/owner/main'],
  ['/ownerx', '/owner/main'],
  ['/staff/scanqrcode', '/owner/main'],
])('returns after the password to %s, or to the home', async (wanted, instead) => {
  const user = userEvent.setup();
  const { router } = await renderOffice(`/owner/loginpage?next=${encodeURIComponent(wanted)}`, {
    signedIn: null,
    answers: { '/api/authen/owner/user': () => new SignedIn('ow_1', { audience: 'owner', return: '' }) },
  });
  await user.type(await screen.findByLabelText('User name'), 'nat');
  await user.type(screen.getByLabelText('Password'), 'secret');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  await waitFor(() => expect(router.state.location.href).toBe(instead ?? wanted));
});
