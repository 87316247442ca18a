import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { expect, it } from 'vitest';
import { openOffice } from '../../open-office.ts';

const order = {
  id: 'o1',
  number: 'A1',
  state: 'paid',
  customer_name: 'Nat',
  sale_channel: 3,
  pieces: 1,
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
  await openOffice('/owner/soldtransaction?sale_channel=2', {
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

it('has words of its own for who may not read the settings', async () => {
  await openOffice('/owner/soldtransaction', {
    answers: { ...orders, '/api/owner/get/salechannel': () => new Refusal(403, 'not_allowed') },
  });
  const table = within(await screen.findByRole('table'));
  await table.findByText('Agent');
});
