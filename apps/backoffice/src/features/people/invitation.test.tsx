import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const made = {
  staff_id: 's1',
  url: 'https://spa.example/owner/register/staff#spa.secret',
  expires_at: '2026-11-24T03:00:00Z',
};

it('makes a link for a new person, and shows it once', async () => {
  const user = userEvent.setup();
  const { calls } = await renderOffice('/owner/stafflist', { answers: { '/api/owner/staff/invite': () => made } });
  await user.click(await screen.findByRole('button', { name: 'Invite by LINE' }));
  await user.click(screen.getByRole('button', { name: 'Make the link' }));
  await screen.findByText("Enter the person's name.");
  await screen.findByText('Choose what this person may do.');
  expect(calls('/api/owner/staff/invite')).toHaveLength(0);

  await user.type(screen.getByLabelText('Name'), 'Somchai');
  await user.click(screen.getByLabelText('Rights'));
  await user.click(await screen.findByRole('option', { name: 'Administrator, everything' }));
  await user.click(screen.getByRole('radio', { name: 'The counter' }));
  await user.click(screen.getByRole('button', { name: 'Make the link' }));
  await screen.findByText(made.url);
  expect(calls('/api/owner/staff/invite')[0]?.body).toEqual({ name: 'Somchai', role: 'admin', area: 'staff' });
});

it('says why the server refused', async () => {
  const user = userEvent.setup();
  await renderOffice('/owner/stafflist', {
    answers: { '/api/owner/staff/invite': () => new Refusal(403, 'staff.beyond_own_rights') },
  });
  await user.click(await screen.findByRole('button', { name: 'Invite by LINE' }));
  await user.type(screen.getByLabelText('Name'), 'Somchai');
  await user.click(screen.getByLabelText('Rights'));
  await user.click(await screen.findByRole('option', { name: 'Owner, everything' }));
  await user.click(screen.getByRole('button', { name: 'Make the link' }));
  await screen.findByText("You can't give rights that you do not have yourself.");
});

it('offers an invitation only with the right to add accounts', async () => {
  await renderOffice('/owner/stafflist', { who: { role: 'user', permission: { staff: 'v' } } });
  await screen.findByRole('heading', { name: 'Staff' });
  expect(screen.queryByRole('button', { name: 'Invite by LINE' })).toBeNull();
});
