import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const saved = {
  id: 'd1',
  name_th: 'ต้อนรับ',
  name_en: 'Welcome',
  position: 10,
  how: 'code',
  class: 'cart',
  kind: 'percent',
  value: 1000,
  max_satang: null,
  payer: 'organisation',
  least_satang: 100_000,
  least_items: 0,
  first_only: false,
  starts_at: null,
  ends_at: null,
  uses_each: 1,
  stack: 'alone',
  uses: 1_000,
  budget_satang: null,
  used: 38,
  spent_satang: 621_400,
  code: 'LAMAI10',
  status: 5,
  updated_at: '2026-11-12T05:00:00Z',
};

const trial = {
  lines: [
    { package_id: 'p1', name_th: 'นวด', name_en: 'Massage', quantity: 1, full_satang: 329_000, amount_satang: 296_100 },
  ],
  full_satang: 329_000,
  total_satang: 296_100,
  fee_satang: 8_883,
  commission_satang: 0,
  share_satang: 287_217,
  discounts: [{ id: 'd1', name_th: '', name_en: 'Welcome', code: '', amount_satang: 32_900 }],
  lost: [
    {
      discount_id: 'd2',
      code: '',
      fault: 'discount.not_together',
      name_th: '',
      name_en: 'Gold',
      other_th: '',
      other_en: 'Welcome',
      for_th: [],
      for_en: [],
    },
  ],
};

const answers = {
  '/api/owner/get/discount': () => ({ data: [saved], total: 1 }),
  '/api/owner/detail/discount': () => saved,
  '/api/owner/get/salepackage': () => ({ data: [{ id: 'p1', name_th: 'นวด', name_en: 'Massage' }], total: 1 }),
  '/api/owner/get/tags': () => ({ data: [], total: 0 }),
  '/api/owner/get/agenttype': () => ({ data: [], total: 0 }),
  '/api/owner/discount/try': () => trial,
};

it('lists what a discount takes off and how often it was used', async () => {
  await renderOffice('/owner/discountlist', { answers });
  const table = await screen.findByRole('table');
  within(table).getByText('10 %');
  within(table).getByText('38 of 1,000');
  within(table).getByText('6,214.00');
});

it('shows beside the form what a cart would cost with what is not saved yet, and which discount is not given', async () => {
  const user = userEvent.setup();
  const { calls } = await renderOffice('/owner/discountlist/d1', { answers });
  const tester = await screen.findByRole('region', { name: 'Try a cart' });
  await within(tester).findByText('2,872.17');
  within(tester).getByText('not together with Welcome');

  const value = screen.getByRole('spinbutton', { name: 'Takes off' });
  await user.clear(value);
  await user.type(value, '20');
  await waitFor(() =>
    expect(calls('/api/owner/discount/try').at(-1)?.body).toMatchObject({
      discount: { id: 'd1', value: 2000, code: 'LAMAI10' },
      lines: [{ package_id: 'p1', quantity: 1 }],
      channel: 2,
      agent_type_id: null,
    }),
  );
  expect(calls('/api/owner/save/discount')).toHaveLength(0);
});

it('makes codes once the discount is saved', async () => {
  const user = userEvent.setup();
  const { calls } = await renderOffice('/owner/discountlist/d1', {
    answers: {
      ...answers,
      '/api/owner/detail/discount': () => ({ ...saved, how: 'codes', code: '' }),
      '/api/owner/discountcode/make': () => ({ number: 250 }),
    },
  });
  const many = await screen.findByLabelText('How many');
  await user.clear(many);
  await user.type(many, '250');
  await user.click(screen.getByRole('button', { name: 'Make codes' }));
  await screen.findByText('250 codes made');
  expect(calls('/api/owner/discountcode/make')[0]?.body).toEqual({ id: 'd1', number: 250, uses: 1 });
});
