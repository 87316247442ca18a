import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const line = (rest: object = {}) => ({
  order_id: 'o1',
  number: 'OD004391',
  what: 'matured',
  why: '',
  name_th: 'นวดอโรมา',
  name_en: 'Aroma massage',
  pieces: 1,
  base_satang: 3_290_00,
  amount_satang: 329_00,
  at: '2026-11-12T04:00:00Z',
  ...rest,
});

const story = (record: object = {}, rest: object = {}) => ({
  record: {
    id: 'p1',
    run_id: 'r1',
    run_number: 'PO0003',
    pay_day: '2026-11-30',
    reference: 'PO0003-00004',
    state: 'ready',
    left_out: '',
    payee_id: 'a1',
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
    ...record,
  },
  run_state: 'draft',
  run_waits: false,
  account_name: 'สุรชัย ตันติกุล',
  taxable_satang: 5_151_00,
  lines: [
    line({ order_id: 'o2', number: 'OD003988', what: 'taken_back', why: 'payment', amount_satang: -329_00 }),
    line({ pieces: 2 }),
    line({ order_id: null, number: 'PO0002-00004', what: 'came_back', name_en: '', pieces: 0, amount_satang: 200_00 }),
  ],
  results: [],
  certificates: [] as object[],
  before: { payouts: 8, net_satang: 36_402_16 },
  ...rest,
});

const open = (shown: () => object, calls: object = {}, options: object = {}) =>
  renderOffice('/owner/payoutlist/p1', {
    answers: { '/api/owner/story/payout': shown, ...calls } as never,
    ...options,
  });

const button = (name: string) => screen.queryByRole('button', { name });

it('says what a payout is made of, each line with its order', async () => {
  await open(() => story());
  await screen.findByText('Commission, 18 lines');
  screen.getByText('5,480.00');
  screen.getByText('Tax withheld, of 5,151.00');
  screen.getByText('Transfer to Krungthai x-8812');
  screen.getByText('Krungthai x-8812 สุรชัย ตันติกุล');
  expect(screen.getByRole('link', { name: 'OD004391' }).getAttribute('href')).toBe('/owner/orderlist/o1');
  expect(screen.getByRole('link', { name: 'Payouts of 30/11/2026' }).getAttribute('href')).toBe(
    '/owner/paycommissiontransaction/r1',
  );
  screen.getByRole('row', { name: /OD003988.*payment was reversed after this commission could be paid out.*−329\.00/ });
  screen.getByRole('row', { name: /OD004391.*Aroma massage ×2.*3,290\.00.*329\.00/ });
  screen.getByRole('row', { name: /PO0002-00004.*An earlier payout that came back.*200\.00/ });
  screen.getByText('The first 3 of 18 lines');
  screen.getByText('Paid 8 times before, ฿36,402.16 in all');
  expect(button('Say what became of it')).toBeNull();
});

