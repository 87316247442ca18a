import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const omise = {
  id: 's1',
  status: 5,
  kind: 'omise',
  name_th: 'Omise',
  name_en: 'Omise',
  methods: ['promptpay', 'card'],
  created_at: '2026-11-01T04:00:00Z',
  updated_at: '2026-11-20T04:00:00Z',
};

it('offers the card first, then no PromptPay, and never nothing', async () => {
  const user = userEvent.setup();
  const { calls } = await renderOffice('/owner/paymentoptionlist/s1', {
    answers: {
      '/api/owner/get/payment': () => ({ data: [omise], total: 1 }),
      '/api/owner/detail/payment': () => omise,
      '/api/owner/payment/methods': () => ({}),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Change the ways to pay' }));
  const dialog = await screen.findByRole('dialog', { name: 'Ways to pay' });
  await user.click(within(dialog).getByRole('button', { name: 'Move Card up' }));
  const save = within(dialog).getByRole('button', { name: 'Save' });
  await user.click(within(dialog).getByRole('switch', { name: 'PromptPay QR' }));
  await user.click(within(dialog).getByRole('switch', { name: 'Card' }));
  within(dialog).getByText('Customers need one way to pay');
  expect(save).toHaveProperty('disabled', true);
  await user.click(within(dialog).getByRole('switch', { name: 'Card' }));
  await user.click(within(dialog).getByRole('switch', { name: 'PromptPay QR' }));
  await user.click(save);
  await waitFor(() =>
    expect(calls('/api/owner/payment/methods').at(-1)?.body).toEqual({
      id: 's1',
      methods: ['card', 'promptpay'],
      updated_at: '2026-11-20T04:00:00Z',
    }),
  );
});
