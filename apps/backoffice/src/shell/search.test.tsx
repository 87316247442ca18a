import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderOffice } from '../test/render-office.ts';

const none = () => ({ data: [], next: null, total: 0 });

it('finds by keyboard the screens and records that the person may see', async () => {
  const user = userEvent.setup();
  const { router, calls } = await renderOffice('/owner/settingtag', {
    who: { role: 'user', permission: { tags: 'v', customer: 'v', voucher: 'v' } },
    answers: {
      '/api/owner/get/tags': none,
      '/api/owner/get/customer': () => ({ ...none(), data: [{ id: 'c1', displayName: 'Nat Ploy' }] }),
    },
  });
  await screen.findByRole('button', { name: /Customers, vouchers/ });
  await user.keyboard('{Control>}k{/Control}');
  const dialog = within(await screen.findByRole('dialog', { name: 'Search' }));
  expect(dialog.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'CustomersCustomers',
    'Refunds asked forReports',
    'Bank transfersReports',
    '“It was not me”Reports',
    'VouchersServices and products',
    'TagsSettings',
  ]);

  await user.keyboard('nat');
  expect(await dialog.findByRole('option', { name: /Nat Ploy/ })).toBeTruthy();
  expect(calls('/api/owner/get/customer').at(-1)?.body).toMatchObject({ search: 'nat', limit: 5 });
  expect(calls('/api/owner/get/voucher').at(-1)?.body).toMatchObject({ search: 'nat' });
  expect(calls('/api/owner/get/orders')).toHaveLength(0);

  await user.keyboard('{ArrowDown}{ArrowUp}{Enter}');
  await waitFor(() => expect(router.state.location.pathname).toBe('/owner/customerlist/c1'));
  expect(screen.queryByRole('dialog', { name: 'Search' })).toBeNull();
});

it('finds packages and payments, and what this person may add', async () => {
  const user = userEvent.setup();
  const { router } = await renderOffice('/owner/settingtag', {
    who: { role: 'user', permission: { tags: 'vi', salepackage: 'vi', depositqrtransaction: 'v' } },
    answers: {
      '/api/owner/get/tags': none,
      '/api/owner/get/salepackage': () => ({
        ...none(),
        data: [{ id: 'p1', code: 'SPA-3', name_th: 'นวด', name_en: 'Tag massage', status: 5 }],
      }),
      '/api/owner/get/depositqrtransaction': () => ({
        ...none(),
        data: [{ id: 'h1', reference: 'TAG77', customer_name: 'Nat', amount_satang: 790_00 }],
      }),
    },
  });
  await screen.findByRole('button', { name: /Customers, vouchers/ });
  await user.keyboard('{Control>}k{/Control}');
  const dialog = within(await screen.findByRole('dialog', { name: 'Search' }));

  await user.keyboard('tag');
  expect(await dialog.findByRole('option', { name: /Tag massage.*SPA-3/ })).toBeTruthy();
  expect(dialog.getByRole('option', { name: /TAG77.*Nat · 790.00/ })).toBeTruthy();
  expect(dialog.queryByRole('option', { name: 'Add package' })).toBeNull();

  await user.click(dialog.getByRole('option', { name: 'Add tag' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/owner/settingtag/new'));
});

it('offers the nearest where nothing is found, and opens the chosen one elsewhere when asked', async () => {
  const user = userEvent.setup();
  const opened = vi.spyOn(window, 'open').mockReturnValue(null);
  await renderOffice('/owner/settingtag', {
    who: { role: 'user', permission: { tags: 'vi', customer: 'v', salepackage: 'vi' } },
  });
  await screen.findByRole('button', { name: /Customers, vouchers/ });
  await user.keyboard('{Control>}k{/Control}');
  const dialog = within(await screen.findByRole('dialog', { name: 'Search' }));

  await user.keyboard('custmers');
  await dialog.findByText(/^Nothing found/);
  const options = dialog.getAllByRole('option');
  expect(options).toHaveLength(3);
  expect(options[0]?.textContent).toContain('Customers');

  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(opened).toHaveBeenCalledWith('/owner/customerlist', '_blank', 'noopener');
  screen.getByRole('dialog', { name: 'Search' });
  opened.mockRestore();
});

it('shows the chosen record beside the list', async () => {
  const user = userEvent.setup();
  await renderOffice('/owner/settingtag', {
    who: { role: 'user', permission: { tags: 'v', orders: 'v', soldtransaction: 'v' } },
    answers: {
      '/api/owner/get/orders': () => ({
        ...none(),
        data: [{ id: 'o1', number: 'OD1', customer_name: 'Nat', state: 'paid', total_satang: 790_00, method: 'card' }],
      }),
    },
  });
  await screen.findByRole('button', { name: /Customers, vouchers/ });
  await user.keyboard('{Control>}k{/Control}');
  const dialog = within(await screen.findByRole('dialog', { name: 'Search' }));
  await user.keyboard('od1');
  await dialog.findByRole('option', { name: /OD1/ });
  dialog.getByText('Paid');
  dialog.getByText('790.00');
});

const exactly = (rest: object) => ({
  record_table: 'voucher',
  record_id: 'v1',
  record_name: 'AB3DE7HJKM',
  name_th: 'นวด',
  name_en: 'Massage',
  person: 'Nat',
  ...rest,
});

it.each([
  ['a code with hyphens', 'ab3-de7 hjkm', exactly({}), '/owner/voucherlist/v1'],
  [
    'a mobile number',
    '081-234-5678',
    exactly({ record_table: 'customer', record_id: 'c1', record_name: '', name_th: '', name_en: '' }),
    '/owner/customerlist/c1',
  ],
])('goes straight to the record of %s, also when Enter comes at once', async (_, typed, row, address) => {
  const user = userEvent.setup();
  const { router, calls } = await renderOffice('/owner/settingtag', {
    who: { role: 'user', permission: { tags: 'v', customer: 'v', voucher: 'v' } },
    answers: {
      '/api/owner/get/tags': none,
      '/api/owner/get/customer': none,
      '/api/owner/get/voucher': none,
      '/api/owner/find': () => ({ data: [row] }),
    },
  });
  await screen.findByRole('button', { name: /Customers, vouchers/ });
  await user.keyboard('{Control>}k{/Control}');
  await screen.findByRole('dialog', { name: 'Search' });
  await user.keyboard(`${typed}{Enter}`);
  await waitFor(() => expect(router.state.location.pathname).toBe(address));
  expect(calls('/api/owner/find').at(-1)?.body).toEqual({ text: typed });
});

it('lets the person choose between several customers of one number', async () => {
  const user = userEvent.setup();
  const { router } = await renderOffice('/owner/settingtag', {
    who: { role: 'user', permission: { tags: 'v', customer: 'v' } },
    answers: {
      '/api/owner/get/tags': none,
      '/api/owner/get/customer': none,
      '/api/owner/find': () => ({
        data: ['Nat', 'Ploy'].map((person) =>
          exactly({ record_table: 'customer', record_id: person, record_name: '', name_th: '', name_en: '', person }),
        ),
      }),
    },
  });
  await screen.findByRole('button', { name: /Customers, vouchers/ });
  await user.keyboard('{Control>}k{/Control}');
  const dialog = within(await screen.findByRole('dialog', { name: 'Search' }));
  await user.keyboard('+66 81 234 5678{Enter}');
  await dialog.findByRole('option', { name: /Ploy/ });
  expect(router.state.location.pathname).toBe('/owner/settingtag');
  await user.keyboard('{ArrowDown}{Enter}');
  await waitFor(() => expect(router.state.location.pathname).toBe('/owner/customerlist/Ploy'));
});
