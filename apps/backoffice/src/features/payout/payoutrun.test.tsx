import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { expect, it, vi } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const run = (rest: object = {}) => ({
  id: 'r1',
  drafted_at: '2026-11-21T04:02:00Z',
  number: 'PO0003',
  state: 'draft',
  waits: false,
  late: false,
  to_do: true,
  pay_day: '2099-11-30',
  up_to: '2026-11-20',
  payees: 2,
  gross_satang: 14_691_00,
  withheld_satang: 440_73,
  net_satang: 14_250_27,
  paid_count: 0,
  failed_count: 0,
  left_out_count: 2,
  ...rest,
});

const drafted = { does: 'draft', at: '2026-11-21T04:02:00Z', by: 'Mali' };
const proposed = { does: 'propose', at: '2026-11-21T05:00:00Z', by: 'Mali' };
const approved = { does: 'approve', at: '2026-11-22T09:02:00Z', by: 'Waraporn' };
const booked = { does: 'book', at: '2026-11-22T09:02:10Z', by: '' };
const exported = { does: 'export', at: '2026-11-30T02:20:00Z', by: 'Mali' };
const closed = { does: 'close', at: '2026-12-02T03:42:00Z', by: '' };

const story = (record: object = {}, rest: object = {}) => ({
  record: run(record),
  computing: false,
  booking: false,
  minimum_satang: 100_00,
  hash: 'abc',
  file_sha256: '',
  taken_back_satang: -329_00,
  left_out_satang: 3_615_00,
  paid_satang: 0,
  failed_satang: 0,
  steps: [drafted],
  approval_id: null,
  alone: false,
  checks: [
    { what: 'approved_account', good: 2, of: 2 },
    { what: 'same_account', good: 1, of: 2 },
  ],
  ...rest,
});

const payout = (id: string, rest: object = {}) => ({
  id,
  run_id: 'r1',
  run_number: 'PO0003',
  pay_day: '2099-11-30',
  reference: `PO0003-0000${id.slice(1)}`,
  state: 'ready',
  left_out: '',
  payee_id: `a${id}`,
  payee_name: 'Surachai',
  pictureUrl: '',
  payee_kind: 'person',
  bank: '006',
  account_digits: '8812',
  lines: 18,
  gross_satang: 5_151_00,
  taken_back_satang: -329_00,
  withheld_satang: 154_53,
  net_satang: 4_996_47,
  paid_on: null,
  reason: '',
  ...rest,
});

const company = payout('p2', {
  payee_name: 'Papaline',
  bank: '004',
  account_digits: '5521',
  gross_satang: 9_540_00,
  taken_back_satang: 0,
  withheld_satang: 286_20,
  net_satang: 9_253_80,
});
const left = [
  payout('p3', { payee_name: 'Napatsorn', state: 'left_out', left_out: 'not_approved', gross_satang: 2_745_00 }),
  payout('p4', { payee_name: 'Piti', state: 'left_out', left_out: 'below_minimum', gross_satang: 870_00 }),
];

/** The payouts of a run in the states that are asked for. */
const listOf =
  (rows: { state: string }[]) =>
  ({ filter }: { filter: { run_id: string; state: string[] } }) => {
    const data = rows.filter(({ state }) => filter.state.includes(state));
    return { data, next: null, total: data.length };
  };

const open = (shown: () => object, calls: object = {}, options: object = {}, rows = [payout('p1'), company, ...left]) =>
  renderOffice('/owner/paycommissiontransaction/r1', {
    answers: { '/api/owner/story/payoutrun': shown, '/api/owner/get/payout': listOf(rows), ...calls } as never,
    ...options,
  });

const next = (rest: object = {}) => ({
  up_to: '2026-11-28',
  pay_day: '2026-12-01',
  payees: 41,
  payable_satang: 96_802_12,
  year_paid_satang: 498_210_34,
  year_withheld_satang: 15_408_57,
  draft_id: null,
  minimum_satang: 100_00,
  refunds: { transfers: 0, amount_satang: 0, draft_id: null },
  ...rest,
});

