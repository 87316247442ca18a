import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const row = (id: string, rest: object = {}) => ({
  id,
  kind: 'refund',
  state: 'waiting',
  record_table: 'orders',
  record_id: `order-${id}`,
  title: `OD${id}`,
  customer_id: 'c1',
  customer_name: 'Nat',
  amount_satang: 2415_00,
  note: 'moves to Phuket',
  asked_at: '2026-11-21T07:26:00Z',
  asked_by: 's1',
  asked_by_name: 'Tom',
  due_at: '2026-11-24T07:26:00Z',
  answered_at: null,
  answered_by_name: '',
  answer: '',
  alone: false,
  ...rest,
});

const money = (satang: number) => ({ amount_satang: satang, state: '', items: 0 });

const detail = (record: object, rest: object = {}) => ({
  record,
  may: 'answer',
  fault: '',
  changes: [
    { what: 'wallet', name: 'Nat', before: money(1850_00), after: money(4265_00) },
    { what: 'unearned', name: '', before: money(9000_00), after: money(6911_03) },
    {
      what: 'voucher',
      name: 'RL7K',
      before: { amount_satang: 0, state: 'ready', items: 2 },
      after: { amount_satang: 0, state: 'refunded', items: 2 },
    },
  ],
  ...rest,
});

async function open(shown: object = {}, answers: object = {}, address = '/owner/approval') {
  const user = userEvent.setup();
  const calls = await renderOffice(address, {
    answers: {
      '/api/owner/approval/inbox': () => ({
        waiting: [row('1'), row('2', { note: '' })],
        asked: [row('3')],
        answered: [
          row('4', {
            state: 'refused',
            answered_by_name: 'Mali',
            answered_at: '2026-11-21T08:00:00Z',
            answer: 'ask first',
          }),
        ],
        rules: { refund_above_satang: 2000_00 },
      }),
      '/api/owner/approval/detail': ({ id }: { id: string }) => detail(row(id), shown),
      ...answers,
    },
  });
  return { user, calls };
}

it('shows what waits, and of the first all that changes, and approves it', async () => {
  const approved: object[] = [];
  const { user } = await open({}, { '/api/owner/approval/approve': (body: object) => ({ sent: approved.push(body) }) });
  await screen.findByText('1,850.00');
  screen.getByText('4,265.00');
  screen.getByRole('row', { name: /RL7K.*Refunded/ });
  screen.getByText('฿2,000.00', { exact: false });
  await user.click(screen.getByRole('button', { name: /Approve and refund/ }));
  await waitFor(() => expect(approved).toEqual([{ id: '1' }]));
});

it('says of a run of payouts whom it pays how much, and leads to it', async () => {
  const run = (state: string) => ({ amount_satang: 14_250_27, state, items: 2 });
  const { user } = await open(
    {},
    {
      '/api/owner/approval/detail': () =>
        detail(
          row('1', {
            kind: 'payout',
            record_table: 'payoutrun',
            record_id: 'r1',
            title: 'PO0003',
            customer_id: null,
            customer_name: '',
            amount_satang: 14_250_27,
          }),
          { changes: [{ what: 'run', name: 'PO0003', before: run('draft'), after: run('approved') }] },
        ),
      '/api/owner/approval/approve': () => ({}),
    },
  );
  const link = await screen.findByRole('link', { name: 'PO0003' });
  expect(link.getAttribute('href')).toBe('/owner/paycommissiontransaction/r1');
  screen.getByRole('row', { name: 'Run PO0003 Draft: 2 people, 14,250.27 Approved: 2 people, 14,250.27' });
  screen.getByText(/Until then nobody is paid, and the draft stays as it is/);
  await user.click(screen.getByRole('button', { name: 'Approve ฿14,250.27' }));
  await screen.findByText('Approved, and done');
});

it('asks for a reason before it is refused', async () => {
  const refused: object[] = [];
  const { user } = await open({}, { '/api/owner/approval/refuse': (body: object) => ({ sent: refused.push(body) }) });
  await user.click(await screen.findByRole('button', { name: 'Refuse' }));
  const dialog = within(screen.getByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Refuse' }));
  dialog.getByText('Write why');
  await user.type(dialog.getByRole('textbox'), 'ask him first');
  await user.click(dialog.getByRole('button', { name: 'Refuse' }));
  await waitFor(() => expect(refused).toEqual([{ id: '1', reason: 'ask him first' }]));
});

it('lets nobody approve his own, nor what cannot be done any more', async () => {
  await open({ may: 'withdraw' }, {}, '/owner/approval/3');
  await screen.findByText(/Another person has to answer/);
  expect(screen.queryByRole('button', { name: /Approve/ })).toBeNull();
  screen.getByRole('button', { name: 'Withdraw' });
});

it('says what stands against it now', async () => {
  await open({ fault: 'voucher.too_few_items', changes: [] });
  await screen.findByText('It cannot be done as it was asked for');
  expect(screen.getByRole('button', { name: /Approve and refund/ })).toHaveProperty('disabled', true);
});

it('goes to the next one by J, and says who answered', async () => {
  const { user } = await open();
  await screen.findByText('1,850.00');
  await user.keyboard('j');
  await waitFor(() => expect(screen.getAllByRole('listitem')[1]?.querySelector('[aria-current]')).not.toBeNull());
  await user.click(screen.getByRole('tab', { name: 'Answered' }));
  expect(screen.getAllByText('Refused').length).toBeGreaterThan(0);
});

it('lets go of a rule only with a second person', async () => {
  const sent: object[] = [];
  const user = userEvent.setup();
  await renderOffice('/owner/settingapproval', {
    answers: {
      '/api/owner/setting/approval/get': () => ({ refund_above_satang: 2000_00 }),
      '/api/owner/setting/approval/save': (body: object) => {
        sent.push(body);
        return { refund_above_satang: 2000_00, asked: true };
      },
    },
  });
  const field = await screen.findByLabelText('A second person for refunds above');
  await user.clear(field);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toEqual([{ refund_above_satang: null }]));
  await screen.findByText(/It waits under Approvals/);
});
