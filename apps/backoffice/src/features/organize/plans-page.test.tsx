import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Answers, Refusal } from '@wlv/client/test-kit';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const list = '/api/admin/plan/list';
const growth = {
  id: 'p1',
  name_th: 'เติบโต',
  name_en: 'Growth',
  modules: ['discount'],
  fee_basis_points: 300,
  active: true,
  organisations: 7,
};
const modules = [
  { name: 'discount', group: 'products', name_th: 'ส่วนลด', name_en: 'Discounts' },
  { name: 'privilage', group: 'members', name_th: 'สิทธิพิเศษ', name_en: 'Privileges' },
];

const open = (address: string, answers: Answers = {}, permission?: Record<string, string>) =>
  renderOffice(`/advwsadmin/${address}`, {
    signedIn: 'admin',
    org: null,
    who: permission ? { audience: 'admin', role: 'admin', permission } : { audience: 'admin' },
    answers: {
      [list]: () => ({ data: [growth, { ...growth, id: 'p2', name_en: 'Old', active: false, modules: [] }], modules }),
      ...answers,
    },
  });

it('shows which plan has which module, and leads to who is on it', async () => {
  await open('package_list');
  await screen.findByRole('link', { name: 'Growth' });
  expect(screen.getAllByRole('img', { name: 'Has it' })).toHaveLength(1);
  expect(screen.getByText('Not offered')).toBeTruthy();
  expect(screen.getByText('Privileges')).toBeTruthy();
  expect(screen.getAllByRole('link', { name: '7 organisations' })[0]?.getAttribute('href')).toBe(
    '/advwsadmin/organize_list?plan=p1',
  );
});

it('changes a plan, and says first whose it is', async () => {
  const sent: unknown[] = [];
  const { router } = await open('package_edit/p1', {
    '/api/admin/plan/save': (body) => {
      sent.push(body);
      return {};
    },
  });
  await screen.findByText(/7 organisations are on it/);
  await userEvent.click(screen.getByRole('checkbox', { name: 'Discounts' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Privileges' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const { id, organisations, ...rest } = growth;
  await waitFor(() => expect(sent).toEqual([{ ...rest, id, modules: ['privilage'] }]));
  await waitFor(() => expect(router.state.location.pathname).toBe('/advwsadmin/package_list'));
});

it('adds a plan only with both names, and keeps the input when it is refused', async () => {
  await open('package_add', {
    '/api/admin/plan/add': () =>
      new Refusal(422, 'input.invalid', { fields: [{ path: 'modules', fault: 'field.not_in_list' }] }),
  });
  await userEvent.type(await screen.findByLabelText('Name in Thai'), 'ใหญ่');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Name in English is missing');
  await userEvent.type(screen.getByLabelText('Name in English'), 'Large');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText(/Choose one of the list/);
  expect(screen.getByLabelText('Name in English')).toHaveProperty('value', 'Large');
});

it('offers nothing to change to who may only see it, and nothing at all without the right', async () => {
  await open('package_list', {}, { package: 'v', organize: 'v' });
  await screen.findByText('Growth');
  expect(screen.queryByRole('link', { name: 'Add a plan' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Growth' })).toBeNull();
});