const list = (answers: object = {}, options: object = {}) =>
  renderOffice('/owner/paycommissiontransaction', {
    answers: {
      '/api/owner/payoutrun/next': () => next(),
      '/api/owner/payoutsetting/get': () => ({ minimum_satang: 100_00, schedules: [] }),
      ...answers,
    } as never,
    ...options,
  });

const button = (name: string) => screen.queryByRole('button', { name });

it('says what the next run could pay, and how each run stands', async () => {
  const rows = [
    run({ id: 'r5', number: 'PO0005', waits: true }),
    run({ id: 'r4', number: 'PO0004', state: 'exported' }),
    run({ id: 'r3', state: 'closed', paid_count: 1, failed_count: 1 }),
    run({ id: 'r2', number: 'PO0002', state: 'closed', paid_count: 2 }),
    run({ id: 'r1', number: 'PO0001', state: 'cancelled' }),
  ];
  await list({ '/api/owner/get/payoutrun': () => ({ data: rows, next: null, total: rows.length }) });
  await screen.findByRole('heading', { name: 'Next run, paid on 01/12/2026' }, { timeout: 20_000 });
  screen.getByText('41 payees can be paid, before tax');
  screen.getByText('498,210.34');
  await screen.findByRole('row', { name: /PO0005.*Waits for a second person/ });
  screen.getByRole('row', { name: /PO0004.*Waits for the bank/ });
  screen.getByRole('row', { name: /PO0003.*1 not paid/ });
  screen.getByRole('row', { name: /PO0002.*14,691\.00.*−440\.73.*14,250\.27.*All paid/ });
  screen.getByRole('row', { name: /PO0001.*Cancelled/ });
});

it('drafts a run with what the next one proposes, and says at its field what does not fit', async () => {
  const user = userEvent.setup();
  let refuse = true;
  const { calls, router } = await list({
    '/api/owner/payoutrun/draft': () =>
      refuse
        ? new Refusal(400, 'input.invalid', { fields: [{ path: 'pay_day', fault: 'payout.no_bank_day' }] })
        : { id: 'r1' },
    '/api/owner/story/payoutrun': () => story({}, { computing: true }),
  });
  await user.click(await screen.findByRole('button', { name: 'Draft a run' }));
  await user.click(await screen.findByRole('button', { name: 'Draft it' }));
  await screen.findByText(/Choose a day after today on which banks work/);
  const day = screen.getByRole('textbox', { name: 'Pay day' });
  expect(day.getAttribute('aria-invalid')).toBe('true');
  await user.clear(day);
  await user.type(day, '02/12/2026');
  refuse = false;
  await user.click(screen.getByRole('button', { name: 'Draft it' }));
  await screen.findByText('The draft is being computed', { selector: '[data-slot=note] p' });
  expect(router.state.location.pathname).toBe('/owner/paycommissiontransaction/r1');
  expect(calls('/api/owner/payoutrun/draft').map(({ body }) => body)).toEqual([
    { kind: 'agent', up_to: '2026-11-28', pay_day: '2026-12-01', minimum_satang: 100_00 },
    { kind: 'agent', up_to: '2026-11-28', pay_day: '2026-12-02', minimum_satang: 100_00 },
  ]);
});

it('pays at least what is set, until somebody says otherwise', async () => {
  const user = userEvent.setup();
  await list({ '/api/owner/payoutrun/next': () => next({ minimum_satang: 250_00 }) });
  await user.click(await screen.findByRole('button', { name: 'Draft a run' }));
  expect((await screen.findByLabelText<HTMLInputElement>('Pay at least')).value).toBe('250.00');
});

