import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Answers, Refusal } from '@wlv/client/test-kit';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const step = { state: 'done', detail: '', attempt: 1, started_at: null, finished_at: null };
const organisation = {
  id: 'o1',
  unique: 'shop',
  name_th: 'ร้าน',
  name_en: 'Shop',
  state: 'live',
  background_color_primary: '#061c33',
  background_color_secondary: '#d3ae55',
  host: 'shop.example.com',
  url: 'https://shop.example.com',
  liff: { liffuser: '', liffagent: '', lifftrade: '', lifftransfer: '' },
  plan_id: 'p1',
  created_at: '2026-11-21T03:00:00Z',
  logo_url: 'data:image/jpeg;base64,/9j/',
  tagline_th: '',
  tagline_en: '',
  text_on_primary: '#ffffff',
  modules: ['salepackage', 'discount'],
  fee_basis_points: 300,
  steps: [{ ...step, name: 'live' }],
};
const main = { host: 'shop.example.com', canonical: true, verified: true, record: '', value: '' };
const payment = {
  collector: 'platform',
  public_key: '',
  secret_set: false,
  secret_key_end: '',
  webhook_secret_end: '',
  live: false,
  switching: false,
  platform_account: true,
  test_sales: false,
};
const connections = {
  line: { channel_id: '', secret_set: false, secret_end: '' },
  liff: organisation.liff,
  payment,
  hosts: [main],
  webhook_url: '',
  callbacks: ['https://shop.example.com/logincallback/user'],
};

const record = {
  suspended_at: null,
  suspension_reason: '',
  health: { books_at: '2026-11-28T20:00:00Z', book_findings: 0, due_since: null, given_up: 0 },
  log: [
    {
      id: 'l1',
      at: '2026-11-21T03:00:00Z',
      actor_kind: 'admin',
      actor_name: 'ศศิ',
      action: 'change_plan',
      object: 'organisation/o1',
      changes: [{ field: 'name_en', before: 'Starter', after: 'Growth' }],
    },
  ],
};

const open = (now: object, more: Answers = {}, permission?: Record<string, string>) =>
  renderOffice('/advwsadmin/organize_edit/o1', {
    signedIn: 'admin',
    org: null,
    who: permission ? { audience: 'admin', role: 'admin', permission } : { audience: 'admin' },
    answers: {
      '/api/admin/organize/detail': () => organisation,
      '/api/admin/organize/record': () => record,
      '/api/admin/organize/connections': () => ({ ...connections, ...now }),
      '/api/admin/plan/list': () => ({ data: [] }),
      ...more,
    },
  });

it('shows the address for the gateway and the record for the DNS', async () => {
  const waiting = {
    host: 'own.example.org',
    canonical: false,
    verified: false,
    record: '_voucher-verify.own.example.org',
    value: 'o1',
  };
  await open({
    webhook_url: 'https://example.com/api/hook/unguessable',
    payment: {
      ...payment,
      collector: 'organisation',
      public_key: 'pkey_test_1',
      secret_set: true,
      secret_key_end: 'abcd',
    },
    hosts: [main, waiting],
  });
  await screen.findByText('https://example.com/api/hook/unguessable');
  await screen.findByText('_voucher-verify.own.example.org');
  expect((await screen.findByLabelText('Public key')) as HTMLInputElement).toHaveProperty('value', 'pkey_test_1');
  expect((screen.getByLabelText('Secret key') as HTMLInputElement).value).toBe('');
});

it('shows the logo', async () => {
  await open({});
  await waitFor(() =>
    expect(document.querySelector('img[data-slot=org-mark]')?.getAttribute('src')).toBe(organisation.logo_url),
  );
});

it('shows neither address nor record where nothing is to be set', async () => {
  await open({});
  await screen.findByText('https://shop.example.com/owner');
  await screen.findByText('The platform collects');
  expect(screen.queryByText(/Webhook/)).toBeNull();
  expect(screen.queryByText(/DNS/)).toBeNull();
});

it('shows LINE’s refusal at its field, and keeps the input', async () => {
  const user = userEvent.setup();
  await open(
    {},
    {
      '/api/admin/organize/line/save': () =>
        new Refusal(422, 'input.invalid', { fields: [{ path: 'line.channel_secret', fault: 'line.channel' }] }),
    },
  );
  const channel = await screen.findByLabelText('Channel ID');
  await user.type(channel, '1650000001');
  await user.type(screen.getByLabelText('Channel secret'), 'wrong');
  const card = channel.closest('form') as HTMLElement;
  await user.click(within(card).getByRole('button', { name: 'Check and save' }));
  await screen.findByText(/LINE does not know this channel/);
  await waitFor(() => expect((channel as HTMLInputElement).value).toBe('1650000001'));
});

it('does not call a suspended organisation open', async () => {
  await open({}, { '/api/admin/organize/detail': () => ({ ...organisation, state: 'suspended' }) });
  await screen.findByText(/is suspended/);
  expect(screen.queryByText(/is open/)).toBeNull();
});