it('leaves somebody of a draft to the next run', async () => {
  const user = userEvent.setup();
  let postponed = false;
  const left = () => story({ state: 'left_out', left_out: 'postponed' }, { lines: [] });
  const { calls } = await open(() => (postponed ? left() : story()), {
    '/api/owner/payout/postpone': () => {
      postponed = true;
      return left();
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Leave to the next run' }));
  const [, confirm] = await screen.findAllByRole('button', { name: 'Leave to the next run', hidden: true });
  await user.click(confirm as HTMLElement);
  await screen.findByText('Nothing is paid by this run');
  screen.getByText('Somebody left this payee to the next run.');
  expect(calls('/api/owner/payout/postpone').map(({ body }) => body)).toEqual([{ id: 'p1' }]);
  expect(button('Leave to the next run')).toBeNull();
});

it.each([
  ['a draft that waits for a second person', { run_waits: true }, 'vius'],
  ['a run that is approved', { run_state: 'approved' }, 'vius'],
  ['who may not draft', {}, 'vu'],
])('leaves nobody out of it for %s', async (_, rest, letters) => {
  await open(() => story({}, rest), {}, { who: { role: 'user', permission: { paycommissiontransaction: letters } } });
  await screen.findByText('Where the money comes from');
  expect(button('Leave to the next run')).toBeNull();
  // Who may not see orders and agents reads their names.
  expect(screen.queryByRole('link', { name: 'OD004391' })).toBeNull();
});

it('says what was said of it, and that a paid one came back', async () => {
  const user = userEvent.setup();
  const paid = {
    outcome: 'paid',
    day: '2026-12-01',
    reason: '',
    file: 'RESULT.csv',
    answer: 'applied',
    at: '2026-12-02T03:42:00Z',
    by: 'Mali',
  };
  const again = { ...paid, outcome: 'failed', reason: 'R07', file: '', answer: 'contradicts' };
  const { calls } = await open(
    () => story({ state: 'paid', paid_on: '2026-12-01' }, { run_state: 'closed', results: [paid, again] }),
    { '/api/owner/payout/say': () => story({ state: 'returned' }) },
  );
  await screen.findByText('Paid 01/12/2026');
  screen.getByText('Mali read RESULT.csv 02/12/2026 10:42');
  screen.getByText('Something else was said before, so nothing was changed');
  await user.click(screen.getByRole('button', { name: 'It came back' }));
  await screen.findByRole('dialog', { name: 'Did the payout to Surachai come back?' });
  screen.getByText(/What was withheld stays so/);
  expect(screen.queryByRole('radio')).toBeNull();
  await user.type(screen.getByRole('textbox', { name: 'Why, for Surachai to read' }), 'account closed');
  await user.click(screen.getByRole('button', { name: 'Write it down' }));
  await screen.findByText('It is written down that it came back');
  await waitFor(() =>
    expect(calls('/api/owner/payout/say')[0]?.body).toMatchObject({
      id: 'p1',
      outcome: 'returned',
      reason: 'account closed',
    }),
  );
});

it('says why somebody is left out, and what he owes', async () => {
  await open(() =>
    story(
      { state: 'left_out', left_out: 'owes', gross_satang: -329_00, net_satang: -329_00, lines: 1 },
      { lines: [], before: { payouts: 0, net_satang: 0 } },
    ),
  );
  await screen.findByText('More was taken back than was earned. What is earned next pays it first.');
  screen.getByText('Owed when it was computed');
  screen.getByText('Not paid before');
});

it('has the slip of what was paid, and the certificate that stands', async () => {
  const certificates = [
    { id: 'c2', number: 'WT00000-6912-000002', state: 'issued' },
    { id: 'c1', number: 'WT00000-6912-000001', state: 'void' },
  ];
  URL.createObjectURL = () => 'blob:a';
  const { calls } = await open(() => story({ state: 'paid', paid_on: '2026-11-30' }, { certificates }));
  await userEvent.click(await screen.findByRole('button', { name: 'Tax certificate' }));
  await userEvent.click(screen.getByRole('button', { name: 'Slip' }));
  await waitFor(() => expect(calls('/api/owner/payout/slip/p1')).toHaveLength(1));
  expect(calls('/api/owner/taxcertificate/file/c2')).toHaveLength(1);
});

it('has no slip of what was not paid', async () => {
  await open(() => story({ state: 'failed' }));
  await screen.findByText('Commission, 18 lines');
  expect(button('Slip')).toBeNull();
});

it('shows a refund without tax and papers, and says that what failed is in the Wallet', async () => {
  const user = userEvent.setup();
  const refund = {
    run_kind: 'refund',
    payee_id: null,
    transfer_id: 't1',
    number: 'RRRRR55555',
    payee_name: 'Kamon',
    payee_kind: '',
    state: 'sent',
    lines: 0,
    gross_satang: 475_50,
    taken_back_satang: 0,
    withheld_satang: 0,
    net_satang: 475_50,
  };
  await open(() => story(refund, { run_state: 'exported', lines: [], taxable_satang: 0, account_name: 'กมล ใจดี' }));
  const link = await screen.findByRole('link', { name: 'Refund RRRRR55555' });
  expect(link.getAttribute('href')).toBe('/owner/banktransfer/t1');
  for (const name of ['Carried over', 'Tax withheld', 'Where the money comes from'])
    expect(screen.queryByText(name)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Say what became of it' }));
  await user.click(await screen.findByRole('radio', { name: 'Not paid' }));
  await screen.findByText(/goes to the Wallet of Kamon at once/);
  screen.getByText('For your shop only');
});
