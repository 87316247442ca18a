import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { someId } from '@wlv/client/addresses';
import { Refusal } from '@wlv/client/test-kit';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const figures = {
  orders: 3,
  sales_satang: 150_000_00,
  fee_satang: 4_500_00,
  uses: 41,
  customers: 2,
  top_ups: 1,
  top_up_satang: 500_00,
};
const overview = {
  from: '2026-11-01',
  to: '2026-11-30',
  now: figures,
  before: { ...figures, sales_satang: 100_000_00 },
  days: [
    { day: '2026-11-29', ...figures },
    { day: '2026-11-30', ...figures },
  ],
  balances: { unearned_satang: 80_000_00, payable_satang: 9_000_00, wallet_satang: 7_000_00 },
  states: [{ state: 'live', organisations: 12 }],
  plans: [{ id: someId, name_th: 'เติบโต', name_en: 'Growth', organisations: 12, sales_satang: 150_000_00 }],
  nodes: [{ node: 'main', organisations: 1 }],
  jobs: { given_up: 7, late: 0, due_since: null },
  alarms: [
    { kind: 'given_up', org_id: null, name_th: '', name_en: '', count: 2, since: null },
    { kind: 'books', org_id: someId, name_th: 'สปา', name_en: 'Spa', count: 1, since: '2026-11-30T01:00:00Z' },
  ],
  seen: { organisations: 11, missing: 1, oldest_at: '2026-11-30T03:00:00Z' },
};
const row = {
  id: someId,
  unique: 'spa',
  name_th: 'สปา',
  name_en: 'Spa',
  state: 'live',
  orders: 3,
  sales_satang: 150_000_00,
  fee_satang: 4_500_00,
  uses: 41,
  top_up_satang: 500_00,
  unearned_satang: 80_000_00,
  payable_satang: 9_000_00,
  wallet_satang: 7_000_00,
  given_up: 5,
  seen_at: '2026-11-30T03:00:00Z',
};

it('shows all organisations together, and opens the list behind a number', async () => {
  const user = userEvent.setup();
  const { calls } = await renderOffice('/advwsadmin/main', {
    signedIn: 'admin',
    org: null,
    answers: {
      '/api/admin/dashboard/overview': () => overview,
      '/api/admin/dashboard/organisations': () => ({ data: [row], next: null }),
      '/api/admin/dashboard/build': () => ({}),
    },
  });
  await screen.findByText(/11 organisations, each as of/, {}, { timeout: 20_000 });
  screen.getByText(/1 not counted yet/);
  expect(screen.getByRole('link', { name: /The books do not balance/ }).getAttribute('href')).toContain(someId);
  expect(screen.getByRole('link', { name: /Jobs were given up/ }).getAttribute('href')).toContain('of=platform');
  expect(screen.getByRole('link', { name: /Live/ }).getAttribute('href')).toContain('state=live');
  await user.click(screen.getByRole('button', { name: /Redemptions/ }));
  await waitFor(() =>
    expect(calls('/api/admin/dashboard/organisations').at(-1)?.body).toEqual({ days: 30, by: 'uses', limit: 50 }),
  );
  await user.click(screen.getByRole('button', { name: 'Count anew' }));
  await screen.findByText(/All figures are being counted anew/);
  expect(calls('/api/admin/dashboard/build')).toHaveLength(1);
});

const job = {
  id: someId,
  org_id: someId,
  name_th: 'สปา',
  name_en: 'Spa',
  kind: 'push.send',
  due_at: '2026-11-30T03:00:00Z',
  attempts: 25,
  reason: 'LINE did not answer',
  given_up: true,
  may_stop: true,
};

