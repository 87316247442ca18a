import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const run = (rest: object = {}) => ({
  id: 'r1',
  number: 'ST0001',
  state: 'draft',
  up_to: '2026-11-29',
  pay_day: '2026-12-01',
  minimum_satang: 100_00,
  organisations: 1,
  sum_satang: 1_000_00,
  left_out: 1,
  drafted_at: '2026-11-30T04:00:00Z',
  drafted_by: 'Malee',
  approved_by: '',
  alone: false,
  ...rest,
});

const payment = (rest: object = {}) => ({
  id: 's1',
  org_id: 'o1',
  name_th: 'บ้านสวน',
  name_en: 'Baan Suan',
  reference: 'ST0001-00001',
  state: 'ready',
  left_out: '',
  amount_satang: 1_000_00,
  fee_satang: 30_00,
  paid_on: null,
  reason: '',
  ...rest,
});

const story = (record: object, ...settlements: object[]) => ({
  record,
  computing: false,
  booking: false,
  hash: 'abc',
  file_sha256: '',
  settlements,
});

const open = (address: string, answers: object) =>
  renderOffice(`/advwsadmin/${address}`, {
    signedIn: 'admin',
    org: null,
    who: { audience: 'admin' },
    answers: { '/api/admin/settlement/list': () => ({ data: [run()] }), ...answers },
  });

it('drafts a run of days and a least sum', async () => {
  const user = userEvent.setup();
  const { calls } = await open('settlement_list', { '/api/admin/settlement/draft': () => ({ id: 'r2' }) });
  await user.click(await screen.findByRole('button', { name: 'Draft a run' }, { timeout: 20_000 }));
  const dialog = await screen.findByRole('dialog', { name: 'Draft a run' });
  await user.type(within(dialog).getByLabelText('Earned by the end of'), '29/11/2026');
  await user.type(within(dialog).getByLabelText('Pay day'), '01/12/2026');
  await user.tab();
  await user.click(within(dialog).getByRole('button', { name: 'Draft it' }));
  await waitFor(() =>
    expect(calls('/api/admin/settlement/draft')[0]?.body).toEqual({
      up_to: '2026-11-29',
      pay_day: '2026-12-01',
      minimum_satang: 100_00,
    }),
  );
}, 60_000);

it('says why an organisation is left out, and approves exactly what was looked at', async () => {
  const user = userEvent.setup();
  const left = payment({ id: 's2', name_en: 'Tea House', state: 'left_out', left_out: 'suspended' });
  const { calls } = await open('settlement_list?run=r1', {
    '/api/admin/settlement/detail': () => story(run(), payment(), left),
    '/api/admin/settlement/approve': () => ({}),
  });
  await screen.findByText(/it is suspended/, {}, { timeout: 20_000 });
  expect(screen.getAllByText(/platform fee 30.00/)).toHaveLength(2);
  await user.click(screen.getByRole('button', { name: 'Approve' }));
  await waitFor(() => expect(calls('/api/admin/settlement/approve')[0]?.body).toEqual({ id: 'r1', hash: 'abc' }));
}, 60_000);

it('takes a booked run back with a reason', async () => {
  const user = userEvent.setup();
  const { calls } = await open('settlement_list?run=r1', {
    '/api/admin/settlement/detail': () => story(run({ state: 'approved' }), payment({ state: 'booked' })),
    '/api/admin/settlement/withdraw': () => ({}),
  });
  await user.click(await screen.findByRole('button', { name: 'Take the run back' }, { timeout: 20_000 }));
  const dialog = await screen.findByRole('dialog', { name: 'Take ST0001 back?' });
  await user.type(within(dialog).getByLabelText('Why'), 'wrong day');
  await user.click(within(dialog).getByRole('button', { name: 'Take the run back' }));
  await waitFor(() =>
    expect(calls('/api/admin/settlement/withdraw')[0]?.body).toEqual({ id: 'r1', reason: 'wrong day' }),
  );
}, 60_000);

it('shows the owner a statement, whose figures open their entries', async () => {
  const user = userEvent.setup();
  const own = {
    id: 's1',
    reference: 'ST0001-00001',
    state: 'paid',
    up_to: '2026-11-29',
    pay_day: '2026-12-01',
    amount_satang: 1_000_00,
    booked_at: '2026-11-30T04:00:00Z',
    paid_on: '2026-12-01',
    reason: '',
    bank: '004',
    account_digits: '7890',
  };
  await renderOffice('/owner/settlementlist', {
    answers: {
      '/api/owner/settlement/list': () => ({
        settlements: [own],
        payable_satang: 250_00,
        leaving_satang: 0,
        holds_satang: 900_00,
      }),
      '/api/owner/settlement/statement': () => ({
        settlement: own,
        from: null,
        opening_satang: 0,
        movements: [
          { kind: 'use', count: 3, amount_satang: 1_250_00 },
          { kind: 'settlement', count: 1, amount_satang: -1_000_00 },
        ],
        closing_satang: 250_00,
      }),
      '/api/owner/settlement/entries': () => ({
        data: [{ at: '2026-11-20T04:00:00Z', kind: 'use', memo_th: 'ใช้', memo_en: 'Spa hour', amount_satang: 417_00 }],
      }),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Statement of ST0001-00001' }, { timeout: 20_000 }));
  const dialog = await screen.findByRole('dialog', { name: 'Statement of ST0001-00001' });
  await user.click(await within(dialog).findByRole('button', { name: /Vouchers used/ }));
  expect(await within(dialog).findByText(/Spa hour/)).toBeTruthy();
}, 60_000);

it('says that nothing is paid out to who collects by a gateway account of its own', async () => {
  await renderOffice('/owner/settlementlist', {
    answers: {
      '/api/owner/settlement/list': () => ({
        settlements: [],
        payable_satang: 250_00,
        leaving_satang: 0,
        holds_satang: 0,
      }),
    },
  });
  await screen.findByText('The platform holds no money of yours');
  expect(screen.queryByText('250.00')).toBeNull();
});
