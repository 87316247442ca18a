import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const ann = { id: 'c1', displayName: 'Ann', status: 5, agent: false, created_at: '2026-11-20T10:00:00Z' };
const story = {
  record: ann,
  sales: { orders: 7, spent_satang: 18420_00, last_at: '2026-11-14T12:42:00Z' },
  visits: {
    months: Array.from({ length: 12 }, (_, i) => ({
      month: `2026-${String(i + 1).padStart(2, '0')}-01`,
      days: i === 10 ? 2 : 0,
    })),
    last_at: '2026-11-18T08:20:00Z',
    last_service_point_name_th: 'ท่าแพ',
    last_service_point_name_en: 'Thapae',
  },
  in_hand: {
    count: 1,
    worth_satang: 1764_00,
    vouchers: [
      {
        id: 'v1',
        code: 'RL1',
        name_th: 'นวด',
        name_en: 'Massage',
        picture_id: null,
        kind: 'item',
        state: 'ready',
        items_total: 3,
        items_left: 2,
        valid_until: '2027-03-31',
        worth_satang: 1764_00,
      },
    ],
  },
  consents: [
    {
      document: 'pdpa',
      purpose: 'purchase',
      name_th: 'ข้อมูล',
      name_en: 'Personal data',
      version: '3',
      current: true,
      at: '2026-11-14T12:42:00Z',
    },
    {
      document: 'terms',
      purpose: 'purchase',
      name_th: 'ข้อตกลง',
      name_en: 'Terms',
      version: '1',
      current: false,
      at: '2026-01-14T12:42:00Z',
    },
  ],
  agent_id: null,
  events: [],
  events_more: false,
};
const kind = (id: string, name_en: string) => ({ id, name_th: name_en, name_en });

function open(types: object[]) {
  return renderOffice('/owner/customerlist/c1', {
    answers: {
      '/api/owner/story/customer': () => story,
      '/api/owner/get/agenttype': () => ({ data: types, next: null, total: types.length }),
      '/api/owner/agent/approve': () => ({}),
    },
  });
}

it('approves an agent of the only type without asking which', async () => {
  const user = userEvent.setup();
  const { calls } = await open([kind('t1', 'Standard')]);
  await screen.findByText('Standard');
  await user.click(screen.getByRole('button', { name: 'Approve' }));
  await waitFor(() =>
    expect(calls('/api/owner/agent/approve')[0]?.body).toEqual({ customer_id: 'c1', agent_type_id: 't1' }),
  );
});

it('asks for the type where there are several', async () => {
  const { calls } = await open([kind('t1', 'Standard'), kind('t2', 'Gold')]);
  await waitFor(() => expect(calls('/api/owner/get/agenttype')).toHaveLength(1));
  expect(await screen.findByRole('button', { name: 'Approve' })).toHaveProperty('disabled', true);
});

it('says what a customer spends, has in hand, agreed to, and when he came', async () => {
  await open([]);
  await screen.findByRole('heading', { level: 1, name: 'Ann' });
  screen.getByText('Thapae');
  screen.getByText('18/11/2026');
  expect(screen.getByRole('link', { name: 'RL1' }).getAttribute('href')).toBe('/owner/voucherlist/v1');
  screen.getByText('2 of 3');
  screen.getByText('November: 2 days');
  screen.getByText('accepted on 14/01/2026 · there is a newer version, which is asked for');
});

it('leaves out what the person may not see', async () => {
  await renderOffice('/owner/customerlist/c1', {
    who: { role: 'user', permission: { customer: 'v' } },
    answers: { '/api/owner/story/customer': () => ({ ...story, sales: null, visits: null, in_hand: null }) },
  });
  await screen.findByRole('heading', { level: 1, name: 'Ann' });
  expect(screen.queryByText('Bought in all')).toBeNull();
  expect(screen.queryByText('In the wallet')).toBeNull();
  expect(screen.queryByText('Vouchers in hand')).toBeNull();
  expect(screen.queryByRole('button', { name: 'More' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull();
});