it('has a job run again, and stops only what may be stopped', async () => {
  const user = userEvent.setup();
  const { calls } = await renderOffice('/advwsadmin/job_list?state=given_up', {
    signedIn: 'admin',
    org: null,
    answers: {
      '/api/admin/job/list': () => ({
        data: [job, { ...job, org_id: null, kind: 'charge.remit', may_stop: false }],
        next: null,
        counts: { given_up: 2, late: 0, due_since: null },
        seen: { organisations: 1, missing: 0, oldest_at: '2026-11-30T03:00:00Z' },
      }),
      '/api/admin/job/again': () => new Refusal(409, 'job.not_given_up'),
      '/api/admin/job/stop': () => ({}),
    },
  });
  await screen.findByText('LINE messages', {}, { timeout: 20_000 });
  expect(calls('/api/admin/job/list')[0]?.body).toEqual({ limit: 50, state: 'given_up' });
  const [, own] = screen.getAllByRole('article');
  expect(within(own as HTMLElement).queryByRole('button', { name: 'Stop' })).toBeNull();
  await user.click(within(own as HTMLElement).getByRole('button', { name: 'Run again' }));
  await screen.findByText('This job is done, or is tried again by itself.');
  expect(calls('/api/admin/job/again')[0]?.body).toEqual({ id: someId, org_id: null });
  await user.click(screen.getByRole('button', { name: 'Stop' }));
  await user.click(await screen.findByRole('button', { name: 'Stop it' }));
  await waitFor(() => expect(calls('/api/admin/job/stop')[0]?.body).toEqual({ id: someId, org_id: someId }));
});

