import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { calendarDay } from '@wlv/ui/format';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const special = {
  id: 'r1',
  agent_type_id: 'a1',
  agent_type_name_th: 'ตัวแทนทั่วไป',
  agent_type_name_en: 'Standard agent',
  package_id: 'p1',
  package_name_th: 'นวดหินร้อน',
  package_name_en: 'Hot stone',
  tag_id: null,
  tag_name_th: '',
  tag_name_en: '',
  kind: 'baht',
  value: 99_00,
  first_day: '2020-01-01',
  last_day: null,
  status: 5,
  updated_at: '2026-11-12T05:00:00Z',
};
const all = {
  ...special,
  id: 'r2',
  package_id: null,
  package_name_th: '',
  package_name_en: '',
  kind: 'percent',
  value: 1250,
  last_day: '2020-02-01',
};

const trial = {
  lines: [
    {
      package_id: 'p1',
      name_th: 'นวดหินร้อน',
      name_en: 'Hot stone',
      quantity: 1,
      full_satang: 189_000,
      amount_satang: 189_000,
      commission_satang: 9_900,
      recruiter_satang: 0,
      special_rate_id: 'r1',
      rate_kind: 'baht',
      rate_value: 9_900,
    },
  ],
  full_satang: 189_000,
  total_satang: 189_000,
  fee_satang: 5_670,
  commission_satang: 9_900,
  recruiter_satang: 3_780,
  share_satang: 173_430,
  discounts: [],
  lost: [],
};

const answers = {
  '/api/owner/get/commissionrate': () => ({ data: [special, all], total: 2 }),
  '/api/owner/detail/commissionrate': () => special,
  '/api/owner/get/salepackage': () => ({ data: [{ id: 'p1', name_th: 'นวดหินร้อน', name_en: 'Hot stone' }], total: 1 }),
  '/api/owner/get/tags': () => ({ data: [{ id: 't1', name_th: 'สปา', name_en: 'Spa' }], total: 1 }),
  '/api/owner/get/agenttype': () => ({
    data: [{ id: 'a1', name_th: 'ตัวแทนทั่วไป', name_en: 'Standard agent' }],
    total: 1,
  }),
  '/api/owner/commissionrate/try': () => trial,
};

it('lists what agents earn in place of their base rate, and since when', async () => {
  await renderOffice('/owner/agentsetting', { answers });
  const table = await screen.findByRole('table');
  within(table).getByText('Hot stone');
  within(table).getByText('฿99.00 a piece');
  within(table).getByText('No end');
  within(table).getByText('Everything');
  within(table).getByText('12.5%');
  within(table).getByText('In use');
  within(table).getByText('Over');
});

it('takes another last day alone of a rate that is saved, and shows a sale by it', async () => {
  const { calls } = await renderOffice('/owner/agentsetting/r1', { answers });
  const tester = await screen.findByRole('region', { name: 'Try a sale' });
  await within(tester).findByText('1,734.30');
  within(tester).getByText(/Special rate/);
  within(tester).getByText('Who recruited the agent');
  within(tester).getByText('37.80');
  expect(calls('/api/owner/commissionrate/try').at(-1)?.body).toMatchObject({
    agent_type_id: 'a1',
    channel: 3,
    recruited: true,
    day: calendarDay(Date.now()),
    rate: { id: 'r1', kind: 'baht', value: 9_900 },
    lines: [{ package_id: 'p1', quantity: 1 }],
  });
  screen.getByLabelText('Last day');
  expect(screen.queryByLabelText('First day')).toBeNull();
});

it('forgets the package when the rate is for all with a tag', async () => {
  const user = userEvent.setup();
  const { calls } = await renderOffice('/owner/agentsetting', { answers });
  await user.click(await screen.findByRole('link', { name: 'Add special rate' }));
  const choose = async (label: string, option: string) => {
    await user.click(await screen.findByRole('combobox', { name: label }));
    await user.click(await screen.findByRole('option', { name: option }));
  };
  await screen.findByText('Choose an agent type to try a sale.');
  await choose('Agent type', 'Standard agent');
  await choose('What it is for', 'One package');
  await choose('Package', 'Hot stone');
  await choose('What it is for', 'All with a tag');
  await choose('Tag', 'Spa');
  await user.type(screen.getByLabelText('First day'), '01/12/2090');
  await waitFor(() =>
    expect(calls('/api/owner/commissionrate/try').at(-1)?.body).toMatchObject({
      agent_type_id: 'a1',
      day: '2090-12-01',
      rate: { package_id: null, tag_id: 't1', kind: 'percent', value: 1000, first_day: '2090-12-01', last_day: null },
    }),
  );
});
