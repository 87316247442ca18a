import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

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
  seconded_at: null,
  seconded_by: '',
  by_platform: false,
  reason: '',
  pays_from: null,
  form: {
    tax_id: '0105561000017',
    idcard: '',
    account_number: '1234567890',
    account_name: 'Baan Suan',
    mobilenumber: '08',
    firstname: 'Daeng',
    lastname: 'Suan',
    address: '9',
    subdistrict: 'Suthep',
    district: 'Mueang',
    province: 'Chiang Mai',
    postcode: '50200',
    emailaddress: 'd@mail.example',
  },
  same: [],
  standing: 'answer',
  identity_right: true,
  ...rest,
});

const open = (forms: object[], more: object = {}) =>
  renderOffice('/owner/settingaccount', { answers: { '/api/owner/account/get': () => ({ forms }), ...more } });

it('has a second person approve the account, and says that the platform does after him', async () => {
  const user = userEvent.setup();
  const { calls } = await open([form()], { '/api/owner/account/accept': () => ({}) });
  await screen.findByText('Cannot be paid yet', {}, { timeout: 20_000 });
  await user.click(screen.getByRole('button', { name: 'Approve' }));
  const dialog = await screen.findByRole('dialog', { name: 'Approve this account?' });
  expect(within(dialog).getByText(/The platform approves it after you/)).toBeTruthy();
  await user.click(within(dialog).getByRole('button', { name: 'Approve' }));
  await waitFor(() => expect(calls('/api/owner/account/accept')[0]?.body).toEqual({ version_id: 'v1', reason: '' }));
}, 60_000);

it('shows that an account waits for the platform, and lets it be taken back only', async () => {
  const user = userEvent.setup();
  const seconded = form({ standing: 'withdraw', seconded_at: '2026-11-21T04:00:00Z', seconded_by: 'Nida' });
  const { calls } = await open([seconded], { '/api/owner/account/takeback': () => ({}) });
  await screen.findByText('Waits for the platform', {}, { timeout: 20_000 });
  expect(screen.getByText(/approved here by Nida/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Take back' }));
  await waitFor(() => expect(calls('/api/owner/account/takeback')[0]?.body).toEqual({ version_id: 'v1' }));
}, 60_000);

it('offers nothing to change to who may only look', async () => {
  await renderOffice('/owner/settingaccount', {
    who: { role: 'user', permission: { setting: 'v' } },
    answers: { '/api/owner/account/get': () => ({ forms: [form({ state: 'approved', pays_from: '2026-12-01' })] }) },
  });
  await screen.findByText('Approved', {}, { timeout: 20_000 });
  expect(screen.queryByRole('button', { name: 'Fill in anew' })).toBeNull();
}, 60_000);

it('has the platform look at an account and approve it', async () => {
  const user = userEvent.setup();
  const waiting = {
    version_id: 'v1',
    org_id: 'o1',
    name_th: 'บ้านสวน',
    name_en: 'Baan Suan',
    seconded_at: '2026-11-21T04:00:00Z',
  };
  const seconded = form({ seconded_at: '2026-11-21T04:00:00Z', seconded_by: 'Nida' });
  const { calls } = await renderOffice('/advwsadmin/account_list', {
    signedIn: 'admin',
    org: null,
    who: { audience: 'admin' },
    answers: {
      '/api/admin/account/list': () => ({ data: [waiting] }),
      '/api/admin/account/detail': () => ({ ...waiting, form: seconded }),
      '/api/admin/account/accept': () => ({}),
    },
  });
  await user.click(
    await screen.findByRole('button', { name: 'Look at the account of Baan Suan' }, { timeout: 20_000 }),
  );
  const look = await screen.findByRole('dialog', { name: 'Baan Suan' });
  expect(await within(look).findByText('1234567890')).toBeTruthy();
  await user.click(within(look).getByRole('button', { name: 'Approve' }));
  const dialog = await screen.findByRole('dialog', { name: 'Approve this account?' });
  await user.click(within(dialog).getByRole('button', { name: 'Approve' }));
  await waitFor(() => expect(calls('/api/admin/account/accept')[0]?.body).toEqual({ version_id: 'v1' }));
}, 60_000);
