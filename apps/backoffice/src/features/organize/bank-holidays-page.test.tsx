import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Answers, Refusal } from '@wlv/client/test-kit';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const list = '/api/admin/bankholiday/list';
const save = '/api/admin/bankholiday/save';
const remove = '/api/admin/bankholiday/remove';

const year = new Date().getFullYear();
const constitution = {
  day: `${year}-12-10`,
  name_th: 'วันรัฐธรรมนูญ',
  name_en: 'Constitution Day',
  source: 'Announcement of the Bank of Thailand',
};

const open = (address: string, answers: Answers = {}, permission?: Record<string, string>) =>
  renderOffice(`/advwsadmin/${address}`, {
    signedIn: 'admin',
    org: null,
    who: permission ? { audience: 'admin', role: 'admin', permission } : { audience: 'admin' },
    answers: {
      [list]: (body) => ({ data: (body as { year: number }).year === year ? [constitution] : [] }),
      ...answers,
    },
  });

it('lists the days of this year and goes to the next one, which has none', async () => {
  const { router } = await open('bankholiday_list');
  await screen.findByText('Constitution Day');
  expect(screen.getByText(`10/12/${year}`)).toBeTruthy();
  expect(screen.queryByText(/cannot be proposed/)).toBeNull();
  await userEvent.click(screen.getByRole('link', { name: 'The year after' }));
  await screen.findByText(`${year + 1} has no bank holidays yet`);
  expect(screen.getByText(new RegExp(`Payouts of ${year + 1} cannot be proposed`))).toBeTruthy();
  expect(router.state.location.pathname).toBe('/advwsadmin/bankholiday_list');
});

it('adds a day typed in the Buddhist era, shows its year, and keeps the source for the next one', async () => {
  const sent: unknown[] = [];
  await open('bankholiday_list', {
    [save]: (body) => {
      sent.push(body);
      return body;
    },
  });
  await screen.findByText('Constitution Day');
  await userEvent.click(screen.getByRole('button', { name: 'Add' }));
  await screen.findByText('Day is missing');
  await userEvent.type(screen.getByLabelText('Day'), `1/1/${year + 1 + 543}`);
  await userEvent.type(screen.getByLabelText('Name in Thai'), 'วันขึ้นปีใหม่');
  await userEvent.type(screen.getByLabelText('Name in English'), "New Year's Day");
  await userEvent.type(screen.getByLabelText('Where it was announced'), 'BOT 1');
  await userEvent.click(screen.getByRole('button', { name: 'Add' }));
  await waitFor(() =>
    expect(sent).toEqual([
      { day: `${year + 1}-01-01`, name_th: 'วันขึ้นปีใหม่', name_en: "New Year's Day", source: 'BOT 1' },
    ]),
  );
  await screen.findByText(`${year + 1} (B.E. ${year + 1 + 543})`);
  expect(screen.getByLabelText('Where it was announced')).toHaveProperty('value', 'BOT 1');
  expect(screen.getByLabelText('Name in Thai')).toHaveProperty('value', '');
});

it('shows at the day why the server refuses it, and keeps what was typed', async () => {
  await open('bankholiday_list', {
    [save]: () => new Refusal(422, 'input.invalid', { fields: [{ path: 'day', fault: 'field.far_day' }] }),
  });
  await screen.findByText('Constitution Day');
  await userEvent.type(screen.getByLabelText('Day'), `1/1/${year + 9}`);
  await userEvent.type(screen.getByLabelText('Name in Thai'), 'ก');
  await userEvent.type(screen.getByLabelText('Name in English'), 'A');
  await userEvent.type(screen.getByLabelText('Where it was announced'), 'BOT 1');
  await userEvent.click(screen.getByRole('button', { name: 'Add' }));
  await screen.findByText(/more than five years away/);
  expect(screen.getByLabelText('Name in English')).toHaveProperty('value', 'A');
});

it('changes what is written of a day', async () => {
  const sent: unknown[] = [];
  await open('bankholiday_list', {
    [save]: (body) => {
      sent.push(body);
      return body;
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: `Change 10/12/${year}` }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.queryByLabelText('Day')).toBeNull();
  await userEvent.type(dialog.getByLabelText('Name in English'), ' of Thailand');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toEqual([{ ...constitution, name_en: 'Constitution Day of Thailand' }]));
});

it('asks before a day is removed, and says what the last one means', async () => {
  const sent: unknown[] = [];
  await open('bankholiday_list', {
    [remove]: (body) => {
      sent.push(body);
      return {};
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: `Remove 10/12/${year}` }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(new RegExp(`last one of ${year}`))).toBeTruthy();
  expect(sent).toEqual([]);
  await userEvent.click(dialog.getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(sent).toEqual([{ day: constitution.day }]));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('offers nothing to change to who may only see it', async () => {
  await open('bankholiday_list', {}, { payment: 'v', organize: 'v' });
  await screen.findByText('Constitution Day');
  expect(screen.queryByRole('button', { name: /Add|Change|Remove/ })).toBeNull();
  expect(screen.getByRole('link', { name: 'Bank holidays' })).toBeTruthy();
});

it('leads elsewhere without the right, and has no entry in the menu', async () => {
  const { router } = await open('bankholiday_list', {}, { organize: 'v' });
  await waitFor(() => expect(router.state.location.pathname).toBe('/advwsadmin/organize_list'));
  expect(screen.queryByRole('link', { name: 'Bank holidays' })).toBeNull();
});

it('takes a year that is no year, or too far, as this one', async () => {
  await open('bankholiday_list?year=2569');
  await screen.findByText(`${year} (B.E. ${year + 543})`);
});
