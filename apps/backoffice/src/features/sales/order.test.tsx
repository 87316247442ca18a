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
  await renderOffice('/owner/soldtransaction?sale_channel=2', {
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
  await renderOffice('/owner/soldtransaction', {
    answers: { ...orders, '/api/owner/get/salechannel': () => new Refusal(403, 'not_allowed') },
  });
  const table = within(await screen.findByRole('table'));
  await table.findByText('Agent');
});

it('says what was bought and how it was paid, and has a tab for each state with how many', async () => {
  const user = userEvent.setup();
  const { calls } = await renderOffice('/owner/soldtransaction', {
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
  const record = { ...order, platform_fee_satang: 0, owed_satang: 0, lines: [], cases: [aCase(rest)] };
  await renderOffice('/owner/soldtransaction/o1', {
    answers: { ...orders, '/api/owner/detail/orders': () => record },
  });
  for (const words of english) await screen.findByText(words);
  await act(() => setLanguage('th', messageCatalog));
  for (const words of thai) screen.getByText(words);
});
