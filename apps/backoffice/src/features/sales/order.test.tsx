import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { setLanguage } from '@wlv/client/language';
import { Refusal } from '@wlv/client/test-kit';
import { expect, it } from 'vitest';
import { messageCatalog } from '../../messages.ts';
import { renderOffice } from '../../test/render-office.ts';

const order = {
  id: 'o1',
  number: 'A1',
  state: 'paid',
  customer_name: 'Nat',
  bought_name_th: 'นวด',
  bought_name_en: 'Massage',
  bought_picture_id: null,
  bought_pieces: 2,
  method: 'promptpay',
  sale_channel: 3,
  pieces: 5,
  total_satang: 790_00,
  commission_satang: 0,
  created_at: '2026-11-20T10:00:00Z',
  paid_at: '2026-11-20T10:00:00Z',
};
const orders = { '/api/owner/get/orders': () => ({ data: [order], next: null, total: 1 }) };
const channel = (number: number | null, name_en: string, status = 5) => ({
  id: name_en,
  number,
  name_th: name_en,
  name_en,
  position: 1,
  status,
});

it('names channels as the shop does, in the list and in its filter', async () => {
  const user = userEvent.setup();
  await renderOffice('/owner/orderlist?sale_channel=2', {
    answers: {
      ...orders,
      '/api/owner/get/salechannel': () => ({
        data: [
          channel(2, 'Our web shop'),
          channel(3, 'Friends of the house'),
          channel(4, 'Cards', 2),
          channel(null, 'Fair'),
        ],
        next: null,
        total: 4,
      }),
    },
  });
  await within(await screen.findByRole('table')).findByText('Friends of the house');

  await user.click(await screen.findByRole('button', { name: 'Channel: Our web shop' }));
  const boxes = within(await screen.findByRole('dialog')).getAllByRole('checkbox');
  expect(boxes.map((box) => box.closest('label')?.textContent)).toEqual(['Our web shop', 'Friends of the house']);
});

it('shows its own channel names without the right to read the settings', async () => {
  await renderOffice('/owner/orderlist', {
    answers: { ...orders, '/api/owner/get/salechannel': () => new Refusal(403, 'not_allowed') },
  });
  const table = within(await screen.findByRole('table'));
  await table.findByText('Agent');
});

it('says what was bought and how it was paid, and has a tab for each state with how many', async () => {
  const user = userEvent.setup();
  const { calls } = await renderOffice('/owner/orderlist', {
    answers: { ...orders, '/api/owner/get/salechannel': () => ({ data: [] }) },
  });
  const row = within(
    (await screen.findByRole('cell', { name: /Massage.*×2 and 3 more/ })).closest('tr') ?? document.body,
  );
  row.getByText('PromptPay QR');

  await user.click(screen.getByRole('button', { name: /^Waiting for payment/ }));
  await waitFor(() =>
    expect(calls('/api/owner/get/orders').at(-1)?.body).toMatchObject({ filter: { state: 'awaiting' }, limit: 50 }),
  );
});

const story = {
  record: {
    ...order,
    number: 'OD1',
    customer_id: 'c1',
    total_satang: 3843_00,
    agent_id: 'a1',
    agent_name: 'Napat',
    platform_fee_satang: 134_51,
    commission_satang: 384_30,
    lines: [
      {
        package_id: 'p1',
        name_th: 'นวด',
        name_en: 'Massage',
        picture_id: null,
        quantity: 2,
        unit_satang: 1921_50,
        amount_satang: 3843_00,
        discount_satang: 0,
        rate_kind: 'percent',
        rate_value: 1000,
      },
    ],
  },
  share_satang: 3324_19,
  platform_discount_satang: 0,
  discounts: [],
  money: {
    used_satang: 987_00,
    unused_satang: 2856_00,
    frozen_satang: 0,
    expired_satang: 0,
    returned_satang: 0,
    split_satang: 0,
  },
  buyer: { id: 'c1', pictureUrl: '', orders: 7, spent_satang: 18420_00 },
  payment: { id: 'o1', reference: 'PP77', gateway_id: 'chrg_1', state: 'captured' },
  vouchers: [
    {
      id: 'v1',
      code: 'RL1',
      line: 0,
      name_th: 'นวด',
      name_en: 'Massage',
      kind: 'item',
      state: 'ready',
      items_total: 3,
      items_left: 2,
      holder_id: 'c1',
      holder_name: 'Nat',
    },
    {
      id: 'v2',
      code: 'RL2',
      line: 0,
      name_th: 'นวด',
      name_en: 'Massage',
      kind: 'item',
      state: 'expired',
      items_total: 3,
      items_left: 3,
      holder_id: 'c2',
      holder_name: 'Pim',
    },
  ],
  vouchers_issued: 2,
  refunds: [
    {
      number: 'RF1',
      at: '2026-11-20T08:00:00Z',
      amount_satang: 960_75,
      method: 'bank',
      reason: 'payer',
      person: '',
      words: 'I moved away',
    },
  ],
  events: [
    event('used', '2026-11-18T08:20:00Z', {
      record_table: 'voucher',
      record_id: 'v1',
      record_name: 'RL1',
      name_en: 'Massage',
      unit: 'item',
      items: 1,
      amount_satang: 853_75,
      service_point_name_en: 'Thapae',
      person: 'Tom',
    }),
    event('paid', '2026-11-14T12:43:00Z', {
      record_table: 'orders',
      record_id: 'o1',
      record_name: 'OD1',
      items: 2,
      amount_satang: 3843_00,
      reason: 'promptpay',
    }),
    event('ordered', '2026-11-14T12:42:00Z', {
      record_table: 'orders',
      record_id: 'o1',
      record_name: 'OD1',
      amount_satang: 3843_00,
      person: 'Napat',
    }),
  ],
  events_more: false,
};

