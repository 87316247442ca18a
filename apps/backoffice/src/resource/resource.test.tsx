import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { renderOffice } from '../test/render-office.ts';

afterEach(() => vi.useRealTimers());

const tag = (id: string, name: string, status = 5) => ({
  id,
  name_th: name,
  name_en: name,
  position: 10,
  status,
  updated_at: '2026-11-20T10:00:00Z',
});
const list = () => ({ data: [tag('a', 'Massage'), tag('b', 'Facial', 2)], next: 'cursor', total: 128 });

it('lists by the address, and puts what the person chooses into the address', async () => {
  const user = userEvent.setup();
  const { router, calls } = await renderOffice('/owner/settingtag?sort=-position&status=5', {
    answers: { '/api/owner/get/tags': list },
  });
  const table = await screen.findByRole('table');
  expect(within(table).getByText('Massage')).toBeTruthy();
  expect(calls('/api/owner/get/tags')[0]?.body).toEqual({ sort: '-position', filter: { status: [5] }, limit: 50 });

  await user.type(screen.getByLabelText('Search the list'), 'mas');
  await waitFor(() => expect(router.state.location.search).toMatchObject({ q: 'mas' }));
  await waitFor(() => expect(calls('/api/owner/get/tags').at(-1)?.body).toMatchObject({ search: 'mas' }));

  await user.click(screen.getByRole('button', { name: 'Next page' }));
  expect(router.state.location.search).toMatchObject({ after: 'cursor', from: '3' });
});

it('sets the status of the selected rows, after a question where it is final', async () => {
  const user = userEvent.setup();
  const { router, calls } = await renderOffice('/owner/settingtag', {
    answers: { '/api/owner/get/tags': list, '/api/owner/status/tags': () => ({}) },
  });
  await user.click(await screen.findByRole('checkbox', { name: 'Select all rows of this page' }));
  expect(router.state.location.search).toMatchObject({ sel: 'a,b' });

  const bar = within(screen.getByRole('region', { name: 'Selection' }));
  await user.click(bar.getByRole('button', { name: 'Delete' }));
  expect(calls('/api/owner/status/tags')).toHaveLength(0);
  const question = within(await screen.findByRole('dialog', { name: 'Delete 2 items' }));
  await user.click(question.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(calls('/api/owner/status/tags')[0]?.body).toEqual({ ids: ['a', 'b'], status: 9 }));
  await waitFor(() => expect(router.state.location.search).not.toHaveProperty('sel'));
});

it('names what is deleted, and first offers to keep it', async () => {
  const user = userEvent.setup();
  const { calls } = await renderOffice('/owner/settingtag', {
    answers: { '/api/owner/get/tags': list, '/api/owner/status/tags': () => ({}) },
  });
  const table = within(await screen.findByRole('table'));
  await user.click(table.getAllByRole('button', { name: 'More' })[0] as HTMLElement);
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  const question = within(await screen.findByRole('dialog', { name: 'Delete tag “Massage”' }));
  const keep = question.getByRole('button', { name: 'Keep' });
  expect(document.activeElement).toBe(keep);
  await user.click(keep);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls('/api/owner/status/tags')).toHaveLength(0);
});

it.each([
  ['', 'No package yet', 'A package is what customers buy: one price, and what they receive for it.'],
  ['?view=3', 'No package whose sale is paused', 'Look in another tab, or at everything.'],
  ['?view=3&q=spa', 'Nothing fits', 'Try a shorter word.'],
  ['?featured=true', 'Nothing fits', 'Try taking one of the filters away.'],
])('says what an empty list at %j is empty of', async (search, title, line) => {
  await renderOffice(`/owner/packagelist${search}`, {
    answers: { '/api/owner/get/salepackage': () => ({ data: [], next: null, total: 0 }) },
  });
  expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
  expect(screen.getByText(line)).toBeTruthy();
});

