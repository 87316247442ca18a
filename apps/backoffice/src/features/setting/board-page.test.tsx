import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const decided = { open: true, royalty_basis_points: 250, cap_percent: 100, days: 30, sold_out_only: false };
const get = '/api/owner/setting/board/get';
const save = '/api/owner/setting/board/save';

const page = (answers = {}, before = decided) =>
  renderOffice('/owner/settingboard', {
    answers: {
      [get]: () => ({ ...before, fee_basis_points: 300 }),
      [save]: ({ body }: { body: object }) => ({ ...body, fee_basis_points: 300 }),
      ...answers,
    },
  });

it('computes an example of what the form says now', async () => {
  const user = userEvent.setup();
  const { calls } = await page();
  const field = await screen.findByLabelText("The shop's part");
  const example = () => screen.queryByText(/^Of ฿1,000\.00 the seller gets/)?.textContent;
  expect(example()).toBe(
    'Of ฿1,000.00 the seller gets ฿945.00 into the Wallet, the shop ฿25.00 and the platform ฿30.00.',
  );
  await user.clear(field);
  expect(example()).toBeUndefined();
  await user.type(field, '1.25');
  expect(example()).toBe(
    'Of ฿1,000.00 the seller gets ฿957.50 into the Wallet, the shop ฿12.50 and the platform ฿30.00.',
  );
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(calls(save)[0]?.body).toEqual({ ...decided, royalty_basis_points: 125 }));
});

it('has no example of parts that are not possible, and says at the field what the server refuses', async () => {
  const user = userEvent.setup();
  const { calls } = await page({
    [save]: () =>
      new Refusal(422, 'input.invalid', { fields: [{ path: 'royalty_basis_points', fault: 'field.too_big' }] }),
  });
  const field = await screen.findByLabelText("The shop's part");
  await user.clear(field);
  await user.type(field, '48');
  expect(screen.queryByText(/the seller gets/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
  expect(calls(save)).toHaveLength(1);
});

it('asks before it closes the board', async () => {
  const user = userEvent.setup();
  const { calls } = await page();
  await user.click(await screen.findByRole('switch', { name: /Customers can sell vouchers on/ }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  const question = within(await screen.findByRole('dialog', { name: 'Close the board?' }));
  await user.click(question.getByRole('button', { name: 'Leave it open' }));
  expect(calls(save)).toHaveLength(0);

  await user.click(screen.getByRole('button', { name: 'Save' }));
  await user.click(
    within(await screen.findByRole('dialog', { name: 'Close the board?' })).getByRole('button', {
      name: 'Close the board',
    }),
  );
  await waitFor(() => expect(calls(save)[0]?.body).toEqual({ ...decided, open: false }));
});

it('opens the board without asking', async () => {
  const user = userEvent.setup();
  const { calls } = await page({}, { ...decided, open: false });
  await user.click(await screen.findByRole('switch', { name: /Customers can sell vouchers on/ }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(calls(save)[0]?.body).toEqual(decided));
  expect(screen.queryByRole('dialog')).toBeNull();
});
