import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const part = {
  voucher_id: 'v1',
  code: 'RL5C19HB40',
  kind: 'item',
  name_th: 'นวด',
  name_en: 'Massage',
  items: 2,
  items_left: 2,
  amount_satang: 475_00,
  refused: '',
};

const asked = (rest: object = {}, record: object = {}) => ({
  record: {
    id: 'q1',
    asked_at: '2026-11-20T12:02:00Z',
    state: 'asked',
    due_at: '2099-12-05T12:02:00Z',
    order_id: 'o1',
    number: 'ABCDE12345',
    customer_id: 'c1',
    customer_name: 'Kamon',
    amount_satang: 475_00,
    answered_at: null,
    answered_by_name: '',
    ...record,
  },
  customer_picture_url: '',
  words: 'I moved away',
  parts: [part],
  changed: false,
  fault: '',
  share_satang: 410_00,
  fee_satang: 15_00,
  commission_satang: 50_00,
  kept_satang: 25_00,
  method: 'wallet',
  digits: '',
  bank: '',
  needs_second: false,
  approval_id: null,
  refund_number: '',
  answer: '',
  renewed_by: null,
  ...rest,
});

const over = (state: string, rest: object = {}) =>
  asked(rest, { state, answered_at: '2026-11-21T03:00:00Z', answered_by_name: 'Nat' });

const office = (story: () => object, calls: object = {}) =>
  renderOffice('/owner/refundrequest/q1', { answers: { '/api/owner/story/refundrequest': story, ...calls } as never });

it('shows what is asked for and where the money comes from, and refunds it after a second look', async () => {
  let done = false;
  const { calls } = await office(() => (done ? over('done', { refund_number: 'RRRRR55555' }) : asked()), {
    '/api/owner/refundrequest/grant': () => {
      done = true;
      return over('done', { refund_number: 'RRRRR55555' });
    },
  });
  await screen.findByRole('heading', { name: 'Kamon asks for a refund' });
  screen.getByText('410.00');
  screen.getByText('“I moved away”');
  screen.getByText('The shop keeps its fee');
  await userEvent.click(screen.getByRole('button', { name: 'Refund ฿475.00' }));
  await screen.findByText(/It goes to the Wallet of Kamon at once/);
  const buttons = screen.getAllByRole('button', { name: 'Refund ฿475.00' });
  await userEvent.click(buttons.at(-1) as HTMLElement);
  await screen.findByText("฿475.00 is in the customer's Wallet. The refund is RRRRR55555.");
  expect(calls('/api/owner/refundrequest/grant').map(({ body }) => body)).toEqual([{ id: 'q1' }]);
});

it('refuses with words that the customer reads, and not without any', async () => {
  let done = false;
  const { calls } = await office(() => (done ? over('refused', { answer: 'It was booked.' }) : asked()), {
    '/api/owner/refundrequest/refuse': () => {
      done = true;
      return over('refused', { answer: 'It was booked.' });
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Refuse' }));
  const refuse = () => userEvent.click(screen.getAllByRole('button', { name: 'Refuse' }).at(-1) as HTMLElement);
  await screen.findByText('Refuse the refund?');
  await refuse();
  await screen.findByText('Write why');
  expect(calls('/api/owner/refundrequest/refuse')).toEqual([]);
  await userEvent.type(screen.getByLabelText(/Why, for Kamon to read/), ' It was booked. ');
  await refuse();
  await screen.findByText('You said: “It was booked.”');
  expect(calls('/api/owner/refundrequest/refuse').map(({ body }) => body)).toEqual([
    { id: 'q1', answer: 'It was booked.' },
  ]);
});

it('names what was used since, does not refund that, and asks the customer again', async () => {
  let done = false;
  const changed = asked({ changed: true, fault: 'refund.request_changed', parts: [{ ...part, items_left: 1 }] });
  const { calls } = await office(() => (done ? over('changed') : changed), {
    '/api/owner/refundrequest/again': () => {
      done = true;
      return over('changed');
    },
  });
  await screen.findByText('1 of 2 used or left the customer since');
  expect(screen.queryByRole('button', { name: /^Refund/ })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Ask the customer again' }));
  await screen.findByText('Ask Kamon again?');
  await userEvent.click(screen.getAllByRole('button', { name: 'Ask the customer again' }).at(-1) as HTMLElement);
  await screen.findByText('The customer was asked to look again. Nothing was refunded.');
  expect(calls('/api/owner/refundrequest/again').map(({ body }) => body)).toEqual([{ id: 'q1' }]);
});

it('asks a second person where the shop wants that, and then says where it waits', async () => {
  let waits = false;
  const { calls } = await office(() => asked({ needs_second: true, approval_id: waits ? 'a1' : null }), {
    '/api/owner/refundrequest/ask': () => {
      waits = true;
      return { approval_id: 'a1' };
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Ask a second person' }));
  await userEvent.type(screen.getByLabelText(/Why, for the second person to read/), 'He moves');
  await userEvent.click(screen.getByRole('button', { name: 'Ask for ฿475.00' }));
  const link = await screen.findByRole('link', { name: 'See where it waits' });
  expect(link.getAttribute('href')).toBe('/owner/approval/a1');
  expect(calls('/api/owner/refundrequest/ask').map(({ body }) => body)).toEqual([{ id: 'q1', note: 'He moves' }]);
});

it('says that it is overdue, that it cannot be refunded now, and that it was answered meanwhile', async () => {
  let asks = 0;
  await office(
    () => {
      asks++;
      return asked(
        { fault: 'voucher.in_transfer', parts: [{ ...part, refused: 'voucher.in_transfer' }] },
        { due_at: '2026-11-01T00:00:00Z' },
      );
    },
    { '/api/owner/refundrequest/refuse': () => new Refusal(409, 'refund.request_over') },
  );
  await screen.findByText('Overdue');
  await screen.findByText('It cannot be refunded now');
  expect(screen.getByRole('button', { name: 'Refund ฿475.00' })).toHaveProperty('disabled', true);
  await userEvent.click(screen.getByRole('button', { name: 'Refuse' }));
  await userEvent.type(screen.getByLabelText(/Why, for Kamon to read/), 'no');
  const before = asks;
  await userEvent.click(screen.getAllByRole('button', { name: 'Refuse' }).at(-1) as HTMLElement);
  await screen.findByText('This request does not wait for an answer any more.');
  await waitFor(() => expect(asks).toBeGreaterThan(before));
});
