import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const get = '/api/owner/payoutsetting/get';
const add = '/api/owner/payoutschedule/add';
const turn = '/api/owner/payoutschedule/switch';
const save = '/api/owner/payoutsetting/save';

const schedule = (rest: object = {}) => ({
  id: 's1',
  kind: 'agent',
  every: 'month',
  day: 31,
  active: true,
  since: '2026-10-01T02:00:00Z',
  handled_at: null,
  outcome: '',
  run_id: null,
  run_number: '',
  next_on: '2026-11-30',
  next_pay_day: '2026-12-02',
  ...rest,
});

const settings = (...schedules: object[]) => ({ minimum_satang: 100_00, schedules });

const page = (now: object, answers: object = {}, options: object = {}) =>
  renderOffice('/owner/settingpayout', { answers: { [get]: () => now, ...answers } as never, ...options });

const dialog = async () => within(await screen.findByRole('dialog'));

it('says when each schedule drafts next, and when that is paid', async () => {
  await page(
    settings(
      schedule(),
      schedule({ id: 's2', every: 'week', day: 5, next_on: '2026-12-31', next_pay_day: null }),
      schedule({ id: 's3', kind: 'refund', day: 16, active: false, next_on: null, next_pay_day: null }),
    ),
  );
  await screen.findByText('Every month: The last day');
  screen.getByText('Next 30/11/2026, paid on 02/12/2026');
  screen.getByText('Every week: Friday');
  screen.getByText("Next 31/12/2026. Its pay day is not known yet: the banks' holidays are missing.");
  screen.getByText('Every month: Day 16');
  screen.getByRole('switch', { name: 'Every month: Day 16, Refunds' });
  screen.getByText('Switched off: nothing is drafted by it.');
});

it.each([
  ['drafted', /^01\/11\/2026: a run was drafted/],
  ['empty', /nobody could be paid, so there is no draft/],
  ['draft_open', /skipped, because another draft was open/],
  ['no_bank_days', /skipped, because the banks' holidays of the pay day's year were not known/],
  ['no_tax_rule', /skipped, because there was no tax rate for the pay day/],
])('says what became of the latest day: %s', async (outcome, line) => {
  const run = outcome === 'drafted' ? { run_id: 'r7', run_number: 'PO0007' } : {};
  await page(settings(schedule({ handled_at: '2026-10-31T17:10:00Z', outcome, ...run })));
  await screen.findByText(line);
  const link = screen.queryByRole('link', { name: 'PO0007' });
  expect(link?.getAttribute('href')).toBe(outcome === 'drafted' ? '/owner/paycommissiontransaction/r7' : undefined);
});

it('adds a day of a week or a month', async () => {
  const user = userEvent.setup();
  const { calls } = await page(settings(), { [add]: () => settings(schedule()) });
  await screen.findByText('None yet: each run is drafted by hand.');
  await user.click(screen.getByRole('button', { name: 'Add a schedule' }));
  await user.click((await dialog()).getByRole('button', { name: 'Add a schedule' }));
  await screen.findByText('Every month: The last day');
  expect(calls(add).map(({ body }) => body)).toEqual([{ kind: 'agent', every: 'month', day: 1 }]);
});

it('has refunds drafted by themselves', async () => {
  const user = userEvent.setup();
  const { calls } = await page(settings(), { [add]: () => settings(schedule({ kind: 'refund' })) });
  await user.click(await screen.findByRole('button', { name: 'Add a schedule' }));
  await user.click((await dialog()).getByRole('combobox', { name: 'Pays' }));
  await user.click(await screen.findByRole('option', { name: 'Refunds' }));
  await user.click((await dialog()).getByRole('button', { name: 'Add a schedule' }));
  await screen.findByText('Refunds');
  expect(calls(add).map(({ body }) => body)).toEqual([{ kind: 'refund', every: 'month', day: 1 }]);
});

it('says in its dialog that a day has a schedule already', async () => {
  const user = userEvent.setup();
  await page(settings(), {
    [add]: () => new Refusal(422, 'input.invalid', { fields: [{ path: 'day', fault: 'field.duplicate' }] }),
  });
  await user.click(await screen.findByRole('button', { name: 'Add a schedule' }));
  await user.click((await dialog()).getByRole('button', { name: 'Add a schedule' }));
  await (await dialog()).findByText('This day has a schedule already');
});

it('turns a schedule off', async () => {
  const user = userEvent.setup();
  const off = { active: false, next_on: null, next_pay_day: null };
  const { calls } = await page(settings(schedule()), { [turn]: () => settings(schedule(off)) });
  await user.click(await screen.findByRole('switch', { name: 'Every month: The last day, Commission' }));
  await screen.findByText('Switched off: nothing is drafted by it.');
  expect(calls(turn).map(({ body }) => body)).toEqual([{ id: 's1', active: false }]);
});

it('saves how little is transferred', async () => {
  const user = userEvent.setup();
  const { calls } = await page(settings(), { [save]: () => ({ ...settings(), minimum_satang: 250_00 }) });
  const field = await screen.findByLabelText('Pay at least');
  await user.clear(field);
  await user.type(field, '250');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(calls(save).map(({ body }) => body)).toEqual([{ minimum_satang: 250_00 }]));
});

it('shows who may only look how it is, and lets him change nothing', async () => {
  await page(settings(schedule()), {}, { who: { role: 'user', permission: { paycommissiontransaction: 'vus' } } });
  await screen.findByText('On');
  expect(screen.queryByRole('switch')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Add a schedule' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
});