it('asks to void test sales when the server requires it, and sends the answer', async () => {
  const sent: unknown[] = [];
  await open(
    {
      payment: {
        ...payment,
        collector: 'organisation',
        public_key: 'pkey_test_1',
        secret_set: true,
        secret_key_end: 'abcd',
      },
    },
    {
      '/api/admin/organize/payment/save': (input) => {
        sent.push(input);
        return sent.length === 1 ? new Refusal(409, 'org.test_sales') : connections;
      },
    },
  );
  const key = await screen.findByLabelText('Public key');
  const form = within(key.closest('form') as HTMLElement);
  expect(form.queryByRole('switch')).toBeNull();
  await userEvent.clear(key);
  await userEvent.type(key, 'pkey_1');
  await userEvent.click(form.getByRole('button', { name: /Check and save/ }));
  await userEvent.click(await form.findByRole('switch', { name: /test keys is void/ }));
  await userEvent.click(form.getByRole('button', { name: /Check and save/ }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent).toMatchObject([{ void_test: false }, { void_test: true, payment: { public_key: 'pkey_1' } }]);
});

it('calls LINE done only when it is connected', async () => {
  const step = async () => within((await screen.findByText('LINE and LIFF')).closest('li') as HTMLElement);
  const liff = { ...organisation.liff, liffuser: '1650000001-abcdefgh' };
  await open({}, { '/api/admin/organize/detail': () => ({ ...organisation, state: 'provisioning' }) });
  expect((await step()).getByText('Later')).toBeTruthy();
  cleanup();
  await open({}, { '/api/admin/organize/detail': () => ({ ...organisation, state: 'provisioning', liff }) });
  expect((await step()).queryByText('Later')).toBeNull();
});

it('asks for a reason before it suspends, says what customers read, and shows the reason from then on', async () => {
  const sent: unknown[] = [];
  let now: object = record;
  await open(
    {},
    {
      '/api/admin/organize/record': () => now,
      '/api/admin/organize/suspend': (body) => {
        sent.push(body);
        now = { ...record, suspended_at: '2026-11-29T03:00:00Z', suspension_reason: 'ค้างค่าแผน' };
        return { ...organisation, state: 'suspended' };
      },
    },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Suspend' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/Vouchers that you have can be used as before/)).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Suspend' }));
  await dialog.findByText('Reason is missing');
  expect(sent).toEqual([]);
  await userEvent.type(dialog.getByLabelText('Reason'), 'ค้างค่าแผน');
  await userEvent.click(dialog.getByRole('button', { name: 'Suspend' }));
  await waitFor(() => expect(sent).toEqual([{ id: 'o1', reason: 'ค้างค่าแผน' }]));
  await screen.findByText('ค้างค่าแผน');
  expect(screen.getByRole('button', { name: 'Resume' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Suspend' })).toBeNull();
});

it('resumes once it is asked again', async () => {
  const sent: unknown[] = [];
  await open(
    {},
    {
      '/api/admin/organize/detail': () => (sent.length ? organisation : { ...organisation, state: 'suspended' }),
      '/api/admin/organize/resume': (body) => {
        sent.push(body);
        return organisation;
      },
    },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Resume' }));
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Resume' }));
  await waitFor(() => expect(sent).toEqual([{ id: 'o1' }]));
  await screen.findByText('Shop is open');
});

it('says what another plan brings and takes before it is changed', async () => {
  const sent: unknown[] = [];
  const plans = [
    {
      id: 'p1',
      name_th: 'เติบโต',
      name_en: 'Growth',
      modules: ['salepackage', 'discount'],
      fee_basis_points: 300,
      active: true,
    },
    {
      id: 'p2',
      name_th: 'เริ่มต้น',
      name_en: 'Starter',
      modules: ['salepackage', 'tags'],
      fee_basis_points: 400,
      active: true,
    },
  ];
  await open(
    {},
    {
      '/api/admin/plan/list': () => ({ data: plans }),
      '/api/admin/organize/plan': (body) => {
        sent.push(body);
        return { ...organisation, plan_id: 'p2' };
      },
    },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Change the plan' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByRole('button', { name: 'Change' })).toHaveProperty('disabled', true);
  await userEvent.click(dialog.getByRole('combobox'));
  await userEvent.click(await screen.findByRole('option', { name: /Starter/ }));
  await dialog.findByText(/It loses, and keeps the data of: Discounts/);
  expect(dialog.getByText(/The fee goes from 3% to 4%/)).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Change' }));
  await waitFor(() => expect(sent).toEqual([{ id: 'o1', plan_id: 'p2' }]));
});

it('sends of the logo only what was changed', async () => {
  const sent: object[] = [];
  await open(
    {},
    {
      '/api/admin/organize/setting/save': (body) => {
        sent.push(body as object);
        return organisation;
      },
    },
  );
  const english = await screen.findByLabelText('Name in English');
  await userEvent.type(english, ' 2');
  const form = within(english.closest('form') as HTMLElement);
  await userEvent.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ name_en: 'Shop 2' });
  expect(sent[0]).not.toHaveProperty('logo');
  await userEvent.click(form.getByRole('button', { name: 'Remove the logo' }));
  await userEvent.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toMatchObject({ remove_logo: true });
});

it('shows who changed what, and that the books balance', async () => {
  await open({});
  await screen.findByText('Changed its plan');
  expect(screen.getByText(/ศศิ/)).toBeTruthy();
  expect(screen.getByText('name_en: Starter → Growth')).toBeTruthy();
  expect(screen.getByText(/The books balance/)).toBeTruthy();
});

it('offers nothing to change to who may only see it', async () => {
  await open({}, {}, { organize: 'v', package: 'v' });
  await screen.findByText('Changed its plan');
  await screen.findByText('The platform collects');
  expect(screen.queryByRole('button', { name: /^(Suspend|Resume|Change the plan|Save|Check and save)$/ })).toBeNull();
});
