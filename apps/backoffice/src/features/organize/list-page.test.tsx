import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const list = '/api/admin/organize/list';
const row = {
  id: 'o1',
  unique: 'shop',
  name_th: 'ร้าน',
  name_en: 'Shop',
  state: 'suspended',
  background_color_primary: '#061c33',
  background_color_secondary: '#d3ae55',
  text_on_primary: '#ffffff',
  host: '',
  url: 'https://shop.example.com',
  plan_id: 'p1',
  created_at: '2026-11-21T03:00:00Z',
};
const answers = {
  [list]: () => ({ data: [row], next: null, total: 1, states: { live: 7, suspended: 1, provisioning: 0 } }),
  '/api/admin/plan/list': () => ({
    data: [{ id: 'p1', name_th: 'เติบโต', name_en: 'Growth', modules: [], fee_basis_points: 300 }],
  }),
};

const open = (search = '') =>
  renderOffice(`/advwsadmin/organize_list${search}`, {
    signedIn: 'admin',
    org: null,
    who: { audience: 'admin' },
    answers,
  });

it('narrows by state and plan, orders by name, and keeps all of it in the address', async () => {
  const { router, calls } = await open();
  await screen.findByRole('tab', { name: 'Suspended 1' });
  expect(calls(list)[0]?.body).toEqual({ limit: 50, sort: '-created_at' });
  await userEvent.click(screen.getByRole('tab', { name: 'Suspended 1' }));
  await userEvent.click(screen.getByRole('combobox', { name: 'Plan' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Growth' }));
  await userEvent.click(screen.getByRole('combobox', { name: 'Order' }));
  await userEvent.click(await screen.findByRole('option', { name: 'By name' }));
  await waitFor(() =>
    expect(calls(list).at(-1)?.body).toEqual({ limit: 50, sort: 'name_en', state: 'suspended', plan_id: 'p1' }),
  );
  expect(router.state.location.search).toEqual({ state: 'suspended', plan: 'p1', sort: 'name' });
});

it('takes nothing from the address that is no state and no order', async () => {
  const { calls } = await open('?state=closed&sort=secret&q=spa');
  await screen.findByRole('tab', { name: 'Suspended 1' });
  expect(calls(list)[0]?.body).toEqual({ limit: 50, sort: '-created_at', search: 'spa' });
});
