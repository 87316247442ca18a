import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const place = { id: 'place', name_th: 'นิมมาน', name_en: 'Nimman' };
const places = (...rows: object[]) => ({ data: rows, next: null, total: rows.length });

const draft = {
  id: 'p',
  code: 'P-1',
  status: 1,
  name_th: 'นวดอโรมา',
  name_en: 'Aroma massage',
  picture_id: 'picture',
  price_satang: 329000,
  list_price_satang: null,
  quantity: null,
  updated_at: '2026-11-20T10:00:00Z',
  tags: [],
  parts: [{ voucher_type_id: 'type', gift_voucher_id: null, quantity: 1 }],
};

/** What saving answers: the package, with a voucher type in place of the new one. */
const saved = (body: unknown) => ({ ...draft, ...(body as object), id: 'p', status: 1, parts: draft.parts });

async function opened(address: string, answers: object = {}) {
  const office = await renderOffice(address, {
    answers: {
      '/api/owner/get/service_point': () => places(place),
      '/api/owner/save/salepackage': saved,
      '/api/owner/detail/salepackage': () => draft,
      '/api/owner/detail/vouchertype': () => ({
        id: 'type',
        name_th: 'นวด',
        name_en: 'Massage',
        items: 3,
        valid_days: 90,
      }),
      '/api/owner/status/salepackage': () => ({}),
      ...answers,
    },
  });
  const drawer = within(await screen.findByRole('dialog', { name: /package/ }));
  return { ...office, drawer, user: userEvent.setup() };
}

it('saves a draft with its first item in one call, and says that it is one', async () => {
  const { drawer, user, calls } = await opened('/owner/packagelist/new');
  await user.type(drawer.getByLabelText('Name in Thai'), 'นวดอโรมา');
  await user.type(drawer.getByLabelText('What the customer gets'), 'นวด 90 นาที');
  await user.click(drawer.getByRole('button', { name: 'One more' }));
  await user.click(drawer.getByRole('button', { name: 'Save as a draft' }));
  expect(await screen.findByText('Saved as a draft')).toBeTruthy();
  expect(calls('/api/owner/save/salepackage')[0]?.body).toMatchObject({
    name_th: 'นวดอโรมา',
    price_satang: 0,
    parts: [
      {
        voucher_type_id: null,
        quantity: 1,
        new_voucher_type: {
          name_th: 'นวด 90 นาที',
          items: 2,
          valid_days: 90,
          expiry_rule: 'wallet',
          service_points: [],
        },
      },
    ],
  });
});

it('saves a draft that nothing is in yet', async () => {
  const { drawer, user, calls } = await opened('/owner/packagelist/new');
  await user.type(drawer.getByLabelText('Name in Thai'), 'นวดอโรมา');
  await user.click(drawer.getByRole('button', { name: 'Save as a draft' }));
  await waitFor(() => expect(calls('/api/owner/save/salepackage')[0]?.body).toMatchObject({ parts: [] }));
});

it('marks what is missing for a sale, and leads there from the foot', async () => {
  const { drawer, user, calls } = await opened('/owner/packagelist/new', {
    '/api/owner/get/service_point': () => places(),
  });
  await user.type(drawer.getByLabelText('Name in Thai'), 'นวดอโรมา');
  await user.click(drawer.getByRole('button', { name: 'Save and put on sale' }));
  expect(await drawer.findByText('Add a picture of the package before it goes on sale.')).toBeTruthy();
  expect(drawer.getByText('Enter what the customer pays.')).toBeTruthy();
  expect(drawer.getByText('Enter what the customer gets.')).toBeTruthy();
  expect(drawer.getByText('Add the place where customers use it.')).toBeTruthy();
  expect(drawer.getByRole('button', { name: 'Upload' }).getAttribute('aria-invalid')).toBe('true');
  expect(drawer.getByLabelText('Sale price').getAttribute('aria-invalid')).toBe('true');
  expect(calls('/api/owner/save/salepackage')).toHaveLength(0);

  const foot = within(drawer.getByRole('group', { name: /It cannot go on sale yet/ }));
  await user.click(foot.getByRole('button', { name: /the sale price/ }));
  expect(document.activeElement).toBe(drawer.getByLabelText('Sale price'));
  await user.click(foot.getByRole('button', { name: /a place to use it/ }));
  expect(document.activeElement).toBe(drawer.getByLabelText('Name of the first place'));

  await user.type(drawer.getByLabelText('Sale price'), '3290');
  await waitFor(() => expect(drawer.queryByText('Enter what the customer pays.')).toBeNull());
});

