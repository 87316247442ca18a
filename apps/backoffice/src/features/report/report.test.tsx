import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

// A chart draws nothing where it has no size.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 600, 220));
});
afterEach(() => vi.restoreAllMocks());

const column = (name: string, kind: string, more: object = {}) => ({
  name,
  kind,
  title_th: name,
  title_en: name,
  sum: false,
  both: false,
  main: false,
  hidden: false,
  ...more,
});

const daily = {
  name: 'daily',
  title_th: 'ยอดขายรายวัน',
  title_en: 'Daily sales',
  days: true,
  paged: false,
  chart: { by: 'day', series: ['gross_satang'], beside: false },
  filters: [
    { name: 'package_id', title_th: 'แพ็กเกจ', title_en: 'Package', table: 'salepackage', must: false },
    {
      name: 'step',
      title_th: 'ราย',
      title_en: 'By',
      must: true,
      words: [
        { value: 'day', th: 'วัน', en: 'Day' },
        { value: 'week', th: 'สัปดาห์', en: 'Week' },
      ],
    },
  ],
  columns: [
    column('day', 'day', {
      report: 'sold',
      with: [
        { filter: 'from', field: 'day' },
        { filter: 'to', field: 'until' },
      ],
    }),
    column('until', 'day', { hidden: true }),
    column('orders', 'number', { sum: true }),
    column('gross_satang', 'satang', { sum: true, main: true }),
  ],
};

const answer = {
  data: [{ day: '2026-11-16', until: '2026-11-21', orders: 13, gross_satang: 15_100_00 }],
  totals: { orders: 13, gross_satang: 15_100_00 },
  total: 1,
  next: '',
  points: [],
  figures: [],
};

it('reads a report by its address, with its sums, and opens what is behind a day', async () => {
  const user = userEvent.setup();
  const { calls } = await renderOffice('/owner/dailytransaction?from=2026-11-15&to=2026-11-21&step=week', {
    answers: {
      '/api/owner/report/describe': () => daily,
      '/api/owner/report/daily': () => answer,
    },
  });
  const table = within(await screen.findByRole('table'));
  expect(table.getAllByText('15,100.00')).toHaveLength(2);
  expect(calls('/api/owner/report/daily')[0]?.body).toEqual({
    filter: { from: '2026-11-15', to: '2026-11-21', step: 'week' },
  });
  const link = table.getByRole('link', { name: '16/11/2026–21/11/2026' });
  expect(link.getAttribute('href')).toBe('/owner/soldtransaction?from=2026-11-16&to=2026-11-21');

  await user.click(screen.getByRole('button', { name: 'CSV' }));
  expect(calls('/api/owner/report/job')[0]?.body).toEqual({
    report: 'daily',
    filter: { from: '2026-11-15', to: '2026-11-21', step: 'week' },
    format: 'csv',
  });
});

it('shows the balances of a report that comes in pages, and the next page when asked', async () => {
  const user = userEvent.setup();
  const row = (number: string) => ({
    at: '2026-11-20T03:00:00Z',
    number,
    in_satang: 100_00,
    customer_id: 'c1',
    id: number,
  });
  const { calls } = await renderOffice('/owner/wallettransaction?from=2026-11-20&to=2026-11-20', {
    answers: {
      '/api/owner/report/describe': () => ({
        ...daily,
        name: 'wallets',
        paged: true,
        filters: [],
        chart: { by: 'day', series: ['in_satang'], beside: true },
        columns: [
          column('at', 'moment'),
          column('number', 'text', { table: 'customer', id: 'customer_id' }),
          column('in_satang', 'satang', { sum: true, main: true }),
        ],
      }),
      '/api/owner/report/wallets': ({ after }: { after?: string }) => ({
        ...answer,
        data: [row(after ? 'T2' : 'T1')],
        next: after ? '' : 'T1',
        totals: { in_satang: 200_00 },
        points: [{ day: '2026-11-20', values: { in_satang: 200_00 } }],
        figures: [{ title_th: 'ยกมา', title_en: 'Opening balance', amount_satang: 50_00 }],
        total: 2,
      }),
    },
  });
  await screen.findByText('Opening balance');
  expect(screen.getByText('฿50.00')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Show more' }));
  const table = within(screen.getByRole('table'));
  expect((await table.findByRole('link', { name: 'T2' })).getAttribute('href')).toBe('/owner/customerlist/c1');
  expect(table.getByRole('link', { name: 'T1' })).toBeTruthy();
  expect(calls('/api/owner/report/wallets').map(({ body }) => (body as { after?: string }).after)).toEqual([
    undefined,
    'T1',
  ]);
});

it('says that there is nothing, and that it did not load', async () => {
  await renderOffice('/owner/dailytransaction', {
    answers: {
      '/api/owner/report/describe': () => daily,
      '/api/owner/report/daily': () => ({ ...answer, data: [], total: 0, totals: {} }),
    },
  });
  await screen.findByText('Nothing in this report');
});

it('offers to try again what did not load', async () => {
  await renderOffice('/owner/dailytransaction', {
    answers: { '/api/owner/report/describe': () => new Refusal(403, 'not_allowed') },
  });
  await screen.findByText('The report did not load');
});

it('has the report sent by e-mail, as it is filtered, once the address has its code', async () => {
  const user = userEvent.setup();
  let sent: object[] = [];
  const { calls } = await renderOffice('/owner/dailytransaction?from=2026-11-15&to=2026-11-21&step=week', {
    answers: {
      '/api/owner/report/describe': () => daily,
      '/api/owner/report/daily': () => answer,
      '/api/owner/report/subscription/list': () => ({ data: sent }),
      '/api/owner/report/subscription/code': () => ({ valid_seconds: 300, again_seconds: 60 }),
      '/api/owner/report/subscription/save': (body: unknown) => {
        if ((body as { code: string }).code !== '123456') return new Refusal(400, 'otp.wrong');
        sent = [
          {
            id: '01990000-0000-7000-8000-000000000007',
            report: 'daily',
            filter: { step: 'week' },
            format: 'xlsx',
            every: 'day',
            hour: 7,
            email: 'a•••@example.com',
            next_at: '2026-11-22T00:00:00Z',
            sent_at: null,
            failed_at: '2026-11-21T00:00:00Z',
            mine: false,
            staff_name: 'วราภรณ์',
          },
        ];
        return sent[0];
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'E-mail' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByLabelText('To this e-mail address'), 'ann@example.com');
  await user.click(dialog.getByRole('button', { name: 'Send the code' }));
  await user.type(await dialog.findByLabelText('Code of six digits'), '000000');
  expect(await dialog.findByText('This code is wrong.')).toBeTruthy();
  await user.type(dialog.getByLabelText('Code of six digits'), '123456');
  expect(await dialog.findByText(/Every day at 07:00 · a•••@example.com · วราภรณ์/)).toBeTruthy();
  expect(dialog.getByText(/was not sent/)).toBeTruthy();
  expect(calls('/api/owner/report/subscription/save').at(-1)?.body).toEqual({
    report: 'daily',
    filter: { step: 'week' },
    format: 'xlsx',
    every: 'day',
    hour: 7,
    email: 'ann@example.com',
    code: '123456',
  });
});