it('says what a package lacks that cannot go on sale', async () => {
  const user = userEvent.setup();
  const row = { id: 'p', name_th: 'สปา', name_en: 'Spa day', status: 1, price_satang: 100, sold: 0, quantity: null };
  await renderOffice('/owner/packagelist', {
    answers: {
      '/api/owner/get/salepackage': () => ({ data: [row], next: null, total: 1 }),
      '/api/owner/status/salepackage': () =>
        new Refusal(422, 'catalog.not_publishable', { fields: [{ path: 'picture_id', fault: 'field.required' }] }),
    },
  });
  const table = within(await screen.findByRole('table'));
  await user.click(table.getAllByRole('button', { name: 'More' })[0] as HTMLElement);
  await user.click(await screen.findByRole('menuitem', { name: 'Put on sale' }));
  expect(await screen.findByText(/Add a picture of the package before it goes on sale\./)).toBeTruthy();
});

it('narrows a list to days by one press', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-03-01T18:00:00Z') }); // the second of March in Bangkok
  const user = userEvent.setup();
  const { calls } = await renderOffice('/owner/orderlist?created_at=2027-01-01..', {
    answers: { '/api/owner/get/orders': () => ({ data: [], next: null, total: 0 }) },
  });
  await user.click(await screen.findByRole('button', { name: /^Ordered on.*from 01\/01\/2027/ }));
  const days = within(await screen.findByRole('group', { name: 'Quick choices' }));
  await user.click(days.getByRole('button', { name: 'Last 7 days' }));
  await waitFor(() =>
    expect(calls('/api/owner/get/orders').at(-1)?.body).toMatchObject({
      filter: { created_at: { from: '2027-02-24T00:00:00+07:00', to: '2027-03-02T23:59:59.999999+07:00' } },
    }),
  );
  expect(days.getByRole('button', { name: 'Last 7 days' }).getAttribute('aria-pressed')).toBe('true');
  await user.click(days.getByRole('button', { name: 'Yesterday' }));
  await screen.findByRole('button', { name: /01\/03\/2027 – 01\/03\/2027/ });
});

it('refuses an invalid form itself, and shows the server’s fault at its field', async () => {
  const user = userEvent.setup();
  const { calls } = await renderOffice('/owner/settingtag/new', {
    answers: {
      '/api/owner/save/tags': () =>
        new Refusal(422, 'input.invalid', { fields: [{ path: 'name_th', fault: 'field.duplicate' }] }),
    },
  });
  const drawer = within(await screen.findByRole('dialog', { name: 'Add tag' }));
  await user.click(drawer.getByRole('button', { name: 'Save' }));
  expect(await drawer.findByText('Name in Thai is missing')).toBeTruthy();
  expect(calls('/api/owner/save/tags')).toHaveLength(0);

  await user.type(drawer.getByLabelText('Name in Thai'), 'นวด');
  await user.click(drawer.getByRole('button', { name: 'Save' }));
  expect(await drawer.findByText('This is taken already. Enter another one.')).toBeTruthy();
  expect(drawer.getByLabelText('Name in Thai')).toHaveProperty('value', 'นวด');
});

it('sends a change once, with the time of the row, and asks before it is lost', async () => {
  const user = userEvent.setup();
  let answer: (row: object) => void = () => undefined;
  const { router, calls } = await renderOffice('/owner/settingtag/a', {
    answers: {
      '/api/owner/get/tags': list,
      '/api/owner/detail/tags': () => tag('a', 'Massage'),
      '/api/owner/save/tags': () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    },
  });
  const drawer = within(await screen.findByRole('dialog', { name: 'Edit tag' }));
  await user.type(await drawer.findByLabelText('Name in English'), ' 2');
  expect(drawer.getByText('1 changes, not saved')).toBeTruthy();

  await user.click(drawer.getByRole('button', { name: 'Discard changes' }));
  const question = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }));
  await user.click(question.getByRole('button', { name: 'Go on editing' }));

  const save = drawer.getByRole('button', { name: 'Save' });
  await user.dblClick(save);
  await waitFor(() => expect(calls('/api/owner/save/tags')).toHaveLength(1));
  expect(calls('/api/owner/save/tags')[0]?.body).toEqual({
    id: 'a',
    updated_at: '2026-11-20T10:00:00Z',
    name_th: 'Massage',
    name_en: 'Massage 2',
    position: 10,
  });
  answer(tag('a', 'Massage 2'));
  await waitFor(() => expect(router.state.location.pathname).toBe('/owner/settingtag'));
});

