import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const slice = (items: number) => ({
  items,
  paid_satang: items * 33_300,
  fee_satang: items * 1_665,
  amount_satang: items * 31_635,
});

const option = (rest: object) => ({
  voucher_id: 'v1',
  kind: 'item',
  name_th: 'นวด',
  name_en: 'Massage',
  picture: null,
  items_total: 3,
  items_left: 2,
  until: '2026-11-28',
  how: 'self',
  refused: '',
  slices: [slice(1), slice(2)],
  ...rest,
});

const options = (rest: object = {}) => ({
  number: 'ABCDE12345',
  paid_at: '2026-11-21T07:05:00Z',
  balance_satang: 185_000,
  debt_satang: 0,
  source: null,
  vouchers: [option({})],
  refunds: [],
  requests: [],
  ...rest,
});

const opened = (
  detail: unknown,
  make: unknown = () => undefined,
  address = '/user/orders/o1/refund',
  calls: object = {},
) =>
  renderPage(address, {
    '/api/user/refund/options': typeof detail === 'function' ? detail : () => detail,
    '/api/user/refund/make': make,
    ...calls,
    '/api/user/consent/open': () => ({ data: [] }),
  } as never);

it('takes the last items first, shows what each brings and what the shop keeps, and asks for exactly that sum', async () => {
  const user = userEvent.setup();
  let made = false;
  const receipt = { id: 'r1', number: 'RRRRR55555', amount_satang: 31_635, fee_satang: 1_665, own: true };
  const page = await opened(
    () =>
      made
        ? options({
            balance_satang: 216_635,
            refunds: [{ ...receipt, at: '2026-11-22T03:12:00Z', name_th: 'นวด', name_en: 'Massage', more: 0 }],
          })
        : options(),
    () => {
      made = true;
      return { id: 'r1', number: 'RRRRR55555', amount_satang: 31_635 };
    },
  );
  await screen.findByRole('button', { name: 'Refund ฿632.70' });
  screen.getByText('Gone');
  expect(screen.getByRole('button', { name: 'Number 2: 316.35' }).getAttribute('aria-pressed')).toBe('true');
  await user.click(screen.getByRole('button', { name: 'Number 2: 316.35' }));
  expect(screen.getByRole('button', { name: 'Number 2: 316.35' }).getAttribute('aria-pressed')).toBe('false');
  expect(screen.getByRole('button', { name: 'Number 3: 316.35' }).getAttribute('aria-pressed')).toBe('true');
  screen.getByText('333.00');
  screen.getByText('-16.65');
  screen.getByText(/A refund is open until 28\/11\/2026\./);

  await user.click(screen.getByRole('button', { name: 'Refund ฿316.35' }));
  await screen.findByRole('heading', { name: 'Refunded' });
  expect(page.calls('/api/user/refund/make').map(({ body }) => body)).toEqual([
    { id: 'o1', parts: [{ voucher_id: 'v1', items: 1 }], method: 'wallet', amount_satang: 31_635, words: '' },
  ]);
  await screen.findByText('22/11/2026 10:12 · RRRRR55555');
  await screen.findByText('Your Wallet now has ฿2,166.35');
});

it('sends it back to the card that paid where it is chosen and takes as much, and says what is true of that', async () => {
  const user = userEvent.setup();
  let made = false;
  const receipt = { id: 'r1', number: 'RRRRR55555', amount_satang: 31_635, fee_satang: 1_665, own: true };
  const sent = {
    method: 'card',
    state: 'approved',
    digits: '4242',
    bank: '',
    due_at: null,
    ended_at: '2026-11-22T03:12:00Z',
  };
  const page = await opened(
    () =>
      options({
        source: { method: 'card', card_digits: '4242', limit_satang: 40_000 },
        refunds: made
          ? [{ ...receipt, ...sent, at: '2026-11-22T03:12:00Z', name_th: 'นวด', name_en: 'Massage', more: 0 }]
          : [],
      }),
    () => {
      made = true;
      return { id: 'r1', number: 'RRRRR55555', amount_satang: 31_635 };
    },
  );
  await screen.findByText('It takes back ฿400.00 at most');
  expect((screen.getByRole('radio', { name: /4242/ }) as HTMLInputElement).disabled).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Number 2: 316.35' }));
  await user.click(screen.getByRole('radio', { name: /Your card ····4242.*5–10 days/ }));
  screen.getByText('If the card cannot take it, it goes into your Wallet, and you read that in your inbox.');
  await user.click(screen.getByRole('button', { name: 'Refund ฿316.35' }));
  await screen.findByText('On its way');
  await screen.findByText('Your card ····4242');
  expect(screen.queryByText(/Your Wallet now has/)).toBeNull();
  expect(page.calls('/api/user/refund/make').map(({ body }) => body)).toEqual([
    { id: 'o1', parts: [{ voucher_id: 'v1', items: 1 }], method: 'card', amount_satang: 31_635, words: '' },
  ]);
});