it('shows whose jobs they are, and looks at one organisation now', async () => {
  const user = userEvent.setup();
  const { calls } = await renderOffice('/advwsadmin/job_list', {
    signedIn: 'admin',
    org: null,
    answers: {
      '/api/admin/job/list': () => ({
        data: [job],
        next: null,
        counts: { given_up: 1, late: 0, due_since: null },
        seen: { organisations: 1, missing: 0, oldest_at: null },
      }),
      '/api/admin/job/look': () => ({}),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Spa' }, { timeout: 20_000 }));
  await user.click(await screen.findByRole('button', { name: 'Look now' }));
  await waitFor(() => expect(calls('/api/admin/job/look')[0]?.body).toEqual({ id: someId }));
  expect(calls('/api/admin/job/list').at(-1)?.body).toEqual({ limit: 50, org_id: someId });
});

const customer = {
  id: someId,
  org_id: someId,
  org_name_th: 'สปา',
  org_name_en: 'Spa',
  name: 'แอน',
  status: 5,
  wallet_satang: 1_850_00,
  debt_satang: 0,
  joined_at: '2026-01-30T03:00:00Z',
  changed_at: '2026-11-30T03:00:00Z',
};

it('finds customers by how their name begins, opens one, and saves just what was found', async () => {
  URL.createObjectURL = () => 'blob:x';
  URL.revokeObjectURL = () => undefined;
  const user = userEvent.setup();
  const { calls } = await renderOffice('/advwsadmin/user_list?sort=-wallet', {
    signedIn: 'admin',
    org: null,
    answers: {
      '/api/admin/user/list': () => ({
        data: [customer],
        next: null,
        seen: { organisations: 1, missing: 0, oldest_at: '2026-11-30T03:00:00Z' },
      }),
      '/api/admin/user/detail': () => ({
        name: 'แอน',
        status: 5,
        joined_at: '2026-01-30T03:00:00Z',
        wallet_satang: 1_850_00,
        debt_satang: 0,
        orders: 12,
        vouchers: 4,
      }),
      '/api/admin/user/file': () => ({ name: 'customers.csv', text: '', cut: true }),
    },
  });
  await screen.findByText('แอน', {}, { timeout: 20_000 });
  expect(calls('/api/admin/user/list')[0]?.body).toEqual({ limit: 50, sort: '-wallet' });
  await user.type(screen.getByLabelText('How the name begins'), 'แอ');
  await waitFor(() =>
    expect(calls('/api/admin/user/list').at(-1)?.body).toEqual({ limit: 50, sort: '-wallet', search: 'แอ' }),
  );
  await user.click(screen.getByRole('button', { name: 'Save what was found' }));
  await screen.findByText(/first 10,000 customers/);
  expect(calls('/api/admin/user/file')[0]?.body).toEqual({ sort: '-wallet', search: 'แอ' });
  await user.click(screen.getByRole('button', { name: 'แอน' }));
  await screen.findByText('Vouchers to use');
  expect(calls('/api/admin/user/detail')[0]?.body).toEqual({ org_id: someId, id: someId });
});

it('finds who works in the offices of all organisations, narrows the list to one, and says who has no code of a phone', async () => {
  URL.createObjectURL = () => 'blob:x';
  URL.revokeObjectURL = () => undefined;
  const user = userEvent.setup();
  const nat = {
    id: someId,
    org_id: someId,
    org_name_th: 'เรือนละไม',
    org_name_en: 'Ruean Lamai',
    name: 'ณัฐ',
    role: 'superadmin' as const,
    status: 5,
    second_factor: false,
    joined_at: '2026-01-30T03:00:00Z',
    changed_at: '2026-11-30T03:00:00Z',
  };
  const { calls } = await renderOffice('/advwsadmin/staff_list', {
    signedIn: 'admin',
    org: null,
    answers: {
      '/api/admin/staff/list': () => ({
        data: [
          nat,
          {
            ...nat,
            id: '01990000-0000-7000-8000-00000000000b',
            name: 'เมย์',
            role: 'user',
            status: 1,
            second_factor: true,
          },
        ],
        next: null,
        seen: { organisations: 1, missing: 0, oldest_at: '2026-11-30T03:00:00Z' },
      }),
      '/api/admin/staff/file': () => ({ name: 'staff.csv', text: '', cut: false }),
    },
  });
  await screen.findByText('ณัฐ', {}, { timeout: 20_000 });
  screen.getByText('Not signed in yet');
  await user.type(screen.getByLabelText('How the name begins'), 'ณั');
  await waitFor(() => expect(calls('/api/admin/staff/list').at(-1)?.body).toEqual({ limit: 50, search: 'ณั' }));
  await user.click(screen.getAllByRole('button', { name: 'Ruean Lamai' })[0] as HTMLElement);
  await waitFor(() =>
    expect(calls('/api/admin/staff/list').at(-1)?.body).toEqual({ limit: 50, org_id: someId, search: 'ณั' }),
  );
  await user.click(screen.getByRole('button', { name: 'Save what was found' }));
  await waitFor(() => expect(calls('/api/admin/staff/file')[0]?.body).toEqual({ org_id: someId, search: 'ณั' }));
  await user.click(screen.getByRole('button', { name: 'ณัฐ' }));
  await screen.findByRole('link', { name: 'Open the organisation' });
  screen.getAllByText('Owner, everything');
});

const seen = { organisations: 1, missing: 0, oldest_at: '2026-11-30T03:00:00Z' };

it('orders wallets by what their customers owe, says what all of them hold, and opens one', async () => {
  const user = userEvent.setup();
  const { calls } = await renderOffice('/advwsadmin/wallet_list', {
    signedIn: 'admin',
    org: null,
    answers: {
      '/api/admin/wallet/list': () => ({ data: [customer], next: null, total_satang: 12_345_00, seen }),
      '/api/admin/wallet/detail': () => ({
        name: 'แอน',
        wallet_satang: 1_850_00,
        debt_satang: 0,
        topped_up_satang: 4_000_00,
        paid_satang: 2_150_00,
        moved_at: null,
      }),
    },
  });
  await screen.findByText('In all Wallets: 12,345.00', {}, { timeout: 20_000 });
  expect(calls('/api/admin/wallet/list')[0]?.body).toEqual({ limit: 50, sort: '-wallet' });
  await user.click(screen.getByRole('combobox', { name: 'Order' }));
  await user.click(screen.getByRole('option', { name: 'Who owes most' }));
  await waitFor(() => expect(calls('/api/admin/wallet/list').at(-1)?.body).toEqual({ limit: 50, sort: '-debt' }));
  await user.click(await screen.findByRole('button', { name: 'Spa' }));
  await screen.findByText('In the Wallets of this organisation: 12,345.00');
  expect(calls('/api/admin/wallet/list').at(-1)?.body).toEqual({ limit: 50, sort: '-debt', org_id: someId });
  await user.click(screen.getByRole('button', { name: 'แอน' }));
  await screen.findByText('4,000.00');
  screen.getByText('Never');
  expect(calls('/api/admin/wallet/detail')[0]?.body).toEqual({ org_id: someId, id: someId });
});

it('narrows payments to a state, searches them by reference, and opens one as its organisation has it', async () => {
  const user = userEvent.setup();
  const payment = {
    id: someId,
    org_id: someId,
    org_name_th: 'เรือนละไม',
    org_name_en: 'Ruean Lamai',
    reference: 'WLV7K2',
    customer_name: '',
    purpose: 'topup' as const,
    method: 'promptpay' as const,
    state: 'captured' as const,
    amount_satang: 500_00,
    captured_satang: 500_00,
    own_gateway: true,
    test: true,
    created_at: '2026-11-30T03:00:00Z',
    captured_at: '2026-11-30T03:01:00Z',
  };
  const { calls } = await renderOffice('/advwsadmin/deposit_list?state=captured', {
    signedIn: 'admin',
    org: null,
    answers: {
      '/api/admin/deposit/list': () => ({ data: [payment], next: null, seen }),
      '/api/admin/deposit/detail': () => ({
        gateway_id: 'chrg_test_1',
        state: 'captured',
        amount_satang: 500_00,
        captured_satang: 500_00,
        fee_satang: 8_83,
        refunded_satang: 120_00,
        disputed_satang: 380_00,
        owed_satang: 0,
        dispute: 'lost',
      }),
    },
  });
  await screen.findByText('WLV7K2', {}, { timeout: 20_000 });
  screen.getByText('Test mode');
  expect(calls('/api/admin/deposit/list')[0]?.body).toEqual({ limit: 50, state: 'captured' });
  await user.type(screen.getByLabelText('How the reference begins'), 'wlv7');
  await waitFor(() => expect(calls('/api/admin/deposit/list').at(-1)?.body).toEqual({ limit: 50, search: 'wlv7' }));
  await user.clear(screen.getByLabelText('How the reference begins'));
  await user.click(screen.getByRole('combobox', { name: 'State' }));
  await user.click(screen.getByRole('option', { name: 'All states' }));
  await waitFor(() => expect(calls('/api/admin/deposit/list').at(-1)?.body).toEqual({ limit: 50 }));
  await user.click(await screen.findByRole('button', { name: 'WLV7K2' }));
  await screen.findByText('Taken back by the bank');
  screen.getByText('The organisation’s own');
  screen.getByText('120.00');
});

it('counts vouchers, shows those that end soonest, and opens one as its organisation has it', async () => {
  const user = userEvent.setup();
  const voucher = {
    id: someId,
    org_id: someId,
    org_name_th: 'เรือนละไม',
    org_name_en: 'Ruean Lamai',
    code: 'RL7K42QP91',
    name_th: 'นวดอโรมา',
    name_en: 'Aroma massage',
    kind: 'item' as const,
    state: 'ready' as const,
    holder_name: 'แอน',
    items_total: 3,
    items_left: 2,
    valid_until: '2027-03-31',
    issued_at: '2026-11-30T03:00:00Z',
  };
  const counts = { ready: 3214, moving: 84, frozen: 0, used: 6601, expired: 402, back: 180 };
  const { calls } = await renderOffice('/advwsadmin/voucher_list?state=ready', {
    signedIn: 'admin',
    org: null,
    answers: {
      '/api/admin/voucher/list': () => ({ data: [voucher], next: null, seen, counts }),
      '/api/admin/voucher/detail': () => ({
        code: 'RL7K42QP92',
        state: 'frozen',
        holder_name: 'แอน',
        order_number: 'WLV-1',
        items_total: 3,
        items_left: 1,
        share_satang: 500_00,
        valid_until: '2027-03-31',
        uses: 2,
        used_at: null,
      }),
    },
  });
  await screen.findByText('10,481', {}, { timeout: 20_000 });
  screen.getByText('Aroma massage');
  expect(calls('/api/admin/voucher/list')[0]?.body).toEqual({ limit: 50, state: 'ready' });
  await user.click(screen.getByRole('combobox', { name: 'Order' }));
  await user.click(screen.getByRole('option', { name: 'Ending soonest' }));
  await waitFor(() => expect(calls('/api/admin/voucher/list').at(-1)?.body).toEqual({ limit: 50, by: 'ending' }));
  expect(screen.queryByRole('combobox', { name: 'State' })).toBeNull();
  await user.type(screen.getByLabelText('How the code begins'), 'rl7');
  await waitFor(() => expect(calls('/api/admin/voucher/list').at(-1)?.body).toEqual({ limit: 50, search: 'rl7' }));
  await user.click(await screen.findByRole('button', { name: 'RL7K42QP91' }));
  await screen.findByText('RL7K42QP92');
  screen.getByText('1 of 3');
  screen.getByText('500.00');
});

it('suspends a customer once it is said yes, and shows him as he is then', async () => {
  const user = userEvent.setup();
  let status = 5;
  const { calls } = await renderOffice('/advwsadmin/user_list', {
    signedIn: 'admin',
    org: null,
    answers: {
      '/api/admin/user/list': () => ({ data: [{ ...customer, status }], next: null, seen }),
      '/api/admin/user/detail': () => ({
        name: 'แอน',
        status,
        joined_at: '2026-01-05T03:00:00Z',
        wallet_satang: 0,
        debt_satang: 0,
        orders: 0,
        vouchers: 0,
      }),
      '/api/admin/user/suspend': () => {
        status = 4;
        return {};
      },
      '/api/admin/user/resume': () => {
        status = 5;
        return {};
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'แอน' }, { timeout: 20_000 }));
  await user.click(await screen.findByRole('button', { name: 'Suspend this customer' }));
  await user.click(await screen.findByRole('button', { name: 'Look again' }));
  expect(calls('/api/admin/user/suspend')).toEqual([]);
  await user.click(await screen.findByRole('button', { name: 'Suspend this customer' }));
  await user.click(await screen.findByRole('button', { name: 'Suspend' }));
  await screen.findByRole('button', { name: 'Serve this customer again' });
  expect(calls('/api/admin/user/suspend')[0]?.body).toEqual({ org_id: someId, id: someId });
  await user.click(screen.getByRole('button', { name: 'Serve this customer again' }));
  await user.click(await screen.findByRole('button', { name: 'Serve again' }));
  await screen.findByRole('button', { name: 'Suspend this customer' });
});

it('finds an organisation by name, and makes a link for who shall work there', async () => {
  const user = userEvent.setup();
  const { calls } = await renderOffice('/advwsadmin/staff_add', {
    signedIn: 'admin',
    org: null,
    answers: {
      '/api/admin/organize/list': () => ({
        data: [{ id: someId, name_th: 'เรือนละไม', name_en: 'Ruean Lamai' }],
        next: null,
        total: 1,
      }),
      '/api/admin/staff/invite': () => ({
        url: 'https://lamai.example/owner/register/staff#lamai.token',
        expires_at: '2026-12-04T03:00:00Z',
      }),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Make the link' }, { timeout: 20_000 }));
  screen.getByText('Choose an organisation.');
  screen.getByText("Enter the person's name.");
  await user.type(screen.getByLabelText('Organisation'), 'rue');
  await user.click(await screen.findByRole('button', { name: 'Ruean Lamai' }));
  await user.type(screen.getByLabelText('Name'), ' Som ');
  await user.click(screen.getByRole('button', { name: 'Make the link' }));
  await screen.findByText('https://lamai.example/owner/register/staff#lamai.token');
  expect(calls('/api/admin/staff/invite')[0]?.body).toEqual({ org_id: someId, name: 'Som', role: 'superadmin' });
});

it('shows through which accounts organisations are paid, and where nothing gets paid', async () => {
  const user = userEvent.setup();
  const none = { begun: 0, paid: 0, failed: 0, amount_satang: 0, last_at: null, test: 0, waits_since: null };
  const own = {
    ...none,
    org_id: someId,
    org_name_th: 'เรือนละไม',
    org_name_en: 'Ruean Lamai',
    since: '2026-05-04T03:00:00Z',
  };
  const { calls } = await renderOffice('/advwsadmin/paymentsystem', {
    signedIn: 'admin',
    org: null,
    answers: {
      '/api/admin/paymentsystem/list': () => ({
        platform: [
          { ...none, method: 'promptpay', organisations: 3, begun: 60, paid: 58, failed: 1, amount_satang: 4_224_00 },
        ],
        platform_account: true,
        by_platform: 963,
        without_any: 2,
        own: [{ ...own, begun: 14, waits_since: '2026-11-30T03:00:00Z' }],
        seen,
      }),
    },
  });
  await screen.findByText('58 of 60 paid, 1 failed', { exact: false }, { timeout: 20_000 });
  screen.getByText('Nobody collects for 2 organisations: they cannot be paid.', { exact: false });
  expect(screen.getAllByText('Nothing gets paid')).toHaveLength(1);
  expect(calls('/api/admin/paymentsystem/list')[0]?.body).toEqual({ hours: 24 });
  await user.click(screen.getByRole('combobox', { name: 'Begun in the last' }));
  await user.click(screen.getByRole('option', { name: '7 days' }));
  await waitFor(() => expect(calls('/api/admin/paymentsystem/list').at(-1)?.body).toEqual({ hours: 168 }));
});
