import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const voucher = (id: string, rest: object) => ({
  id,
  code: id.toUpperCase(),
  line: 0,
  name_th: 'นวด',
  name_en: 'Massage',
  kind: 'item',
  state: 'ready',
  items_total: 3,
  items_left: 2,
  is_slice: false,
  holder_id: 'c1',
  holder_name: 'Nat',
  ...rest,
});

const story = {
  record: {
    id: 'o1',
    number: 'OD1',
    state: 'paid',
    customer_id: 'c1',
    customer_name: 'Nat',
    total_satang: 3000_00,
    method: 'wallet',
    paid_at: '2026-11-14T12:43:00Z',
    created_at: '2026-11-14T12:42:00Z',
    sale_channel: 1,
    lines: [],
    cases: [],
  },
  vouchers: [
    voucher('v1', {}),
    voucher('v2', { state: 'in_transfer' }),
    voucher('v3', { holder_id: 'c2', holder_name: 'Pim' }),
    voucher('v4', { state: 'used', items_left: 0 }),
  ],
  vouchers_issued: 4,
  refunds: [],
  money: { used_satang: 0, unused_satang: 0, frozen_satang: 0, expired_satang: 0, returned_satang: 0, split_satang: 0 },
  share_satang: 0,
  platform_discount_satang: 0,
  discounts: [],
  payment: null,
  buyer: null,
  events: [],
  events_more: false,
};

const quote = (parts: { voucher_id: string; items: number }[]) => {
  const sum = parts.reduce((all, { items }) => all + items * 882_00, 0);
  return {
    customer_id: 'c1',
    customer_name: 'Nat',
    amount_satang: sum,
    share_satang: sum - 100_00,
    fee_satang: 40_00,
    commission_satang: 60_00,
    source: null,
    parts: parts.map((part) => ({ voucher_id: part.voucher_id, amount_satang: part.items * 882_00 })),
  };
};

