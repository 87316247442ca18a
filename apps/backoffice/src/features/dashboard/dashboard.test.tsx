import { screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { menu } from '../../navigation.ts';
import { renderOffice } from '../../test/render-office.ts';
import { looks } from './activity-feed.tsx';

const day = '2026-11-21';
const overview = {
  from: day,
  to: day,
  uses: { count: 9, before: 6, days: [{ day, count: 9 }], hours: [{ weekday: 6, hour: 14, uses: 9 }] },
};
const use = {
  id: 'e1',
  kind: 'use',
  at: '2026-11-21T07:22:00Z',
  record_id: 'v1',
  customer_name: 'Nat',
  name_th: 'นวดเท้า',
  name_en: 'Foot massage',
  unit: 'item',
  quantity: 2,
  amount_satang: 0,
  service_point_name_th: 'นิมมาน',
  service_point_name_en: 'Nimman',
  agent_name: '',
  reason: '',
};

it('shows the parts that the server sends, and no gap for the others', async () => {
  await renderOffice('/owner/main', {
    answers: { '/api/owner/dashboard': () => overview, '/api/owner/dashboard/activity': () => ({ data: [use] }) },
  });
  expect(await screen.findByText('Redemptions')).toBeTruthy();
  expect(screen.getByText('Up 50% on the 30 days before')).toBeTruthy();
  expect(screen.queryByText('Sales')).toBeNull();
  expect(screen.queryByText('Where the money is')).toBeNull();

  const week = within(screen.getByRole('table', { name: 'Uses by weekday and hour' }));
  expect(week.getAllByText('9 times')).toHaveLength(1);
  expect(screen.getByText('Busiest Saturday 14:00')).toBeTruthy();
  expect(await screen.findByRole('link', { name: 'Used Foot massage 2 times' })).toBeTruthy();
});

it('says in each card of a new organisation that nothing has happened', async () => {
  await renderOffice('/owner/main', {
    answers: {
      '/api/owner/dashboard': () => ({
        from: day,
        to: day,
        sales: { orders: 0, gross_satang: 0, before_satang: 0, days: [], earlier: [], packages: [] },
        uses: { count: 0, before: 0, days: [], hours: [] },
        customers: { count: 0, before: 0, days: [] },
        money: {
          unearned_satang: 0,
          payable_satang: 0,
          commission_satang: 0,
          agents: 0,
          wallets: { now_satang: 0, average_satang: 0, limit_satang: 50_000_000_00, percent: 0, warning: 0 },
        },
      }),
    },
  });
  expect(await screen.findAllByText('Nothing sold in this time')).toHaveLength(2);
  expect(screen.getByText('Nobody came in this time')).toBeTruthy();
  expect(await screen.findByText('Nothing has happened yet')).toBeTruthy();
  expect(screen.getAllByText('None in this time yet')).toHaveLength(3);
});

it('names for each event the module of its screen', () => {
  const modules = Object.fromEntries(menu.flatMap(({ screens }) => screens).map(({ path, module }) => [path, module]));
  for (const { screen, module } of Object.values(looks)) expect(modules[screen]).toBe(module);
});

it('shows what today has sold by the hour, beside the same day last week', async () => {
  // A chart measures what it is drawn into.
  const measured = vi
    .spyOn(HTMLElement.prototype, 'getBoundingClientRect')
    .mockReturnValue(new DOMRect(0, 0, 600, 220));
  const hours = (days: number, sold: number) =>
    Array.from({ length: 24 }, (_, hour) => ({
      hour: new Date(Date.UTC(2026, 10, 20 + days, 17 + hour)).toISOString(), // midnight in Bangkok
      orders: hour === 14 ? 2 : 0,
      gross_satang: hour === 14 ? sold : 0,
    }));
  await renderOffice('/owner/main?days=1', {
    answers: {
      '/api/owner/dashboard': () => ({
        from: day,
        to: day,
        sales: {
          orders: 2,
          gross_satang: 790_00,
          before_satang: 0,
          days: [{ day, orders: 2, gross_satang: 790_00 }],
          earlier: [{ day: '2026-11-20', orders: 0, gross_satang: 0 }],
          packages: [],
          hours: hours(0, 790_00),
          last_week: hours(-7, 300_00),
        },
      }),
    },
  });
  expect(await screen.findByText('Sales by hour')).toBeTruthy();
  const row = (await screen.findByRole('cell', { name: '14:00' })).closest('tr');
  expect(
    row &&
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
  ).toEqual(['14:00', '2', '790.00', '300.00']);
  expect(screen.getByRole('cell', { name: '21:00' })).toBeTruthy();
  expect(screen.queryByRole('cell', { name: '22:00' })).toBeNull();
  measured.mockRestore();
});
