import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Answers, Refusal } from '@wlv/client/test-kit';
import { calendarDay } from '@wlv/ui/format';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const list = '/api/admin/announcement/list';
const add = '/api/admin/announcement/add';
const save = '/api/admin/announcement/save';
const withdraw = '/api/admin/announcement/withdraw';
const shown = '/api/owner/announcement/list';

const day = (days: number) => calendarDay(Date.now() + days * 86_400_000);
const plans = [
  { id: 'p1', name_th: 'เริ่มต้น', name_en: 'Starter', organisations: 7 },
  { id: 'p2', name_th: 'เติบโต', name_en: 'Growth', organisations: 2 },
];
const work = {
  id: 'a1',
  kind: 'maintenance',
  title_th: 'ปิดปรับปรุงระบบ',
  title_en: 'Work on the system',
  text_th: 'คืนวันศุกร์',
  text_en: 'On Friday night',
  from: `${day(-1)}T00:00:00+07:00`,
  until: `${day(3)}T23:59:59+07:00`,
  plans: ['p2'],
  state: 'shown',
  added_by: 'Ann',
  created_at: '2026-11-20T03:00:00Z',
  updated_at: '2026-11-20T03:00:00Z',
};

const open = (answers: Answers = {}, permission?: Record<string, string>) =>
  renderOffice('/advwsadmin/announcement_list', {
    signedIn: 'admin',
    org: null,
    who: permission ? { audience: 'admin', role: 'admin', permission } : { audience: 'admin' },
    answers: {
      [list]: () => ({
        data: [work, { ...work, id: 'a2', title_en: 'Old news', kind: 'news', state: 'over', plans: [] }],
        next: null,
        plans,
      }),
      ...answers,
    },
  });

it('lists what was announced, to whom, and lets only what goes on be changed', async () => {
  await open();
  await screen.findByRole('heading', { name: 'Work on the system' });
  expect(screen.getByText(/· Growth · Ann/)).toBeTruthy();
  expect(screen.getByText(/· All organisations · Ann/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Withdraw Work on the system' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Old news/ })).toBeNull();
});

it('shows no button to who may only look', async () => {
  await open({}, { announcement: 'v' });
  await screen.findByRole('heading', { name: 'Work on the system' });
  expect(screen.queryByRole('button', { name: /^(Change|Withdraw|New announcement)/ })).toBeNull();
});

it('announces to the organisations of a plan, for whole days, and says what is missing', async () => {
  const sent: unknown[] = [];
  await open({
    [add]: (body) => {
      sent.push(body);
      return { id: 'a3' };
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'New announcement' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.type(dialog.getByLabelText('Title in Thai'), 'ข่าวดี');
  await userEvent.click(dialog.getByRole('button', { name: 'Announce' }));
  await dialog.findByText('Title in English is missing');
  expect(sent).toEqual([]);
  await userEvent.type(dialog.getByLabelText('Title in English'), 'Good news');
  await userEvent.type(dialog.getByLabelText('Text in Thai'), 'มีรายงานใหม่');
  await userEvent.type(dialog.getByLabelText('Text in English'), 'There is a new report');
  await userEvent.click(dialog.getByRole('checkbox', { name: /Growth/ }));
  await userEvent.click(dialog.getByRole('button', { name: 'Announce' }));
  await waitFor(() =>
    expect(sent).toEqual([
      {
        kind: 'news',
        title_th: 'ข่าวดี',
        title_en: 'Good news',
        text_th: 'มีรายงานใหม่',
        text_en: 'There is a new report',
        from: `${day(0)}T00:00:00+07:00`,
        until: `${day(7)}T23:59:59+07:00`,
        plans: ['p2'],
      },
    ]),
  );
});

it('changes one as it was read, and says that somebody else was quicker', async () => {
  const sent: unknown[] = [];
  await open({
    [save]: (body) => {
      sent.push(body);
      return new Refusal(409, 'resource.changed_meanwhile');
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Change Work on the system' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('checkbox', { name: /Growth/ }));
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await dialog.findByText(/Somebody else has changed this meanwhile/);
  const { state, added_by, created_at, ...content } = work;
  expect(sent).toEqual([{ ...content, plans: [] }]);
});

it('withdraws one after asking', async () => {
  const sent: unknown[] = [];
  await open({
    [withdraw]: (body) => {
      sent.push(body);
      return {};
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Withdraw Work on the system' }));
  expect(sent).toEqual([]);
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Withdraw' }));
  await waitFor(() => expect(sent).toEqual([{ id: 'a1' }]));
});

it('stands in the office, where news can be closed until they are changed, and work on the system cannot', async () => {
  const news = { ...work, id: 'a4', kind: 'news', title_en: 'Good news' };
  const answers: Answers = { [shown]: () => ({ data: [work, news] }) };
  await renderOffice('/owner/contactuslist', { answers });
  await screen.findByText('Work on the system');
  expect(screen.queryByRole('button', { name: 'Close Work on the system' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Close Good news' }));
  await waitFor(() => expect(screen.queryByText('Good news')).toBeNull());
  expect(localStorage.getItem('announcements-closed')).toBe(`a4 ${news.updated_at}`);
  expect(screen.getByText('Work on the system')).toBeTruthy();
});
