import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const closure = {
  id: 'c1',
  service_point_id: 'p1',
  service_point_name_th: 'ริมน้ำ',
  service_point_name_en: 'Riverside',
  first_day: '2026-12-02',
  last_day: '2026-12-05',
  reason_th: 'ซ่อมแซม',
  reason_en: 'Repairs',
  status: 5,
  created_at: '2026-11-20T12:02:00Z',
  updated_at: '2026-11-20T12:02:00Z',
};

const preview = {
  closure,
  total: 6,
  can: 5,
  days: 20,
  revived: 0,
  kept_satang: 0,
  cannot: [{ fault: 'voucher.paid_out', vouchers: 1 }],
  vouchers: [
    {
      voucher_id: 'v1',
      code: 'CODE1',
      name_th: 'นวด',
      name_en: 'Massage',
      valid_until: '2026-12-31',
      valid_until_then: '2027-01-04',
      days: 4,
    },
  ],
  given: 0,
};

async function dialog(second: boolean, more: Record<string, (body: never) => unknown> = {}) {
  const calls: string[] = [];
  const keep = (path: string, answer: unknown) => () => {
    calls.push(path);
    return answer;
  };
  await renderOffice('/owner/closurelist/c1', {
    answers: {
      '/api/owner/get/closure': () => ({ data: [closure], next: null, total: 1 }),
      '/api/owner/detail/closure': () => closure,
      '/api/owner/get/service_point': () => ({ data: [], next: null, total: 0 }),
      '/api/owner/closure/return/preview': () => ({ ...preview, needs_second: second }),
      '/api/owner/closure/return': keep('start', { id: 'r1' }),
      '/api/owner/closure/return/ask': keep('ask', { approval_id: 'a1' }),
      '/api/owner/care/run': () => ({
        id: 'r1',
        task: 'return_days',
        valid_until: null,
        closure_id: 'c1',
        reason: 'ซ่อมแซม',
        state: 'running',
        started_at: '2026-11-20T12:02:00Z',
        started_by: 'Tom',
        own: true,
        ended_at: null,
        total: 6,
        done: 0,
        refused: 0,
        refusals: [],
      }),
      ...more,
    },
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Give days back' }));
  const shown = await screen.findByRole('dialog');
  await within(shown).findByText(/5 vouchers are valid longer/);
  return { user, shown: within(shown), calls };
}

it('gives days back at once to as many vouchers as one person may extend', async () => {
  const { user, shown, calls } = await dialog(false);
  expect(shown.queryByText(/a second person has to approve it/)).toBeNull();
  await user.click(shown.getByRole('button', { name: 'Give days back' }));
  await screen.findByText('It goes on by itself, also when you close this.');
  expect(calls).toEqual(['start']);
});

it('asks a second person for more, and starts nothing', async () => {
  const { user, shown, calls } = await dialog(true);
  shown.getByText(/a second person has to approve it/);
  expect(shown.queryByRole('button', { name: 'Give days back' })).toBeNull();
  await user.click(shown.getByRole('button', { name: 'Ask for it' }));
  await screen.findByText('Nothing moves until a second person has approved it.');
  expect(calls).toEqual(['ask']);
});

it('says that somebody else extended so many meanwhile', async () => {
  const { user, shown } = await dialog(false, {
    '/api/owner/closure/return': () => new Refusal(409, 'approval.needed'),
  });
  await user.click(shown.getByRole('button', { name: 'Give days back' }));
  await shown.findByRole('alert');
});