async function open(made: (body: { parts: object[]; reason: string; note: string }) => object = () => ({})) {
  const user = userEvent.setup();
  await renderOffice('/owner/orderlist/o1', {
    answers: {
      '/api/owner/story/orders': () => story,
      '/api/owner/refund/quote': ({ parts }: { parts: { voucher_id: string; items: number }[] }) => quote(parts),
      '/api/owner/refund/make': made,
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Refund' }));
  return { user, dialog: within(screen.getByRole('dialog')) };
}

it('refunds items to who holds them: says the sum and where it comes from, and sends it once with its reason', async () => {
  const sent: object[] = [];
  const { user, dialog } = await open((body) => {
    sent.push(body);
    return { id: 'r1', number: 'RF1', amount_satang: 882_00 };
  });
  expect(dialog.getAllByRole('checkbox', { name: 'Massage' })).toHaveLength(3);
  await user.click(dialog.getAllByRole('checkbox', { name: 'Massage' })[0] as HTMLElement);
  await user.click(dialog.getByRole('button', { name: 'One less' }));
  const refund = await dialog.findByRole('button', { name: 'Refund ฿882.00' });
  dialog.getByText('Into the Wallet of Nat');
  dialog.getByText('782.00');
  await user.click(refund);
  dialog.getByText('Choose a reason');
  expect(sent).toHaveLength(0);

  await user.click(dialog.getByRole('combobox', { name: 'Reason' }));
  await user.click(screen.getByRole('option', { name: 'The customer asked for it' }));
  await user.type(dialog.getByRole('textbox', { name: /Note/ }), ' moved away ');
  await user.click(dialog.getByRole('button', { name: 'Refund ฿882.00' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent).toEqual([
    { id: 'o1', parts: [{ voucher_id: 'v1', items: 1 }], method: 'wallet', reason: 'asked', note: 'moved away' },
  ]);
});

it('refunds the card that paid where that takes as much', async () => {
  const sent: object[] = [];
  const user = userEvent.setup();
  await renderOffice('/owner/orderlist/o1', {
    answers: {
      '/api/owner/story/orders': () => story,
      '/api/owner/refund/quote': ({ parts }: { parts: { voucher_id: string; items: number }[] }) => ({
        ...quote(parts),
        source: { method: 'card', card_digits: '4242', limit_satang: 1_000_00 },
      }),
      '/api/owner/refund/make': (body: object) => {
        sent.push(body);
        return { id: 'r1', number: 'RF1', amount_satang: 882_00 };
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Refund' }));
  const dialog = within(screen.getByRole('dialog'));
  await user.click(dialog.getAllByRole('checkbox', { name: 'Massage' })[0] as HTMLElement);
  await dialog.findByText('The card takes back ฿1,000.00 at most.');
  await user.click(dialog.getByRole('button', { name: 'One less' }));
  await dialog.findByRole('button', { name: 'Refund ฿882.00' });
  await user.click(dialog.getByRole('combobox', { name: 'Where it goes' }));
  await user.click(screen.getByRole('option', { name: 'Card ····4242' }));
  dialog.getByText('To the card that Nat paid with');
  await user.click(dialog.getByRole('combobox', { name: 'Reason' }));
  await user.click(screen.getByRole('option', { name: 'The shop cannot provide it' }));
  await user.click(dialog.getByRole('button', { name: 'Refund ฿882.00' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent).toEqual([
    { id: 'o1', parts: [{ voucher_id: 'v1', items: 1 }], method: 'card', reason: 'not_provided', note: '' },
  ]);
});

it('refunds only one person’s at a time, and what is on its way whole', async () => {
  const { user, dialog } = await open();
  const boxes = dialog.getAllByRole('checkbox', { name: 'Massage' });
  await user.click(boxes[1] as HTMLElement);
  await dialog.findByRole('button', { name: 'Refund ฿1,764.00' });
  expect(dialog.queryByRole('button', { name: 'One less' })).toBeNull();
  expect((boxes[2] as HTMLButtonElement).disabled).toBe(true);
  dialog.getByText('Belongs to somebody else. Refund it by itself.');
});

it('offers no refund to who may not change the state of vouchers', async () => {
  await renderOffice('/owner/orderlist/o1', {
    who: { role: 'user', permission: { soldtransaction: 'v', voucher: 'v' } },
    answers: { '/api/owner/story/orders': () => story },
  });
  await screen.findByRole('heading', { level: 1, name: /3,000/ });
  expect(screen.queryByRole('button', { name: 'Refund' })).toBeNull();
});

it('asks a second person where the shop wants one, and says why', async () => {
  const sent: object[] = [];
  const user = userEvent.setup();
  await renderOffice('/owner/orderlist/o1', {
    answers: {
      '/api/owner/story/orders': () => story,
      '/api/owner/refund/quote': ({ parts }: { parts: { voucher_id: string; items: number }[] }) => ({
        ...quote(parts),
        needs_second: true,
      }),
      '/api/owner/refund/ask': (body: object) => ({ approval_id: String(sent.push(body)) }),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Refund' }));
  const dialog = within(screen.getByRole('dialog'));
  await user.click(dialog.getAllByRole('checkbox')[0] as HTMLElement);
  await user.click(dialog.getByRole('combobox'));
  await user.click(await screen.findByRole('option', { name: 'The customer asked for it' }));
  const ask = await dialog.findByRole('button', { name: /^Ask for/ });
  await user.click(ask);
  dialog.getByText('Write why');
  await user.type(dialog.getByLabelText(/Why, for the second person/), 'moves');
  await user.click(ask);
  await waitFor(() =>
    expect(sent).toEqual([
      { id: 'o1', parts: [{ voucher_id: 'v1', items: 2 }], method: 'wallet', reason: 'asked', note: 'moves' },
    ]),
  );
});

it('says above an order that its payer waits for an answer, and leads to that', async () => {
  const asked = { id: 'q1', amount_satang: 475_00, due_at: '2026-12-05T12:02:00Z' };
  await renderOffice('/owner/soldtransaction/o1', {
    answers: {
      '/api/owner/story/orders': () => story,
      '/api/owner/get/refundrequest': () => ({ data: [asked], next: null, total: 1 }),
    },
  });
  await screen.findByText('The customer asks for a refund of ฿475.00');
  screen.getByText(/Answer by 05\/12\/2026\./);
  expect(screen.getByRole('link', { name: 'See the request' }).getAttribute('href')).toBe('/owner/refundrequest/q1');
});
