import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const cashout = (record: object = {}, rest: object = {}) => ({
  record: {
    id: 'k1',
    asked_at: '2026-11-20T12:02:00Z',
    state: 'asked',
    due_at: '2099-12-05T12:02:00Z',
    number: 'KKKKK11111',
    customer_id: 'c1',
    customer_name: 'Kamon',
    amount_satang: 400_00,
    answered_at: null,
    answered_by_name: '',
    ...record,
  },
  customer_picture_url: '',
  balance_satang: 900_00,
  bank: '004',
  account_digits: '7890',
  sources: [
    { method: 'bank', card_digits: '', limit_satang: 100_00 },
    { method: 'card', card_digits: '4242', limit_satang: 300_00 },
  ],
  parts: [],
  fault: '',
  needs_second: false,
  approval_id: null,
  answer: '',
  ...rest,
});

const office = (story: () => object, calls: object = {}) =>
  renderOffice('/owner/cashout/k1', { answers: { '/api/owner/story/cashout': story, ...calls } as never });

const approved = () =>
  cashout(
    { state: 'approved', answered_at: '2026-11-21T03:00:00Z', answered_by_name: 'Nat' },
    {
      sources: [],
      parts: [{ amount_satang: 400_00, method: 'bank', digits: '7890', state: 'approved', at: '2026-11-21T03:00:00Z' }],
    },
  );

it('says where it would go, and pays it out once that is confirmed', async () => {
  let paid = false;
  const { calls } = await office(() => (paid ? approved() : cashout()), {
    '/api/owner/cashout/approve': () => {
      paid = true;
      return approved();
    },
  });
  await screen.findByText('Kasikornbank ····7890');
  screen.getByText('Card ····4242');
  await userEvent.click(screen.getByRole('button', { name: 'Pay ฿400.00 out' }));
  await screen.findByText(/It leaves the Wallet of Kamon at once\. What came in by card goes back there/);
  const [, confirm] = screen.getAllByRole('button', { name: 'Pay ฿400.00 out', hidden: true });
  await userEvent.click(confirm as HTMLElement);
  await screen.findByText('What your shop transfers stands under Bank transfers.');
  expect(calls('/api/owner/cashout/approve').map(({ body }) => body)).toEqual([{ id: 'k1' }]);
});

it('asks a second person where the shop wants that, and says what stands against it', async () => {
  const { calls } = await office(() => cashout({}, { needs_second: true }), {
    '/api/owner/cashout/ask': () => ({ approval_id: 'a1' }),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Ask a second person' }));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Why, for the second person to read' }), 'checked');
  await userEvent.click(screen.getByRole('button', { name: 'Ask for ฿400.00' }));
  await screen.findByText('Asked for');
  expect(calls('/api/owner/cashout/ask').map(({ body }) => body)).toEqual([{ id: 'k1', note: 'checked' }]);
});

it('offers only to refuse what cannot be paid any more', async () => {
  const { calls } = await office(() => cashout({}, { fault: 'cashout.changed', sources: [] }), {
    '/api/owner/cashout/refuse': () => cashout({ state: 'refused' }, { answer: 'no', sources: [] }),
  });
  await screen.findByText('It cannot be paid out now');
  expect((screen.getByRole('button', { name: 'Pay ฿400.00 out' }) as HTMLButtonElement).disabled).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Refuse' }));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Why, for Kamon to read' }), 'Please ask again');
  const [, confirm] = screen.getAllByRole('button', { name: 'Refuse', hidden: true });
  await userEvent.click(confirm as HTMLElement);
  await screen.findByText('Refused');
  expect(calls('/api/owner/cashout/refuse').map(({ body }) => body)).toEqual([
    { id: 'k1', answer: 'Please ask again' },
  ]);
});
