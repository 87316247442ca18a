import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { browserPage } from '@wlv/client/browser-page';
import { Refusal } from '@wlv/client/test-kit';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const invitation = {
  name: 'Somchai',
  area: 'staff',
  expires_at: '2026-11-24T03:00:00Z',
  name_th: 'สปา',
  name_en: 'Spa',
};
const path = '/api/authen/registeruser/invitation';

beforeEach(() => {
  window.history.replaceState(null, '', '/owner/register/staff#spa.secret');
});

it('shows the organisation, takes the token out of the address, and goes to LINE with it', async () => {
  const user = userEvent.setup();
  const open = vi.spyOn(browserPage, 'open').mockReturnValue();
  const { calls } = await renderOffice('/owner/register/staff', {
    signedIn: null,
    answers: { [path]: () => invitation, '/api/authen/line/start': () => ({ url: 'https://line.example' }) },
  });
  await screen.findByRole('heading', { name: 'Spa invites you' });
  expect(calls(path)[0]?.body).toEqual({ token: 'spa.secret' });
  expect(localStorage.getItem('register')).toBe('spa.secret');

  await user.click(screen.getByRole('button', { name: 'Join with LINE' }));
  await waitFor(() => expect(open).toHaveBeenCalledWith('https://line.example'));
  expect(calls('/api/authen/line/start')[0]?.body).toEqual({
    audience: 'staff',
    return: '/staff',
    invitation: 'spa.secret',
  });
});

it('says that the invitation was used, and forgets it', async () => {
  await renderOffice('/owner/register/staff', {
    signedIn: null,
    answers: { [path]: () => new Refusal(409, 'invitation.used') },
  });
  await screen.findByText('This invitation has been used already. If it was you, sign in with LINE.');
  await waitFor(() => expect(localStorage.getItem('register')).toBeNull());
});
