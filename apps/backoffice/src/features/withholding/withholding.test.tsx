import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const file = (rest: object = {}) => ({
  id: 't1',
  made_at: '2026-12-02T03:00:00Z',
  form: 'PND53',
  month: '2026-11-01',
  sequence: 0,
  state: 'made',
  waits: false,
  approval_id: null,
  certificates: 3,
  paid_satang: 1_401_87,
  withheld_satang: 42_06,
  file_name: 'PND53_0105536000313_000000_2569_11_00_00.txt',
  filed_on: null,
  receipt: '',
  made_by_name: 'Anong',
  ...rest,
});

const next = (rest: object = {}) => ({
  waiting: 0,
  payer: true,
  open: [
    {
      form: 'PND53',
      month: '2026-11',
      certificates: 3,
      income_satang: 1_401_87,
      withheld_satang: 42_06,
      over: true,
      due: '2026-12-07',
    },
    {
      form: 'PND1',
      month: '2026-12',
      certificates: 1,
      income_satang: 500_00,
      withheld_satang: 75_00,
      over: false,
      due: '2027-01-07',
    },
  ],
  ...rest,
});

const list = (rows: object[]) => ({ data: rows, total: rows.length, next: null });

it('shows what is still to be filed, and makes the file of a month that is over', async () => {
  const { calls } = await renderOffice('/owner/taxreturnlist', {
    answers: {
      '/api/owner/get/taxreturn': () => list([]),
      '/api/owner/taxreturn/next': () => next(),
      '/api/owner/taxreturn/make': () => ({ id: 't1' }),
      '/api/owner/detail/taxreturn': () => file(),
    } as never,
  });
  const month = (await screen.findByText('P.N.D.53 · 11/2026')).closest('li') as HTMLElement;
  within(month).getByText(/3 certificates · to be filed by 07\/12\/2026/);
  const later = screen.getByText('P.N.D.1 · 12/2026').closest('li') as HTMLElement;
  expect(within(later).queryByRole('button')).toBeNull();
  await userEvent.click(within(month).getByRole('button', { name: 'Make the file' }));
  expect(calls('/api/owner/taxreturn/make')[0]?.body).toEqual({ form: 'PND53', month: '2026-11' });
  await screen.findByText('The file was made');
});

it('says why certificates wait', async () => {
  await renderOffice('/owner/taxreturnlist', {
    answers: {
      '/api/owner/get/taxreturn': () => list([]),
      '/api/owner/taxreturn/next': () => next({ payer: false, waiting: 2, open: [] }),
    } as never,
  });
  await screen.findByText('Certificates need who you are');
  screen.getByText(/2 certificates wait for it/);
  screen.getByText('Nothing that was withheld is still to be filed.');
});

it('asks a second person to confirm that a file was filed, with its receipt', async () => {
  const { calls } = await renderOffice('/owner/taxreturnlist/t1', {
    answers: {
      '/api/owner/get/taxreturn': () => list([file()]),
      '/api/owner/taxreturn/next': () => next({ open: [] }),
      '/api/owner/detail/taxreturn': () => file(),
      '/api/owner/taxreturn/propose': () => ({ approval_id: 'q1' }),
    } as never,
  });
  await userEvent.click(await screen.findByRole('button', { name: 'It was filed' }));
  const dialog = await screen.findByRole('dialog', { name: 'Was it filed?' });
  within(dialog).getByText(/฿42\.06 counts as paid to the Revenue Department/);
  const ask = within(dialog).getByRole('button', { name: 'Ask a second person' });
  await userEvent.click(ask);
  expect(calls('/api/owner/taxreturn/propose')).toHaveLength(0);
  await userEvent.type(within(dialog).getByRole('textbox', { name: /receipt/ }), '6912-17');
  await userEvent.click(ask);
  await screen.findByText('Asked for');
  expect(calls('/api/owner/taxreturn/propose')[0]?.body).toMatchObject({ id: 't1', receipt: '6912-17' });
});

it('offers nothing but the file once it waits or was filed', async () => {
  await renderOffice('/owner/taxreturnlist/t1', {
    answers: {
      '/api/owner/get/taxreturn': () => list([file()]),
      '/api/owner/taxreturn/next': () => next({ open: [] }),
      '/api/owner/detail/taxreturn': () => file({ waits: true, approval_id: 'q1' }),
    } as never,
  });
  await screen.findByRole('button', { name: 'Download the file' });
  screen.getByText('A second person has to approve it');
  expect(screen.queryByRole('button', { name: 'It was filed' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Cancel the file' })).toBeNull();
});

const certificate = (rest: object = {}) => ({
  id: 'c1',
  number: 'WT00000-6912-000001',
  state: 'issued',
  form: 'PND53',
  paid_on: '2026-11-30',
  payout_id: 'p1',
  payout_reference: 'PO0003-00004',
  payee_id: 'a1',
  payee_name: 'Surachai',
  income_satang: 467_29,
  withheld_satang: 14_02,
  file_name: '',
  replaces: '',
  reason: '',
  issued_at: '2026-11-30T05:00:00Z',
  ...rest,
});

it('issues a certificate anew for a reason', async () => {
  const { calls } = await renderOffice('/owner/taxcertificatelist/c1', {
    answers: {
      '/api/owner/get/taxcertificate': () => list([certificate()]),
      '/api/owner/detail/taxcertificate': () => certificate(),
      '/api/owner/taxcertificate/replace': () => ({ id: 'c2' }),
    } as never,
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Issue it anew' }));
  const dialog = await screen.findByRole('dialog', { name: 'Issue the certificate anew?' });
  const yes = within(dialog).getByRole('button', { name: 'Issue it anew' });
  await userEvent.click(yes);
  within(dialog).getByText('Please fill this in');
  await userEvent.type(within(dialog).getByRole('textbox'), 'Wrong name');
  await userEvent.click(yes);
  await screen.findByText('A new certificate was issued');
  expect(calls('/api/owner/taxcertificate/replace')[0]?.body).toEqual({ id: 'c1', reason: 'Wrong name' });
});

it('says why a certificate is void', async () => {
  await renderOffice('/owner/taxcertificatelist/c1', {
    answers: {
      '/api/owner/get/taxcertificate': () => list([certificate()]),
      '/api/owner/detail/taxcertificate': () => certificate({ state: 'void', reason: 'Wrong name' }),
    } as never,
  });
  await screen.findByText('This certificate is void');
  screen.getByText('Wrong name');
  expect(screen.queryByRole('button', { name: 'Issue it anew' })).toBeNull();
});
