import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { expect, it } from 'vitest';
import { openOffice } from '../../open-office.ts';

it('sends who has no token to the sign-in page and forgets the organisation', async () => {
  localStorage.setItem('org', 'spa');
  const { router } = await openOffice('/owner/packagelist?q=oil', { signedIn: null });
  await screen.findByRole('button', { name: 'Sign in' });
  expect(router.state.location.pathname).toBe('/owner/loginpage');
  expect(router.state.location.search).toEqual({ next: '/owner/packagelist?q=oil' });
  expect(localStorage.getItem('org')).toBeNull();
});

it('clears everything where staff have no token', async () => {
  const { router } = await openOffice('/staff', { signedIn: 'owner' });
  await screen.findByRole('button', { name: 'Sign in' });
  expect(router.state.location.pathname).toBe('/staff/loginpage');
  expect(localStorage.getItem('token:owner')).toBeNull();
});

it('asks for the organisation only on the platform’s own host, and goes where the person wanted', async () => {
  const user = userEvent.setup();
  const { router, calls } = await openOffice('/owner/loginpage?next=%2Fowner%2Fsettingtag', {
    signedIn: null,
    org: null,
    answers: { '/api/authen/owner/user': () => ({ token: 'ow_1', audience: 'owner', return: '' }) },
  });
  await user.type(await screen.findByLabelText('Organisation'), 'Spa');
  await user.type(screen.getByLabelText('User name'), 'nat');
  await user.type(screen.getByLabelText('Password'), 'secret');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/owner/settingtag'));
  expect(calls('/api/authen/owner/user')[0]?.body).toEqual({ username: 'nat', password: 'secret', unique: 'spa' });
});

it('says what is missing, and what the server refused', async () => {
  const user = userEvent.setup();
  const { calls } = await openOffice('/staff/loginpage', {
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

it('leaves when the session is over, and comes back to the same place', async () => {
  const { router } = await openOffice('/owner/settingtag', {
    answers: { '/api/authen/rechecktoken': () => new Refusal(401, 'session.invalid_token') },
  });
  expect(await screen.findByText('Your session has ended. Sign in again to go on.')).toBeTruthy();
  expect(localStorage.getItem('token:owner')).toBeNull();
  expect(router.state.location.search).toEqual({ reason: 'over', next: '/owner/settingtag' });
});

it('shows only what the letters allow', async () => {
  const { router } = await openOffice('/owner/packagelist', {
    who: { role: 'user', permission: { tags: 'v', dashboard: '' } },
  });
  expect(await screen.findByRole('heading', { name: 'Tags' })).toBeTruthy();
  expect(router.state.location.pathname).toBe('/owner/settingtag');
  expect(screen.queryByRole('link', { name: 'Add tag' })).toBeNull();
  expect(screen.queryByText('Dashboard')).toBeNull();
});