it('adds the first place within the form', async () => {
  const rows: object[] = [];
  const { drawer, user, calls } = await opened('/owner/packagelist/new', {
    '/api/owner/get/service_point': () => places(...rows),
    '/api/owner/save/service_point': (body: object) => {
      rows.push({ ...body, id: 'first', name_en: 'Nimman' });
      return rows[0];
    },
  });
  await user.type(await drawer.findByLabelText('Name of the first place'), 'นิมมาน{Enter}');
  expect(await drawer.findByRole('checkbox', { name: 'Nimman' })).toBeTruthy();
  expect(calls('/api/owner/save/service_point')).toHaveLength(1);
  expect(calls('/api/owner/save/salepackage')).toHaveLength(0);
});

it('puts a draft on sale and shows its link', async () => {
  const { drawer, user, calls } = await opened('/owner/packagelist/p');
  await user.click(await drawer.findByRole('button', { name: 'Put on sale' }));
  const card = within(await screen.findByRole('dialog', { name: 'On sale now. Send it to your first customer.' }));
  expect(calls('/api/owner/status/salepackage')[0]?.body).toEqual({ ids: ['p'], status: 5 });
  expect(card.getByRole('img', { name: 'QR of the package Aroma massage' })).toBeTruthy();
  expect(card.getByText(/\/user\/market\/p$/)).toBeTruthy();
});

it('asks once before it sells for nothing', async () => {
  const { drawer, user, calls } = await opened('/owner/packagelist/p', {
    '/api/owner/detail/salepackage': () => ({ ...draft, status: 2, price_satang: 0 }),
  });
  await user.click(await drawer.findByRole('button', { name: 'Put on sale' }));
  const question = within(await screen.findByRole('dialog', { name: 'Sell it for ฿0.00?' }));
  expect(calls('/api/owner/status/salepackage')).toHaveLength(0);
  await user.click(question.getByRole('button', { name: 'Give it away' }));
  await waitFor(() => expect(calls('/api/owner/status/salepackage')).toHaveLength(1));
});

it('keeps as a draft what the server does not put on sale, and never adds its parts twice', async () => {
  let asked = 0;
  const { drawer, user, calls } = await opened('/owner/packagelist/p', {
    '/api/owner/status/salepackage': () => {
      asked++;
      if (asked > 1) return {};
      return new Refusal(422, 'catalog.not_publishable', {
        fields: [{ path: 'parts', fault: 'field.no_service_point' }],
      });
    },
    '/api/owner/save/salepackage': (body: object) => ({ ...saved(body), updated_at: '2026-11-20T11:00:00Z' }),
  });
  await user.click(await drawer.findByRole('button', { name: 'Add another thing' }));
  await user.type(drawer.getByLabelText('What the customer gets'), 'ประคบ');
  await user.click(drawer.getByRole('button', { name: 'Save and put on sale' }));
  expect(await drawer.findByText(/no open service point honours/)).toBeTruthy();
  expect(drawer.queryByLabelText('What the customer gets')).toBeNull();

  await user.click(drawer.getByRole('button', { name: 'Put on sale' }));
  expect(await screen.findByRole('dialog', { name: /On sale now/ })).toBeTruthy();
  expect(calls('/api/owner/save/salepackage').map(({ body }) => body)).toMatchObject([{ id: 'p', parts: [{}, {}] }]);
  expect(calls('/api/owner/status/salepackage')).toHaveLength(2);
});

it('sets what the customer may do who changes his mind, and says what the law decides of beauty care', async () => {
  const { drawer, user, calls } = await opened('/owner/packagelist/new');
  await user.type(drawer.getByLabelText('Name in Thai'), 'นวดอโรมา');
  await user.clear(drawer.getByLabelText('You keep'));
  await user.type(drawer.getByLabelText('You keep'), '5');
  await user.clear(drawer.getByLabelText('Refund within'));
  await user.type(drawer.getByLabelText('Refund within'), '6');
  await user.click(drawer.getByLabelText('What is sold'));
  await user.click(await screen.findByRole('option', { name: 'Beauty care' }));
  drawer.getByText(/^By law the customer gets unused items refunded by himself, in full, for at least 7 days\./);
  expect(drawer.queryByLabelText('You keep')).toBeNull();
  expect(drawer.queryByLabelText('A refund of unused items')).toBeNull();

  await user.click(drawer.getByRole('button', { name: 'Save as a draft' }));
  await drawer.findByText(/^The law gives the customer more than this\./);
  await user.clear(drawer.getByLabelText('Refund within'));
  await user.type(drawer.getByLabelText('Refund within'), '14');
  await user.click(drawer.getByRole('button', { name: 'Save as a draft' }));
  await waitFor(() =>
    expect(calls('/api/owner/save/salepackage')[0]?.body).toMatchObject({
      class: 'beauty',
      refund_rule: 'self',
      refund_days: 14,
      refund_fee_basis_points: 0,
    }),
  );
});