it('says when the next run is drafted by itself, and why the last one was not', async () => {
  const schedule = { every: 'month', active: true, since: '2026-10-01T02:00:00Z', run_id: null, run_number: '' };
  const first = { ...schedule, id: 's1', day: 1, next_on: '2027-01-01', handled_at: '2026-11-30T17:10:00Z' };
  const second = { ...schedule, id: 's2', day: 16, next_on: '2026-12-16', handled_at: '2026-11-15T17:10:00Z' };
  await list({
    '/api/owner/payoutsetting/get': () => ({
      minimum_satang: 100_00,
      schedules: [
        { ...first, next_pay_day: null, outcome: 'no_bank_days' },
        { ...second, next_pay_day: '2026-12-18', outcome: 'drafted' },
      ],
    }),
  });
  await screen.findByText('Drafted by itself next on 16/12/2026');
  screen.getByText(/^01\/12\/2026: skipped, because the banks' holidays/);
  expect(screen.getAllByRole('link', { name: 'Payout settings' })).toHaveLength(2); // in the menu, too
});

it('says of a run that its schedule drafted it, and that its bank has not answered', async () => {
  await open(() =>
    story(
      { state: 'exported', pay_day: '2026-11-30', late: true, paid_count: 1 },
      { steps: [{ ...drafted, by: '' }, proposed, approved, booked, exported] },
    ),
  );
  await screen.findByText('The bank has not answered for 1 payee');
  screen.getByText(/^The pay day 30\/11\/2026 was more than three bank days ago/);
  screen.getByText(/^by its schedule 21\/11\/2026/);
});

it('says whom to ask while the holidays of the banks are not known', async () => {
  await list({ '/api/owner/payoutrun/next': () => next({ pay_day: null, payees: 0, payable_satang: 0 }) });
  await screen.findByText('The pay day is not known');
  screen.getByText(/The platform's admin has to add them/);
  screen.getByText('Nobody can be paid anything now');
});

it('leads to the draft that is open, and lets only who may draft one', async () => {
  await list({ '/api/owner/payoutrun/next': () => next({ draft_id: 'r9' }) });
  const link = await screen.findByRole('link', { name: 'Look at the draft' });
  expect(link.getAttribute('href')).toBe('/owner/paycommissiontransaction/r9');
  expect(button('Draft a run')).toBeNull();
});

it('drafts a run of refunds while a draft of commission is open', async () => {
  const user = userEvent.setup();
  const refunds = { transfers: 3, amount_satang: 800_00, draft_id: null };
  const { calls } = await list({
    '/api/owner/payoutrun/next': () => next({ draft_id: 'r9', refunds }),
    '/api/owner/payoutrun/draft': () => ({ id: 'r1' }),
    '/api/owner/story/payoutrun': () => story({ kind: 'refund' }, { computing: true }),
  });
  await screen.findByRole('heading', { name: 'Refunds to bank accounts' });
  screen.getByText('3 transfers wait: refunds, and money of Wallets');
  await user.click(await screen.findByRole('button', { name: 'Draft a run' }));
  expect(screen.queryByRole('combobox', { name: 'Pays' })).toBeNull();
  expect(screen.queryByLabelText('Pay at least')).toBeNull();
  await user.click(await screen.findByRole('button', { name: 'Draft it' }));
  await screen.findByText(/The refunds that wait for their transfer are collected/);
  expect(calls('/api/owner/payoutrun/draft').map(({ body }) => body)).toMatchObject([{ kind: 'refund' }]);
});

it('lets somebody choose what a run pays', async () => {
  const user = userEvent.setup();
  const refunds = { transfers: 1, amount_satang: 250_00, draft_id: null };
  await list({ '/api/owner/payoutrun/next': () => next({ refunds }) });
  await user.click(await screen.findByRole('button', { name: 'Draft a run' }));
  await screen.findByLabelText('Pay at least');
  await user.click(screen.getByRole('combobox', { name: 'Pays' }));
  await user.click(await screen.findByRole('option', { name: 'Refunds' }));
  expect(screen.queryByLabelText('Pay at least')).toBeNull();
});

it('says of each refund of a run whose it is, and where the money of what failed is', async () => {
  const record = { kind: 'refund', state: 'exported', payees: 2, failed_count: 1, left_out_count: 1 };
  const refund = (id: string, rest: object) =>
    payout(id, {
      run_kind: 'refund',
      payee_id: null,
      transfer_id: `t${id}`,
      lines: 0,
      taken_back_satang: 0,
      withheld_satang: 0,
      ...rest,
    });
  const rows = [
    refund('p1', { number: 'RRRRR55555', payee_name: 'Kamon', state: 'sent', net_satang: 475_50 }),
    refund('p2', { number: 'RRRRR66666', payee_name: 'Anan', state: 'failed', net_satang: 250_00, reason: 'Closed' }),
    refund('p3', {
      number: 'RRRRR77777',
      payee_name: 'Suda',
      state: 'left_out',
      left_out: 'held_back',
      gross_satang: 90_00,
    }),
  ];
  await open(() => story(record, { checks: [], failed_satang: 250_00 }), {}, {}, rows);
  await screen.findByRole('heading', { name: 'Refunds of 30/11/2099' });
  await screen.findAllByText('RRRRR55555');
  await screen.findByText(/฿?250.00 is in the Wallet, and pays first what the customer owes/);
  await screen.findByText(/has taken this payment back meanwhile/);
  screen.getByText('No answer yet for 1 transfer');
  expect(screen.queryByText('Tax withheld')).toBeNull();
});

it('offers no draft to who may only look', async () => {
  await list({}, { who: { role: 'user', permission: { paycommissiontransaction: 'v' } } });
  await screen.findByRole('heading', { name: 'Next run, paid on 01/12/2026' });
  expect(button('Draft a run')).toBeNull();
});

it('waits while a draft is computed, and shows it when that is done', async () => {
  let computing = true;
  await open(() => story({ payees: 0 }, { computing, hash: computing ? '' : 'abc' }));
  await screen.findByText('The draft is being computed');
  await screen.findByRole('button', { name: 'Cancel the draft' });
  for (const name of ['Ask a second person', 'Compute it anew']) expect(button(name)).toBeNull();
  computing = false;
  await screen.findByRole('button', { name: 'Compute it anew' }, { timeout: 5_000 });
});

it('shows whom a draft pays, what of, and who is left out and why', async () => {
  await open(() => story());
  await screen.findByRole('row', {
    name: /Surachai.*Krungthai x-8812.*5,480\.00.*−329\.00.*−154\.53.*4,996\.47/,
  });
  screen.getByRole('row', { name: /Papaline.*9,540\.00.*–.*−286\.20.*9,253\.80/ });
  await screen.findByText('No form with a bank account is approved yet.');
  screen.getByText('Less than ฿100.00 would be transferred. It waits for the next run.');
  // 14,250.27 + 440.73 + 329.00 + 3,615.00
  screen.getByText('18,635.00');
  screen.getByText('With an account that nobody else in this run has: 1 of 2');
  screen.getByText('Mali 21/11/2026 11:02');
});

it('asks a second person for exactly what is shown', async () => {
  const user = userEvent.setup();
  let asked = false;
  const { calls } = await open(
    () => (asked ? story({ waits: true }, { steps: [drafted, proposed], approval_id: 'q1' }) : story()),
    {
      '/api/owner/payoutrun/propose': () => {
        asked = true;
        return { approval_id: 'q1' };
      },
    },
  );
  await user.click(await screen.findByRole('button', { name: 'Ask a second person' }));
  await user.click(await screen.findByRole('button', { name: 'Ask for ฿14,250.27' }));
  screen.getByText('Please fill this in');
  await user.type(screen.getByRole('textbox', { name: 'What the second person should know' }), 'checked');
  await user.click(screen.getByRole('button', { name: 'Ask for ฿14,250.27' }));
  const link = await screen.findByRole('link', { name: 'See where it waits' });
  expect(link.getAttribute('href')).toBe('/owner/approval/q1');
  screen.getByText('asked by Mali 21/11/2026 12:00');
  for (const name of ['Ask a second person', 'Cancel the draft', 'Compute it anew']) expect(button(name)).toBeNull();
  expect(calls('/api/owner/payoutrun/propose').map(({ body }) => body)).toEqual([
    { id: 'r1', hash: 'abc', note: 'checked' },
  ]);
});

it('says that a draft has changed meanwhile, and reads it anew', async () => {
  const user = userEvent.setup();
  const { calls } = await open(() => story(), {
    '/api/owner/payoutrun/propose': () => new Refusal(409, 'payout.changed'),
  });
  await user.click(await screen.findByRole('button', { name: 'Ask a second person' }));
  await user.type(await screen.findByRole('textbox', { name: 'What the second person should know' }), 'checked');
  await user.click(screen.getByRole('button', { name: 'Ask for ฿14,250.27' }));
  await screen.findByText(/This run has changed since you looked at it/);
  await waitFor(() => expect(calls('/api/owner/story/payoutrun')).toHaveLength(2));
});

it('goes to the new draft when it is computed anew, and cancels one', async () => {
  const user = userEvent.setup();
  let cancelled = false;
  const { calls, router } = await open(() => (cancelled ? story({ id: 'r2', state: 'cancelled' }) : story()), {
    '/api/owner/payoutrun/recompute': () => ({ id: 'r2' }),
    '/api/owner/payoutrun/cancel': () => {
      cancelled = true;
      return story({ state: 'cancelled' });
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Compute it anew' }));
  const [, anew] = await screen.findAllByRole('button', { name: 'Compute it anew', hidden: true });
  await user.click(anew as HTMLElement);
  await waitFor(() => expect(router.state.location.pathname).toBe('/owner/paycommissiontransaction/r2'));
  await user.click(await screen.findByRole('button', { name: 'Cancel the draft' }));
  const [, cancel] = await screen.findAllByRole('button', { name: 'Cancel the draft', hidden: true });
  await user.click(cancel as HTMLElement);
  await screen.findByText('This draft was cancelled');
  expect(calls('/api/owner/payoutrun/recompute').map(({ body }) => body)).toEqual([{ id: 'r1' }]);
  expect(button('Cancel the draft')).toBeNull();
});

it('lets who may only draft not propose, and who may only look do nothing', async () => {
  const { router } = await open(
    () => story(),
    {},
    { who: { role: 'user', permission: { paycommissiontransaction: 'vi' } } },
  );
  await screen.findByRole('button', { name: 'Cancel the draft' });
  expect(button('Ask a second person')).toBeNull();
  expect(router.state.location.pathname).toBe('/owner/paycommissiontransaction/r1');
});

const approvedSteps = [drafted, proposed, approved];
const bookedRows = [payout('p1', { state: 'booked' }), { ...company, state: 'booked' }, ...left];

it('waits while an approved run is booked', async () => {
  await open(() => story({ state: 'approved' }, { booking: true, steps: approvedSteps }), {}, {}, bookedRows);
  await screen.findByText('The run is being written into the books');
  screen.getByText('Waraporn 22/11/2026 16:02');
  expect(button("Download the bank's file")).toBeNull();
});

it('hands the file of the bank over once, and the same one again later', async () => {
  const user = userEvent.setup();
  const saved: { name: string; file: Blob }[] = [];
  let file: Blob | undefined;
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    file = blob as Blob;
    return 'blob:1';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, file: file as Blob });
  });
  let sent = false;
  const { calls } = await open(
    () =>
      sent
        ? story({ state: 'exported' }, { steps: [...approvedSteps, booked, exported], file_sha256: 'ff' })
        : story({ state: 'approved' }, { steps: [...approvedSteps, booked] }),
    {
      '/api/owner/payoutrun/export': () => {
        sent = true;
        return { name: 'payout-2026-11-30-PO0003.csv', text: '\ufeffreference,bank_code\r\n', sha256: 'ff' };
      },
    },
    {},
    bookedRows,
  );
  await user.click(await screen.findByRole('button', { name: "Download the bank's file" }));
  await screen.findByText(/given twice, it could be paid twice/);
  const [, confirm] = await screen.findAllByRole('button', { name: "Download the bank's file", hidden: true });
  await user.click(confirm as HTMLElement);
  await user.click(await screen.findByRole('button', { name: "The bank's file again" }));
  await screen.findByText('The same file as before');
  expect(calls('/api/owner/payoutrun/export').map(({ body }) => body)).toEqual([{ id: 'r1' }, { id: 'r1' }]);
  expect(saved.map(({ name }) => name)).toEqual(Array(2).fill('payout-2026-11-30-PO0003.csv'));
  expect(saved[0]?.file.size).toBe(new TextEncoder().encode('\ufeffreference,bank_code\r\n').length);
});

it('says before a file is made that its pay day is over', async () => {
  await open(() => story({ state: 'approved', pay_day: '2026-11-02' }, { steps: [...approvedSteps, booked] }));
  await userEvent.click(await screen.findByRole('button', { name: "Download the bank's file" }));
  await screen.findByText('The pay day 02/11/2026 is over');
});

it('takes an approved run back with a reason, and only by who may', async () => {
  const approved = () => story({ state: 'approved' }, { steps: [...approvedSteps, booked] });
  const { calls } = await open(approved, { '/api/owner/payoutrun/withdraw': () => story({ state: 'closed' }) });
  await userEvent.click(await screen.findByRole('button', { name: 'Take the run back' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Take the run back' }));
  dialog.getByText('Please fill this in');
  await userEvent.type(dialog.getByRole('textbox', { name: 'Why' }), 'too late');
  await userEvent.click(dialog.getByRole('button', { name: 'Take the run back' }));
  await screen.findByText('The run was taken back');
  expect(calls('/api/owner/payoutrun/withdraw').map(({ body }) => body)).toEqual([{ id: 'r1', reason: 'too late' }]);
});

it('says of a run without a file what became of it by hand', async () => {
  const rows = [payout('p1', { state: 'booked' }), { ...company, state: 'failed', reason: 'too late' }];
  await open(
    () =>
      story(
        { state: 'approved', failed_count: 1, left_out_count: 0 },
        { steps: [...approvedSteps, booked], failed_satang: 9_253_80 },
      ),
    {},
    {},
    rows,
  );
  await screen.findByText('too late');
  screen.getByText('Not paid to 1 payee');
  // What is not said of yet: 14,250.27 − 9,253.80.
  await screen.findByText('No answer yet for 1 payee');
  await screen.findByRole('row', { name: /Surachai.*4,996\.47.*Approved, not sent/ });
});

const answered = [
  payout('p1', { state: 'paid', paid_on: '2026-12-01' }),
  { ...company, state: 'failed', reason: 'R07 the name does not fit' },
];
const withFailed = (state = 'exported') =>
  story(
    { state, paid_count: 1, failed_count: 1, left_out_count: 0 },
    {
      steps: [...approvedSteps, booked, exported, ...(state === 'closed' ? [closed] : [])],
      file_sha256: 'ff',
      paid_satang: 4_996_47,
      failed_satang: 9_253_80,
    },
  );

it('shows first who was not paid and why, and where the money is', async () => {
  await open(() => withFailed(), {}, {}, answered);
  await screen.findByText('R07 the name does not fit');
  screen.getByText(/Commission of 9,540\.00 went back and can be paid by the next run/);
  await screen.findByRole('row', { name: /Surachai.*4,996\.47.*01\/12\/2026.*Paid/ });
  screen.getByText('2 of 2 so far');
  screen.getByText('Tax withheld, as it was booked');
  // 4,996.47 + 9,253.80 + 440.73
  screen.getByText('14,691.00');
  await userEvent.click(await screen.findByRole('button', { name: /^Not paid/ }));
  await waitFor(() => expect(screen.queryByRole('row', { name: /Surachai/ })).toBeNull());
  screen.getByRole('row', { name: /Papaline.*Not paid/ });
});

it('takes down by hand what became of one payout, with the reason that he reads', async () => {
  const user = userEvent.setup();
  const { calls } = await open(
    () => story({ state: 'exported' }, { steps: [...approvedSteps, booked, exported], file_sha256: 'ff' }),
    {
      '/api/owner/payout/say': ({ day }: { day: string }) =>
        day === '2026-11-30'
          ? new Refusal(409, 'payout.contradiction')
          : new Refusal(400, 'input.invalid', { fields: [{ path: 'day', fault: 'payout.day_not_over' }] }),
    },
    {},
    [payout('p1', { state: 'sent' })],
  );
  await user.click(await screen.findByRole('button', { name: 'Say what became of the payout to Surachai' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('radio', { name: 'Not paid' }));
  await user.click(dialog.getByRole('button', { name: 'Write it down' }));
  dialog.getByText('Please fill this in');
  await user.type(dialog.getByRole('textbox', { name: 'Why, for Surachai to read' }), 'no such account');
  const day = dialog.getByRole('textbox', { name: 'Day' });
  await user.clear(day);
  await user.type(day, '30/11/2098');
  await user.click(dialog.getByRole('button', { name: 'Write it down' }));
  await dialog.findByText('This day is not over yet. Choose an earlier one.');
  await user.clear(day);
  await user.type(day, '30/11/2026');
  await user.click(dialog.getByRole('button', { name: 'Write it down' }));
  await dialog.findByText(/Something else was said of this payout before/);
  expect(calls('/api/owner/payout/say').at(-1)?.body).toEqual({
    id: 'p1',
    outcome: 'failed',
    day: '2026-11-30',
    reason: 'no such account',
  });
});

it('reads the answer of the bank, and says what became of each row', async () => {
  const user = userEvent.setup();
  const { calls } = await open(
    () => withFailed('closed'),
    {
      '/api/owner/payoutrun/result': () => ({
        rows: 36,
        applied: 33,
        known: 2,
        contradicts: ['PO0003-00007'],
      }),
    },
    {},
    answered,
  );
  await screen.findByText('02/12/2026 10:42');
  await user.click(await screen.findByRole('button', { name: "Read the bank's answer" }));
  const text = 'reference,amount,outcome,day,reason\nPO0003-00001,4996.47,paid,2026-12-01,\n';
  await user.upload(await screen.findByLabelText("The bank's answer"), new File([text], 'RESULT.csv'));
  await screen.findByText('36 rows of RESULT.csv read');
  screen.getByText('33 payouts changed by it.');
  screen.getByText('2 rows were known already and changed nothing.');
  screen.getByText('PO0003-00007');
  expect(calls('/api/owner/payoutrun/result').map(({ body }) => body)).toEqual([
    { id: 'r1', name: 'RESULT.csv', text },
  ]);
});

it('reads a file in the Thai letters of Windows', async () => {
  const user = userEvent.setup();
  const { calls } = await open(
    () => withFailed(),
    { '/api/owner/payoutrun/result': () => ({ rows: 1, applied: 1, known: 0, contradicts: [] }) },
    {},
    answered,
  );
  await user.click(await screen.findByRole('button', { name: "Read the bank's answer" }));
  const thai = new Uint8Array([0xba, 0xd1, 0xad, 0xaa, 0xd5]); // บัญชี
  await user.upload(await screen.findByLabelText("The bank's answer"), new File([thai], 'a.csv'));
  await screen.findByText('1 row of a.csv read');
  expect(calls('/api/owner/payoutrun/result')[0]?.body.text).toBe('บัญชี');
});

it('says which row and column of a file does not fit, and that nothing was read', async () => {
  const user = userEvent.setup();
  let refusal = new Refusal(400, 'input.invalid', {
    fields: [{ path: 'rows.4.amount', fault: 'payout.other_amount' }],
  });
  await open(() => withFailed(), { '/api/owner/payoutrun/result': () => refusal }, {}, answered);
  await user.click(await screen.findByRole('button', { name: "Read the bank's answer" }));
  const input = await screen.findByLabelText("The bank's answer");
  await user.upload(input, new File(['reference'], 'a.csv'));
  await screen.findByText('Nothing of this file was read');
  screen.getByText('Row 5, amount: This payout is of another amount.');
  refusal = new Refusal(400, 'payout.no_result_file');
  await user.upload(input, new File(['menu'], 'menu.csv'));
  await screen.findByText(/This is no result file, so nothing was read/);
  expect(screen.queryByText('Nothing of this file was read')).toBeNull();
});
