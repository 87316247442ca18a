import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const none = {
  channel_id: '',
  secret_end: '',
  basic_id: '',
  name: '',
  state: 'none',
  monthly_limit: null,
  uses_from_satang: 1000_00,
  quota: null,
  used: 0,
  counted_at: null,
  handed: 0,
  waiting: 0,
  unknown: 0,
  refused: 0,
  held: [],
};
const connected = {
  ...none,
  channel_id: '1650000077',
  secret_end: 'wxyz',
  basic_id: '@lamai',
  name: 'Lamai Spa',
  state: 'untested',
};
const sending = { ...connected, state: 'sending', quota: 300, used: 280, counted_at: '2026-11-21T07:20:00Z' };
const call = (what: string) => `/api/owner/setting/push/${what}`;

const page = (account: object, answers = {}) =>
  renderOffice('/owner/settingline', { answers: { [call('get')]: () => account, ...answers } });

it('connects an account, then tests it', async () => {
  const user = userEvent.setup();
  const { calls } = await page(none, { [call('save')]: () => connected, [call('test')]: () => sending });
  await user.type(await screen.findByLabelText('Channel ID'), '1650-000077');
  await user.type(screen.getByLabelText('Channel secret'), 'shh');
  await user.click(screen.getByRole('button', { name: 'Check and save' }));
  await user.click(await screen.findByRole('button', { name: 'Send the test to me' }));
  await screen.findByText('Sending');
  expect(calls(call('save'))[0]?.body).toEqual({ channel_id: '1650000077', channel_secret: 'shh' });
  expect((screen.getByLabelText('Channel secret') as HTMLInputElement).value).toBe('');
});

it('says what LINE refuses, at the field and at the test', async () => {
  const user = userEvent.setup();
  await page(connected, {
    [call('save')]: () =>
      new Refusal(422, 'input.invalid', { fields: [{ path: 'channel_secret', fault: 'line.channel' }] }),
    [call('test')]: () => new Refusal(422, 'push.provider'),
  });
  await user.click(await screen.findByRole('button', { name: 'Send the test to me' }));
  await screen.findByText(/must belong to the same provider/);
  const secret = screen.getByLabelText('Channel secret');
  await user.type(secret, 'wrong');
  await user.click(screen.getByRole('button', { name: 'Check and save' }));
  await waitFor(() => expect(secret.getAttribute('aria-invalid')).toBe('true'));
});

it('says what became of the month, and why messages stayed in the inbox', async () => {
  await page({ ...sending, handed: 41, unknown: 1, held: [{ reason: 'saving', messages: 12 }] });
  await screen.findByText(/280 of 300 messages/);
  const row = screen.getByText('The last fifth of the month is kept for what matters most').closest('li');
  expect(row?.textContent).toContain('12 messages');
});

it('takes a limit, and none', async () => {
  const user = userEvent.setup();
  const { calls } = await page({ ...sending, monthly_limit: 200 }, { [call('limit/save')]: () => sending });
  await user.clear(await screen.findByLabelText('Messages a month, at most'));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(calls(call('limit/save'))[0]?.body).toEqual({ monthly_limit: null, uses_from_satang: 1000_00 }),
  );
});

it('asks before it disconnects', async () => {
  const user = userEvent.setup();
  const { calls } = await page(sending, { [call('remove')]: () => none });
  await user.click(await screen.findByRole('button', { name: 'Disconnect' }));
  const question = within(await screen.findByRole('dialog', { name: 'Disconnect the account?' }));
  expect(calls(call('remove'))).toHaveLength(0);
  await user.click(question.getByRole('button', { name: 'Disconnect' }));
  await waitFor(() => expect(screen.queryByText('Lamai Spa')).toBeNull());
  expect(calls(call('remove'))[0]?.body).toEqual({ channel_id: '1650000077' });
});