it('says of each voucher why it is not refunded, and chooses the one it was opened from', async () => {
  await opened(
    options({
      vouchers: [
        option({}),
        option({ voucher_id: 'v2', name_en: 'Tea', items_left: 1, slices: [slice(1)] }),
        option({ voucher_id: 'v3', how: 'asking', slices: [slice(1), slice(2)] }),
        option({ voucher_id: 'v4', how: '', refused: 'refund.too_late', slices: [] }),
        option({ voucher_id: 'v5', how: '', refused: 'voucher.on_sale', slices: [] }),
      ],
    }),
    undefined,
    '/user/orders/o1/refund?voucher=v2',
  );
  await screen.findByRole('button', { name: 'Refund ฿316.35' });
  expect(screen.getByRole('checkbox', { name: 'Tea' }).getAttribute('aria-checked')).toBe('true');
  screen.getByText('The shop decides on this. Ask for it by itself.');
  screen.getByText('The time for a refund is over.');
});

it('counts many items, refunds a voucher in baht whole, and says what a debt takes', async () => {
  const user = userEvent.setup();
  const many = Array.from({ length: 10 }, (_, i) => slice(i + 1));
  const whole = { items: 60_000, paid_satang: 50_000, fee_satang: 0, amount_satang: 50_000 };
  await opened(
    options({
      debt_satang: 20_000,
      vouchers: [
        option({ items_total: 10, items_left: 10, slices: many }),
        option({
          voucher_id: 'v2',
          name_en: 'Card',
          kind: 'baht',
          items_total: 60_000,
          items_left: 60_000,
          slices: [whole],
        }),
      ],
    }),
  );
  const button = await screen.findByRole('button', { name: 'Choose what is refunded' });
  expect((button as HTMLButtonElement).disabled).toBe(true);
  await user.click(screen.getByRole('button', { name: 'One more' }));
  await user.click(screen.getByRole('checkbox', { name: 'Card' }));
  await screen.findByRole('button', { name: 'Refund ฿816.35' });
  screen.getByText('฿200.00 of it pays what you owe this shop first.');
});

it('says that nothing was refunded where the sum is another one meanwhile, and shows it anew', async () => {
  const user = userEvent.setup();
  let asked = 0;
  await opened(
    () => {
      asked++;
      return options();
    },
    () => new Refusal(409, 'refund.changed'),
  );
  await user.click(await screen.findByRole('button', { name: 'Refund ฿632.70' }));
  await screen.findByText(/Nothing was refunded/);
  await waitFor(() => expect(asked).toBeGreaterThan(1));
});

it("says that somebody else's order is not there, that nothing is left of one, and that it did not load", async () => {
  await opened(() => new Refusal(404, 'not_found'));
  await screen.findByRole('heading', { name: 'Order not found yet' });
  cleanup();
  await opened(options({ vouchers: [] }));
  await screen.findByRole('heading', { name: 'There is nothing to refund' });
  cleanup();
  await opened(() => new Refusal(500, 'internal'));
  await screen.findByText('The refund did not load');
});

const request = (rest: object) => ({
  id: 'q1',
  state: 'asked',
  amount_satang: 63_270,
  asked_at: '2026-11-22T03:12:00Z',
  due_at: '2099-12-07T03:12:00Z',
  answered_at: null,
  words: '',
  answer: '',
  renewable_satang: 0,
  method: 'wallet',
  bank: '',
  account_digits: '',
  parts: [
    {
      voucher_id: 'v1',
      code: 'ABCDE12345',
      kind: 'item',
      name_th: 'นวด',
      name_en: 'Massage',
      items: 2,
      items_left: 2,
      amount_satang: 63_270,
      refused: '',
    },
  ],
  ...rest,
});

