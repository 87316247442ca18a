import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';
import { switchLetter } from './letters.tsx';

const id = '01990000-0000-7000-8000-000000000001';
const row = {
  id,
  username: 'manee',
  name: 'มานี',
  email: '',
  role: 'admin',
  permission_admin: { organize: ['v'] },
  line: false,
  state: 'active',
  invited_until: null,
  signed_in_at: '2026-11-29T03:00:00Z',
};
const detail = {
  ...row,
  self: false,
  sessions: [{ id: 'aa', opened_at: '2026-11-29T03:00:00Z', seen_at: '2026-11-29T04:00:00Z', this: false }],
  sign_ins: [{ at: '2026-11-29T02:59:00Z', way: 'password', fault: 'admin.wrong_password', address: '192.0.2.1' }],
};
const office = (answers = {}) =>
  renderOffice(`/advwsadmin/admin_edit/${id}`, {
    signedIn: 'admin',
    org: null,
    answers: { '/api/admin/admin/detail': () => detail, '/api/admin/admin/list': () => ({ data: [row] }), ...answers },
  });

it('takes all letters with v, and gives v with another one', () => {
  expect(switchLetter({ organize: ['v', 'u'] }, 'organize', 'v')).toEqual({ organize: [] });
  expect(switchLetter({}, 'organize', 'u')).toEqual({ organize: ['v', 'u'] });
  expect(switchLetter({ organize: ['v', 'u'] }, 'organize', 'u')).toEqual({ organize: ['v'] });
});

it('saves the letters of another admin, and shows why a sign-in was refused', async () => {
  const user = userEvent.setup();
  const { calls } = await office({ '/api/admin/admin/save': () => detail });
  await screen.findByText('The user name or the password is not right.');
  await user.click(screen.getByRole('checkbox', { name: 'Change: Plans and modules' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(calls('/api/admin/admin/save')).toHaveLength(1));
  expect(calls('/api/admin/admin/save')[0]?.body).toMatchObject({
    id,
    role: 'admin',
    permission_admin: { organize: ['v'], package: ['v', 'u'] },
  });
});

it('ends one session, and suspends only when asked twice', async () => {
  const user = userEvent.setup();
  const { calls } = await office({
    '/api/admin/admin/sessions/end': () => ({ ...detail, sessions: [] }),
    '/api/admin/admin/suspend': () => ({ ...detail, sessions: [], state: 'suspended' }),
  });
  await user.click(await screen.findByRole('button', { name: 'End' }));
  await screen.findByText('Nowhere.');
  expect(calls('/api/admin/admin/sessions/end')[0]?.body).toEqual({ id, session: 'aa' });
  await user.click(screen.getByRole('button', { name: 'Suspend' }));
  expect(calls('/api/admin/admin/suspend')).toHaveLength(0);
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Suspend' }));
  await screen.findByText('Suspended');
});

it('offers no admin the change of his own rights', async () => {
  await office({ '/api/admin/admin/detail': () => ({ ...detail, self: true }) });
  const letter = await screen.findByRole('checkbox', { name: 'See: Organisations' });
  expect((letter as HTMLButtonElement).disabled).toBe(true);
  expect(screen.queryByRole('button', { name: 'Suspend' })).toBeNull();
});

it('invites somebody, and shows the link that no e-mail took', async () => {
  const user = userEvent.setup();
  const { router, calls } = await office({
    '/api/admin/admin/invite': () => ({
      id,
      mailed: false,
      url: 'http://x/#token',
      expires_at: '2026-12-01T00:00:00Z',
    }),
  });
  await router.navigate({ to: '/advwsadmin/admin_list' });
  await user.click(await screen.findByRole('button', { name: 'Invite an administrator' }));
  await user.click(screen.getByRole('button', { name: 'Invite' }));
  await screen.findByText("Enter the person's name.");
  await user.type(screen.getByLabelText('Name'), 'ชูใจ');
  await user.type(screen.getByLabelText(/^User name/), 'choojai');
  await user.click(screen.getByRole('button', { name: 'Invite' }));
  await screen.findByText('http://x/#token');
  expect(calls('/api/admin/admin/invite')[0]?.body).toMatchObject({
    username: 'choojai',
    role: 'admin',
    permission_admin: {},
  });
});

it('sets a password by a link, and takes its token out of the address', async () => {
  const user = userEvent.setup();
  location.hash = '#secret';
  const { router, calls } = await renderOffice('/advwsadmin/join', {
    signedIn: null,
    org: null,
    answers: {
      '/api/authen/admin/invitation': () => ({ username: 'manee', name: 'มานี', expires_at: '2026-12-01T00:00:00Z' }),
      '/api/authen/admin/join': () => ({ audience: 'admin', return: '/advwsadmin', session: '' }),
    },
  });
  await screen.findByRole('heading', { name: 'Hello มานี' });
  expect(location.hash).toBe('');
  expect(calls('/api/authen/admin/invitation')[0]?.body).toEqual({ token: 'secret' });
  const [first, again] = screen.getAllByLabelText(/password/i) as [HTMLElement, HTMLElement];
  await user.type(first, 'long enough');
  await user.type(again, 'other');
  await user.click(screen.getByRole('button', { name: 'Set the password and sign in' }));
  await screen.findByText('Passwords do not match');
  expect(calls('/api/authen/admin/join')).toHaveLength(0);
  await user.clear(again);
  await user.type(again, 'long enough');
  await user.click(screen.getByRole('button', { name: 'Set the password and sign in' }));
  await waitFor(() =>
    expect(calls('/api/authen/admin/join')[0]?.body).toEqual({ token: 'secret', password: 'long enough' }),
  );
  expect(router.state.location.pathname).toContain('/advwsadmin');
});
