import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';
import { voucherStory } from '../../test/voucher-story.ts';

const row = (id: string) => ({ ...voucherStory().record, id, code: `CODE${id}` });

const run = (rest: object) => ({
  id: 'r1',
  task: 'extend',
  valid_until: '2099-03-31',
  reason: 'Closed',
  state: 'running',
  started_at: '2026-11-20T12:02:00Z',
  started_by: 'Tom',
  own: true,
  ended_at: null,
  total: 2,
  done: 0,
  refused: 0,
  refusals: [],
  ...rest,
});

it('extends what is selected after saying what can be, and shows how far it is', async () => {
  let now = run({});
  const server = await renderOffice('/owner/voucherlist?sel=v1,v2', {
    answers: {
      '/api/owner/get/voucher': () => ({ data: [row('v1'), row('v2'), row('v3')], next: null, total: 3 }),
      '/api/owner/get/service_point': () => ({ data: [], next: null, total: 0 }),
      '/api/owner/care/runs': () => ({ data: [] }),
      '/api/owner/care/preview': () => ({
        total: 2,
        can: 1,
        revived: 1,
        kept_satang: 97_00,
        paid_satang: 0,
        needs_second: false,
        cannot: [{ fault: 'voucher.void', vouchers: 1 }],
      }),
      '/api/owner/care/extend': () => now,
      '/api/owner/care/run': () => now,
    },
  });
  const user = userEvent.setup();
  const bar = await screen.findByRole('region', { name: 'Selection' });
  await user.click(within(bar).getByRole('button', { name: 'Change these' }));
  const start = await screen.findByRole('button', { name: 'Extend them' });
  await user.type(screen.getByRole('textbox', { name: 'New last day' }), '31/03/2099');
  await screen.findByText('It can be done to 1 of 2 vouchers');
  screen.getByText(/Not to 1: This voucher was cancelled/);
  expect(start).toHaveProperty('disabled', true);
  await user.type(screen.getByRole('textbox', { name: 'Why?' }), 'Closed');
  await user.click(start);
  await screen.findByText('It goes on by itself, also when you close this.');
  now = run({
    state: 'done',
    done: 1,
    refused: 1,
    refusals: [{ voucher_id: 'v2', code: 'CODEv2', fault: 'voucher.void' }],
  });
  await screen.findByRole('link', { name: 'CODEv2' }, { timeout: 4000 });
  screen.getByText(/Done: 1 of 2/);
  const wanted = { filter: { id: ['v1', 'v2'] }, valid_until: '2099-03-31', reason: 'Closed' };
  expect(server.calls('/api/owner/care/extend')[0]?.body).toEqual(wanted);
});

it('does not begin a cancellation that needs a second person', async () => {
  await renderOffice('/owner/voucherlist?state=ready', {
    answers: {
      '/api/owner/get/voucher': () => ({ data: [row('v1')], next: null, total: 1 }),
      '/api/owner/get/service_point': () => ({ data: [], next: null, total: 0 }),
      '/api/owner/care/runs': () => ({ data: [run({ state: 'done', done: 2 })] }),
      '/api/owner/care/preview': ({ filter }: { filter: object }) => {
        expect(filter).toEqual({ state: ['ready'] });
        return {
          total: 1,
          can: 1,
          revived: 0,
          kept_satang: 0,
          paid_satang: 900_00,
          needs_second: true,
          cannot: [],
        };
      },
    },
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Change all shown' }));
  await user.click(await screen.findByRole('combobox', { name: 'What is to be done?' }));
  await user.click(await screen.findByRole('option', { name: 'Cancel them for good' }));
  await user.type(screen.getByRole('textbox', { name: 'Why?' }), 'Sold twice');
  await screen.findByText(/worth more than one person may pay back/);
  expect(screen.getByRole('button', { name: 'Cancel them for good' })).toHaveProperty('disabled', true);
  screen.getByText(/Extend them · 2 of 2/);
});