function event(kind: string, at: string, rest: object) {
  const empty = { record_table: '', record_id: null, record_name: '', name_th: '', name_en: '', unit: '', items: 0 };
  return {
    ...empty,
    id: at,
    kind,
    at,
    amount_satang: 0,
    service_point_name_th: '',
    service_point_name_en: '',
    person: '',
    reason: '',
    ...rest,
  };
}

it('tells an order: where its money is, its vouchers, who did what, each with a link to its record', async () => {
  const user = userEvent.setup();
  await renderOffice('/owner/orderlist/o1', { answers: { '/api/owner/story/orders': () => story } });
  await screen.findByRole('heading', { level: 1, name: /3,843/ });
  const leads = (name: string) => screen.getAllByRole('link', { name }).map((link) => link.getAttribute('href'));
  expect(leads('Nat')).toContain('/owner/customerlist/c1');
  expect(leads('RL1')).toContain('/owner/voucherlist/v1');
  expect(leads('Napat')).toEqual(['/owner/agentlist/a1']);
  expect(leads('PP77')).toEqual(['/owner/depositqrtransaction/o1']);
  screen.getByText('Massage · 2 of 3 left');
  screen.getByText('Massage · Expired · with Pim');
  screen.getByText('2,856.00');
  screen.getByText(/Commission 10%$/);
  screen.getByText('To a bank account · the customer changed his mind');
  screen.getByText('“I moved away”');
  const happened = within(screen.getByRole('list', { name: 'What happened' })).getAllByRole('listitem');
  expect(happened.map(({ textContent }) => textContent)).toEqual([
    "Used Massage 1 time at ThapaeRL1 · confirmed by Tom · ฿853.75 of it is the shop's now18/11/2026 15:20",
    '฿3,843.00 was paidBy PromptPay QR · 2 vouchers issued14/11/2026 19:43',
    'Ordered for ฿3,843.00Through the sale link of Napat14/11/2026 19:42',
  ]);

  await user.click(screen.getByRole('button', { name: 'Uses 1' }));
  expect(within(screen.getByRole('list', { name: 'What happened' })).getAllByRole('listitem')).toHaveLength(1);
});

it('names records without leading to those that the person may not see', async () => {
  await renderOffice('/owner/orderlist/o1', {
    who: { role: 'user', permission: { soldtransaction: 'v' } },
    answers: {
      '/api/owner/story/orders': () => ({
        ...story,
        buyer: null,
        payment: null,
        vouchers: [],
        events: story.events.slice(1),
      }),
    },
  });
  await screen.findByRole('heading', { level: 1, name: /3,843/ });
  screen.getAllByText('Nat');
  expect(screen.queryByRole('link', { name: 'Nat' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Napat' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Massage' })).toBeNull();
});

const aCase = (rest: object) => ({
  id: 'c1',
  charge_id: 'ch1',
  kind: 'refund',
  amount_satang: 120_00,
  opened_at: '2026-11-21T03:00:00Z',
  due_at: '2026-11-28T03:00:00Z',
  closed_at: null,
  outcome: '',
  ...rest,
});
const settled = { closed_at: '2026-11-24T03:00:00Z', due_at: '2026-11-28T03:00:00Z' };

it.each([
  [
    'that is open',
    {},
    ['Sent back: ฿120.00 is not covered', /On 28\/11\/2026.* the shop bears it by itself/],
    ['คืนเงินไปแล้ว ยังขาดอยู่ ฿120.00', /ร้านจะรับภาระส่วนนี้เองโดยอัตโนมัติ/],
  ],
  [
    'that was covered',
    { ...settled, outcome: 'covered' },
    ['Sent back: settled on 24/11/2026', '฿120.00 was covered.'],
    [/^คืนเงินไปแล้ว ปิดเรื่องเมื่อ 24/, 'ครบแล้ว ฿120.00'],
  ],
  [
    'that the shop bore',
    { ...settled, outcome: 'borne' },
    ['Sent back: settled on 24/11/2026', 'The shop bore ฿120.00.'],
    [/^คืนเงินไปแล้ว ปิดเรื่องเมื่อ 24/, 'ร้านรับภาระ ฿120.00'],
  ],
  [
    'of another sum',
    { kind: 'wrong_sum', due_at: null },
    ['Paid with another sum', /^฿120.00 was paid at the payment company instead/],
    ['จ่ายไม่ตรงยอด', /^ผู้ให้บริการรับชำระแจ้งว่ามีการจ่าย ฿120.00/],
  ],
])('says of a case %s what it means for the shop', async (_which, rest, english, thai) => {
  await renderOffice('/owner/orderlist/o1', {
    answers: { '/api/owner/story/orders': () => ({ ...story, record: { ...story.record, cases: [aCase(rest)] } }) },
  });
  for (const words of english) await screen.findByText(words);
  await act(() => setLanguage('th', messageCatalog));
  for (const words of thai) screen.getByText(words);
});