it('leaves a form usable whose choices did not load, and asks for them again', async () => {
  const user = userEvent.setup();
  let down = true;
  const { calls } = await renderOffice('/owner/packagelist/new', {
    answers: {
      '/api/owner/get/vouchertype': () =>
        down
          ? new Refusal(503, 'unavailable')
          : { data: [{ id: 'v1', name_th: 'นวด', name_en: 'Massage' }], next: null, total: 1 },
    },
  });
  const form = await screen.findByRole('dialog');
  await within(form).findByText('These did not load.');
  await user.type(within(form).getAllByRole('textbox')[0] as HTMLElement, 'Spa day');

  down = false;
  await user.click(within(form).getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(within(form).queryByText('These did not load.')).toBeNull());
  expect(calls('/api/owner/get/vouchertype').length).toBeGreaterThan(1);
  expect((within(form).getAllByRole('textbox')[0] as HTMLInputElement).value).toBe('Spa day');
});

it('offers no second try for choices that this person may not see', async () => {
  await renderOffice('/owner/packagelist/new', {
    answers: {
      '/api/owner/get/vouchertype': () => new Refusal(403, 'access.forbidden'),
      '/api/owner/get/giftvoucher': () => ({ data: [tag('gift', 'Gift')], next: null, total: 1 }),
    },
  });
  await screen.findByRole('button', { name: 'Choose one that you have' });
  expect(screen.queryByText('These did not load.')).toBeNull();
});

it('shows the chosen row of another table in a form, though it is not active any more', async () => {
  const user = userEvent.setup();
  const dao = { id: 's1', username: 'dao', name: 'Dao', role: 'user', permission_id: 'p2', password: '', status: 5 };
  const set = (id: string, name: string, status = 5) => ({ id, name_th: name, name_en: name, status });
  const { calls } = await renderOffice('/owner/stafflist/s1', {
    answers: {
      '/api/owner/get/staff': () => ({ data: [dao], next: null, total: 1 }),
      '/api/owner/detail/staff': () => dao,
      '/api/owner/get/permission': () => ({ data: [set('p1', 'Counter')], next: null, total: 1 }),
      '/api/owner/detail/permission': () => set('p2', 'Night shift', 2),
      '/api/owner/save/staff': () => dao,
    },
  });
  const drawer = within(await screen.findByRole('dialog', { name: 'Edit account' }));
  const field = await drawer.findByLabelText('Permission set');
  await waitFor(() => expect(field.textContent).toBe('Night shift (not active)'));
  expect(calls('/api/owner/detail/permission')[0]?.body).toEqual({ id: 'p2' });

  await user.click(field);
  await user.click(await screen.findByRole('option', { name: 'Counter' }));
  await waitFor(() => expect(field.textContent).toBe('Counter'));
});

it('shows the chosen rows of another table as pills, though one is not active any more', async () => {
  const point = (id: string, name: string, status = 5) => ({ id, name_th: name, name_en: name, status });
  const massage = {
    id: 'v1',
    name_th: 'Massage',
    name_en: 'Massage',
    items: 1,
    list_price_satang: 0,
    expiry_rule: 'breakage',
    transfer_rule: 'none',
    service_points: ['a', 'b'],
    status: 5,
  };
  await renderOffice('/owner/vouchertypelist/v1', {
    answers: {
      '/api/owner/get/vouchertype': () => ({ data: [massage], next: null, total: 1 }),
      '/api/owner/detail/vouchertype': () => massage,
      '/api/owner/get/service_point': () => ({ data: [point('a', 'Nimman')], next: null, total: 1 }),
      '/api/owner/detail/service_point': () => point('b', 'Old town', 2),
    },
  });
  expect(await screen.findByRole('checkbox', { name: 'Old town (not active)', checked: true })).toBeTruthy();
  expect(screen.getByRole('checkbox', { name: 'Nimman', checked: true })).toBeTruthy();
});
