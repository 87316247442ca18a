import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const gold = {
  id: 'c1',
  name_th: 'ละไม โกลด์',
  name_en: 'Lamai Gold',
  picture_id: null,
  position: 1,
  version: 3,
  validity: 'months',
  length: 12,
  approval: 'first',
  price_satang: 149000,
  class: 'ordinary',
  level: 3,
  least_age: 10,
  asks_email: 'required',
  asks_idcard: 'off',
  asks_gender: 'off',
  asks_birthdate: 'required',
  asks_address: 'off',
  asks_nationality: 'off',
  asks_receipt: 'off',
  status: 5,
  updated_at: '2026-11-12T05:00:00Z',
};

const answers = {
  '/api/owner/get/membercardtype': () => ({
    data: [gold, { ...gold, id: 'c2', validity: 'endless', length: 0 }],
    total: 2,
  }),
  '/api/owner/detail/membercardtype': () => gold,
  '/api/owner/save/membercardtype': () => gold,
};

it('lists how long each card is valid, and who approves it', async () => {
  await renderOffice('/owner/membercardtypelist', { answers });
  const table = await screen.findByRole('table');
  within(table).getByText('12 months');
  within(table).getByText('No end');
  expect(within(table).getAllByText('1,490.00')).toHaveLength(2);
  expect(within(table).getAllByText('The first application')).toHaveLength(2);
});

it('asks for no number of days or months of a card of the calendar year', async () => {
  const user = userEvent.setup();
  const { calls } = await renderOffice('/owner/membercardtypelist/c1', { answers });
  expect(await screen.findByLabelText('How many')).toBeTruthy();
  await user.click(screen.getByRole('combobox', { name: 'Valid for' }));
  await user.click(await screen.findByRole('option', { name: 'The calendar year' }));
  expect(screen.queryByLabelText('How many')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(calls('/api/owner/save/membercardtype')).toHaveLength(1));
  expect(calls('/api/owner/save/membercardtype').at(-1)?.body).toMatchObject({ validity: 'year' });
});

it('asks for how points come and lapse once there are any, and saves them', async () => {
  const user = userEvent.setup();
  const { calls } = await renderOffice('/owner/membercardtypelist/c1', { answers });
  const baht = await screen.findByLabelText('A point for each');
  expect(screen.queryByLabelText('They lapse after')).toBeNull();
  await user.clear(baht);
  await user.type(baht, '25');
  await user.type(await screen.findByLabelText('They lapse after'), '12');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findAllByText('Members have them is missing');
  expect(calls('/api/owner/save/membercardtype')).toHaveLength(0);
  await user.click(screen.getByRole('combobox', { name: 'Members have them' }));
  await user.click(await screen.findByRole('option', { name: 'When the days of refunds have passed' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(calls('/api/owner/save/membercardtype')).toHaveLength(1));
  expect(calls('/api/owner/save/membercardtype').at(-1)?.body).toMatchObject({
    points_baht: 25,
    points_due: 'window',
    points_months: 12,
  });
});