it('asks the shop for what it decides on, says what happens next, and takes the request back', async () => {
  const user = userEvent.setup();
  let requests: object[] = [];
  const page = await opened(
    () => options({ vouchers: [option({ how: 'asking', slices: [slice(1), slice(2)] })], requests }),
    undefined,
    undefined,
    {
      '/api/user/refund/ask': () => {
        requests = [request({ words: 'I moved away' })];
        return requests[0];
      },
      '/api/user/refund/withdraw': () => {
        requests = [request({ state: 'withdrawn', answered_at: '2026-11-22T04:00:00Z' })];
        return requests[0];
      },
    },
  );
  await screen.findByText(/The shop should answer within 15 days/);
  screen.getByText(/You can ask until 28\/11\/2026\./);
  await user.type(screen.getByLabelText(/^Tell the shop why/), 'I moved away');
  await user.click(screen.getByRole('button', { name: 'Ask for ฿632.70' }));
  await screen.findByText('Waits for the shop');
  screen.getByText('“I moved away”');
  expect(page.calls('/api/user/refund/ask').map(({ body }) => body)).toEqual([
    {
      id: 'o1',
      parts: [{ voucher_id: 'v1', items: 2 }],
      method: 'wallet',
      amount_satang: 63_270,
      words: 'I moved away',
    },
  ]);
  screen.getByText('The shop should answer by 07/12/2099');
  screen.getByText('You have asked for a refund of this order. The shop has yet to answer.');
  expect(screen.queryByRole('button', { name: /Ask for/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Withdraw the request' }));
  await screen.findByText('You withdrew it');
  await screen.findByRole('button', { name: 'Choose what is refunded' });
});

it('asks the shop for a part that leaves too little of the order for its discount, and for less by itself', async () => {
  const user = userEvent.setup();
  const page = await opened(options(), () => new Refusal(409, 'refund.by_asking'), undefined, {
    '/api/user/refund/ask': () => request({}),
  });
  await user.click(await screen.findByRole('button', { name: 'Refund ฿632.70' }));
  await screen.findByText('The shop decides on this refund. Send it a request.');
  await user.click(screen.getByRole('button', { name: 'Number 2: 316.35' }));
  await user.click(await screen.findByRole('button', { name: 'Refund ฿316.35' }));
  await user.click(await screen.findByRole('button', { name: 'Ask for ฿316.35' }));
  await waitFor(() => expect(page.calls('/api/user/refund/ask').map(({ body }) => body)).toHaveLength(1));
  expect(page.calls('/api/user/refund/ask')[0]?.body).toEqual({
    id: 'o1',
    parts: [{ voucher_id: 'v1', items: 1 }],
    method: 'wallet',
    amount_satang: 31_635,
    words: '',
  });
});

it('reads why it was refused, that the shop is late, and what is left of what changed', async () => {
  const user = userEvent.setup();
  const gone = [{ ...request({}).parts[0], items_left: 1 }];
  const page = await opened(
    options({
      vouchers: [],
      requests: [
        request({ id: 'q4', due_at: '2026-11-01T00:00:00Z' }),
        request({
          id: 'q3',
          state: 'changed',
          renewable_satang: 31_635,
          parts: gone,
          answered_at: '2026-11-23T03:00:00Z',
        }),
        request({
          id: 'q2',
          state: 'refused',
          answer: 'The room was booked for you.',
          answered_at: '2026-11-23T03:00:00Z',
        }),
        request({ id: 'q1', state: 'done', answered_at: '2026-11-24T03:00:00Z' }),
      ],
    }),
    undefined,
    undefined,
    { '/api/user/refund/renew': () => request({}) },
  );
  await screen.findByText('The shop should have answered by 01/11/2026');
  screen.getByText(/Nothing is refunded by itself/);
  screen.getByText('1 used or no longer yours since you asked');
  screen.getByText('“The room was booked for you.”');
  screen.getByText('Refunded to your Wallet');
  await user.click(screen.getByRole('button', { name: 'Ask for ฿316.35 instead' }));
  await waitFor(() =>
    expect(page.calls('/api/user/refund/renew').map(({ body }) => body)).toEqual([{ id: 'q3', amount_satang: 31_635 }]),
  );
});

it('has the shop transfer what was paid by PromptPay to the account that its payer names, and says until when', async () => {
  const user = userEvent.setup();
  let made = false;
  const receipt = { id: 'r1', number: 'RRRRR55555', amount_satang: 63_270, fee_satang: 3_330, own: true };
  const sent = {
    method: 'bank',
    state: 'approved',
    digits: '7890',
    bank: '004',
    due_at: '2026-12-07T03:12:00Z',
    ended_at: '2026-11-22T03:12:00Z',
  };
  const page = await opened(
    () =>
      options({
        source: { method: 'bank', card_digits: '', limit_satang: 100_000 },
        refunds: made
          ? [{ ...receipt, ...sent, at: '2026-11-22T03:12:00Z', name_th: 'นวด', name_en: 'Massage', more: 0 }]
          : [],
      }),
    () => {
      made = true;
      return { id: 'r1', number: 'RRRRR55555', amount_satang: 63_270 };
    },
  );
  await user.click(await screen.findByRole('radio', { name: /To your bank account/ }));
  await user.click(screen.getByRole('button', { name: 'Refund ฿632.70' }));
  expect(screen.getAllByText('Please fill this in')).toHaveLength(3);
  expect(page.calls('/api/user/refund/make')).toEqual([]);
  await user.click(screen.getByRole('combobox', { name: 'Bank' }));
  await user.click(await screen.findByRole('option', { name: 'Kasikornbank' }));
  await user.type(screen.getByRole('textbox', { name: 'Account number' }), '123-4-56789-0');
  await user.type(screen.getByRole('textbox', { name: 'Account name' }), 'Ann Jaidee');
  await user.click(screen.getByRole('button', { name: 'Refund ฿632.70' }));
  await screen.findByText('The shop will transfer it');
  await screen.findByText('Kasikornbank ····7890');
  await screen.findByText(/The shop should transfer it by 07\/12\/2026/);
  expect(page.calls('/api/user/refund/make').map(({ body }) => body)).toEqual([
    {
      id: 'o1',
      parts: [{ voucher_id: 'v1', items: 2 }],
      method: 'bank',
      account: { bank: '004', number: '123-4-56789-0', name: 'Ann Jaidee' },
      amount_satang: 63_270,
      words: '',
    },
  ]);
});
