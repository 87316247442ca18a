import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const partner = (rest: object = {}) => ({
  id: 'p1',
  name_th: 'บ้านสวนสปา',
  name_en: 'Baan Suan Spa',
  status: 5,
  updated_at: '2026-11-01T04:00:00Z',
  places: 1,
  basis_points: 1000,
  waiting: true,
  approved: false,
  ...rest,
});

const form = (rest: object = {}) => ({
  id: 'v1',
  state: 'pending',
  kind: 'company',
  name: 'Baan Suan Spa Co., Ltd.',
  identity_digits: '0017',
  bank: '004',
  account_digits: '7890',
  sent_at: '2026-11-20T04:00:00Z',
  sent_by: 'Waraporn',
  decided_at: null,
  decided_by: '',
  reason: '',
  pays_from: null,
  form: {
    tax_id: '0105561000017',
    idcard: '',
    account_number: '1234567890',
    account_name: 'Baan Suan',
    mobilenumber: '08',
  },
  same: [],
  standing: 'answer',
  identity_right: true,
  ...rest,
});

const record = (...forms: object[]) => ({
  record: partner(),
  pending_satang: 52_20,
  payable_satang: 100_00,
  owed_satang: 0,
  paid_satang: 0,
  service_points: [{ id: 's1', name_th: 'นิมมาน', name_en: 'Nimman' }],
  forms,
});

const open = (forms: object[], more: object = {}) =>
  renderOffice('/owner/partnerlist/p1', {
    answers: {
      '/api/owner/get/partner': () => ({ data: [partner()], next: null, total: 1 }),
      '/api/owner/detail/partner': () => partner(),
      '/api/owner/partner/record': () => record(...forms),
      ...more,
    },
  });

it('shows what a partner has earned, where, and has somebody else approve the account', async () => {
  const user = userEvent.setup();
  const { calls } = await open([form()], { '/api/owner/partner/accept': () => ({}) });
  const account = await screen.findByRole('region', { name: 'Bank account' }, { timeout: 20_000 });
  expect(screen.getByText('52.20')).toBeTruthy();
  expect(screen.getByText('Nimman')).toBeTruthy();
  expect(within(account).getByText('1234567890')).toBeTruthy();
  await user.click(within(account).getByRole('button', { name: 'Approve' }));
  const dialog = await screen.findByRole('dialog', { name: 'Approve this account?' });
  await user.click(within(dialog).getByRole('button', { name: 'Approve' }));
  await waitFor(() => expect(calls('/api/owner/partner/accept')[0]?.body).toEqual({ version_id: 'v1', reason: '' }));
}, 60_000);

it('asks why where somebody else has the same', async () => {
  const user = userEvent.setup();
  const other = { payee_id: 'a1', kind: 'agent', name: 'Nok', what: ['account'] };
  const { calls } = await open([form({ same: [other] })], { '/api/owner/partner/accept': () => ({}) });
  const account = await screen.findByRole('region', { name: 'Bank account' }, { timeout: 20_000 });
  expect(within(account).getByText('the same bank account')).toBeTruthy();
  await user.click(within(account).getByRole('button', { name: 'Approve' }));
  const dialog = await screen.findByRole('dialog', { name: 'Approve this account?' });
  await user.click(within(dialog).getByRole('button', { name: 'Approve' }));
  expect(within(dialog).getByText('Write why')).toBeTruthy();
  expect(calls('/api/owner/partner/accept')).toHaveLength(0);
}, 60_000);

it('lets who filled it in take it back, and not approve it', async () => {
  const user = userEvent.setup();
  const { calls } = await open([form({ standing: 'withdraw' })], { '/api/owner/partner/takeback': () => ({}) });
  const account = await screen.findByRole('region', { name: 'Bank account' }, { timeout: 20_000 });
  expect(within(account).queryByRole('button', { name: 'Approve' })).toBeNull();
  await user.click(within(account).getByRole('button', { name: 'Take back' }));
  await waitFor(() => expect(calls('/api/owner/partner/takeback')[0]?.body).toEqual({ version_id: 'v1' }));
}, 60_000);

it('sends what was filled in, and says at each field what is wrong', async () => {
  const user = userEvent.setup();
  let refuses = true;
  const { calls } = await open([], {
    '/api/owner/partner/fill': () =>
      refuses ? new Refusal(422, 'input.invalid', { fields: [{ path: 'form.tax_id', fault: 'field.required' }] }) : {},
  });
  const account = await screen.findByRole('region', { name: 'Bank account' }, { timeout: 20_000 });
  expect(within(account).getByText('Cannot be paid yet')).toBeTruthy();
  await user.click(within(account).getByRole('button', { name: 'Fill in' }));
  const dialog = await screen.findByRole('dialog', { name: 'Who is paid, and where' });
  await user.type(within(dialog).getByLabelText('Name of the company'), 'Baan Suan');
  await user.click(within(dialog).getByRole('button', { name: 'Send for approval' }));
  expect(await within(dialog).findByText('Please fill this in')).toBeTruthy();
  refuses = false;
  await user.click(within(dialog).getByRole('button', { name: 'Send for approval' }));
  await waitFor(() =>
    expect(calls('/api/owner/partner/fill')[0]?.body).toMatchObject({
      partner_id: 'p1',
      form: { kind: 'company', company_name: 'Baan Suan', branch: '00000' },
    }),
  );
}, 60_000);
