import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal, SignedIn } from '@wlv/client/test-kit';
import { afterEach, expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

afterEach(() => sessionStorage.clear());

it('asks for a code where the password alone opens nothing, and goes on to the wanted page', async () => {
  const user = userEvent.setup();
  let tries = 0;
  const { router, calls } = await renderOffice('/owner/loginpage?next=%2Fowner%2Fsettingtag', {
    signedIn: null,
    answers: {
      '/api/authen/owner/user': () => new SignedIn('', { audience: 'owner', return: '/owner', pending: 'p1' }),
      '/api/authen/code': () => {
        tries += 1;
        return tries === 1
          ? new Refusal(409, 'second_factor.code')
          : new SignedIn('ow_1', { audience: 'owner', return: '/owner' });
      },
    },
  });
  await user.type(await screen.findByLabelText('User name'), 'nat');
  await user.type(screen.getByLabelText('Password'), 'secret');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));

  const code = await screen.findByLabelText('Code');
  expect(localStorage.getItem('token:owner')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByText('Enter the code.')).toBeTruthy();
  await user.type(code, '111111');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByText(/This code is wrong/)).toBeTruthy();
  await user.type(code, '222222');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/owner/settingtag'));
  expect(localStorage.getItem('token:owner')).toBe('ow_1');
  expect(calls('/api/authen/code')[1]?.body).toEqual({ pending: 'p1', code: '222222' });
});

it('asks for the code after LINE too', async () => {
  const { router } = await renderOffice('/logincallback/owner/?code=c&state=s', {
    signedIn: null,
    answers: {
      '/api/authen/line/finish': () =>
        new SignedIn('', { audience: 'owner', return: '/owner/settingtag', pending: 'p2' }),
    },
  });
  expect(await screen.findByLabelText('Code')).toBeTruthy();
  expect(router.state.location.pathname).toBe('/owner/loginpage');
  expect(router.state.location.search).toEqual({ next: '/owner/settingtag' });
});

it('sends a link to who has lost his password, and says the same for every name', async () => {
  const user = userEvent.setup();
  const { calls } = await renderOffice('/staff/forgotpassword', {
    signedIn: null,
    answers: { '/api/authen/password/forgot': () => ({}) },
  });
  await user.click(await screen.findByRole('button', { name: 'Send a link by e-mail' }));
  expect(await screen.findByText('Enter your user name.')).toBeTruthy();
  await user.type(screen.getByLabelText('User name'), 'nat');
  await user.click(screen.getByRole('button', { name: 'Send a link by e-mail' }));
  expect(await screen.findByText(/If an account of this name has an e-mail address/)).toBeTruthy();
  expect(calls('/api/authen/password/forgot')[0]?.body).toEqual({ audience: 'staff', username: 'nat' });
});

it('sets a lost password by the link, which leaves the address, and shows why one is refused', async () => {
  const user = userEvent.setup();
  let tries = 0;
  location.hash = '#link1';
  const { calls } = await renderOffice('/owner/newpassword', {
    signedIn: null,
    otherwise: () => ({ data: [] }),
    answers: {
      '/api/authen/password/link': () => ({ username: 'nat', name: 'Nat', audience: 'owner' }),
      '/api/authen/password/set': () => {
        tries += 1;
        return tries === 1
          ? new Refusal(422, 'bad_input', { fields: [{ path: 'password', fault: 'field.password' }] })
          : new SignedIn('ow_2', { audience: 'owner', return: '/owner' });
      },
    },
  });
  expect(await screen.findByText('Hello Nat')).toBeTruthy();
  await user.type(screen.getByLabelText('Password'), '!!!!');
  await user.type(screen.getByLabelText('The password once more'), '!!!!');
  await user.click(screen.getByRole('button', { name: 'Set the password and sign in' }));
  await waitFor(() => expect(screen.getByLabelText('Password').getAttribute('aria-invalid')).toBe('true'));
  await user.clear(screen.getByLabelText('Password'));
  await user.type(screen.getByLabelText('Password'), 'good1234');
  await user.clear(screen.getByLabelText('The password once more'));
  await user.type(screen.getByLabelText('The password once more'), 'good1234');
  await user.click(screen.getByRole('button', { name: 'Set the password and sign in' }));
  await waitFor(() => expect(localStorage.getItem('token:owner')).toBe('ow_2'));
  expect(calls('/api/authen/password/set')[1]?.body).toEqual({ token: 'link1', password: 'good1234' });
  expect(location.hash).toBe('');
});
