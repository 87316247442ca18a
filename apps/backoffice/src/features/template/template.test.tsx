import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { someId } from '@wlv/client/addresses';
import { Refusal } from '@wlv/client/test-kit';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const row = {
  id: someId,
  name_th: 'สปาและนวด',
  name_en: 'Spa',
  status: 5,
  updated_at: '2026-11-30T03:00:00Z',
  version: 7,
  background_color_primary: '#1f5c4d',
  background_color_secondary: '#d9a662',
  packages: 1,
  tags: 1,
  questions: 0,
  texts: 2,
  used: 214,
};
const version = {
  number: 7,
  note: 'member texts',
  from_name_th: 'เรือนละไม',
  from_name_en: 'Ruean Lamai',
  made_by: 'Sasi',
  made_at: '2026-11-02T03:00:00Z',
  used: 31,
};
const template = {
  ...row,
  content: {
    packages: [{ name_th: 'นวด', name_en: 'Massage', price_satang: 3_290_00, list_price_satang: null, picture: true }],
    tags: [{ name_th: 'สปา', name_en: 'Spa treatments' }],
    questions: [],
    texts: [],
  },
  versions: [version],
};
const organisations = () => ({
  data: [{ id: someId, name_th: 'เรือนละไม', name_en: 'Ruean Lamai' }],
  next: null,
  total: 1,
});

it('makes a template from an organisation, and says why one cannot be made', async () => {
  const user = userEvent.setup();
  let empty = true;
  const { calls } = await renderOffice('/advwsadmin/template_add', {
    signedIn: 'admin',
    org: null,
    answers: {
      '/api/admin/organize/list': organisations,
      '/api/admin/template/add': () =>
        empty
          ? new Refusal(422, 'input.invalid', { fields: [{ path: 'org_id', fault: 'field.too_small' }] })
          : { id: someId },
      '/api/admin/template/detail': () => template,
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Make the template' }, { timeout: 20_000 }));
  screen.getByText('Choose an organisation.');
  await user.type(screen.getByLabelText('Organisation'), 'rue');
  await user.click(await screen.findByRole('button', { name: 'Ruean Lamai' }));
  await user.type(screen.getByLabelText('Name in Thai'), 'สปา');
  await user.type(screen.getByLabelText('Name in English'), 'Spa');
  await user.click(screen.getByRole('button', { name: 'Make the template' }));
  await screen.findByText('This organisation has no package on sale. Choose another one.');
  empty = false;
  await user.click(screen.getByRole('button', { name: 'Make the template' }));
  await screen.findByText('Version 7 is offered');
  expect(calls('/api/admin/template/add').at(-1)?.body).toEqual({
    org_id: someId,
    name_th: 'สปา',
    name_en: 'Spa',
    note: '',
  });
});

it('lists templates, makes the next version of one, and offers it no longer', async () => {
  const user = userEvent.setup();
  const { calls } = await renderOffice('/advwsadmin/template_list', {
    signedIn: 'admin',
    org: null,
    answers: {
      '/api/admin/organize/list': organisations,
      '/api/admin/template/list': () => ({ data: [row] }),
      '/api/admin/template/detail': () => template,
      '/api/admin/template/version': () => ({ ...template, version: 8 }),
      '/api/admin/template/save': () => ({ ...template, version: 8, status: 2 }),
    },
  });
  await user.click(await screen.findByText('214 organisations began with it', {}, { timeout: 20_000 }));
  await screen.findByText('Spa treatments');
  screen.getByText('3,290.00');
  await user.click(screen.getByRole('button', { name: 'Make version 8' }));
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Make the version' }).disabled).toBe(true);
  await user.type(screen.getByLabelText('Organisation'), 'rue');
  await user.click(await screen.findByRole('button', { name: 'Ruean Lamai' }));
  await user.type(screen.getByLabelText(/^What is new/), 'new prices');
  await user.click(screen.getByRole('button', { name: 'Make the version' }));
  await screen.findByText('Version 8 is offered');
  expect(calls('/api/admin/template/version')[0]?.body).toEqual({ id: someId, org_id: someId, note: 'new prices' });
  await user.click(screen.getByRole('button', { name: 'Offer it no longer' }));
  await user.click(await screen.findByRole('button', { name: 'Offer it no longer' }));
  await waitFor(() => expect(calls('/api/admin/template/save')[0]?.body).toMatchObject({ status: 2, name_en: 'Spa' }));
  await screen.findByText('Not offered');
});
