import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderOffice } from '../../test/render-office.ts';

const hold = (record: object = {}, approval_id: string | null = null) => ({
  record: {
    id: 'h1',
    held_at: '2026-11-28T17:30:00Z',
    state: 'held',
    signal: 'card',
    order_id: 'o1',
    order_number: 'OD004391',
    payee_id: 'a1',
    partner_id: null,
    payee_name: 'Surachai',
    pictureUrl: '',
    customer_id: 'c1',
    customer_name: 'Ploy',
    amount_satang: 329_00,
    digits: '4242',
    happened_at: null,
    times: null,
    sum_satang: null,
    of_satang: null,
    other_id: null,
    other_partner_id: null,
    other_name: '',
    ends_at: '2026-12-28T17:30:00Z',
    ended_at: null,
    ended_by_name: '',
    reason: '',
    ...record,
  },
  payable_satang: 5_151_00,
  approval_id,
});

const open = (shown: () => object, calls: object = {}, options: object = {}) =>
  renderOffice('/owner/commissionholdlist/h1', {
    answers: { '/api/owner/story/commissionhold': shown, ...calls } as never,
    ...options,
  });

const button = (name: string) => screen.queryByRole('button', { name });

it.each([
  [{}, 'The buyer and the agent have both paid by the card ····4242.'],
  [
    { signal: 'device', digits: '', happened_at: '2026-11-28T03:00:00Z' },
    'The buyer and the agent have both signed in by one browser, the later of them on 28/11/2026 10:00.',
  ],
  [
    { signal: 'refunds', times: 3, sum_satang: 270_00, of_satang: 1_350_00, happened_at: '2026-11-28T03:00:00Z' },
    '3 times within three days after it was due, 270.00 was taken back of 1,350.00 that was due to the agent in 30 days. The last time was on 28/11/2026 10:00.',
  ],
  [
    { signal: 'many_opens', times: 31, happened_at: '2026-11-28T03:00:00Z' },
    'The link was opened 31 times in the minute from 28/11/2026 10:00, when this buyer opened it.',
  ],
  [
    { signal: 'same_account', order_id: null, times: 2, other_id: 'a2', other_name: 'Nok', digits: '8812' },
    'Nok is paid to the same account ····8812: 2 other payees.',
  ],
])('says in words what was found: %o', async (record, why) => {
  await open(() => hold(record));
  await screen.findByText(why);
});

it('releases it, once somebody says why', async () => {
  const user = userEvent.setup();
  let over = {};
  const { calls } = await open(() => hold(over), {
    '/api/owner/commissionhold/release': () => {
      over = { state: 'released', reason: 'One family', ended_by_name: 'Wara', ended_at: '2026-11-29T03:00:00Z' };
      return {};
    },
  });
  expect((await screen.findByRole('link', { name: 'OD004391' })).getAttribute('href')).toBe('/owner/orderlist/o1');
  await user.click(await screen.findByRole('button', { name: 'Release it' }));
  const confirm = () => screen.getAllByRole('button', { name: 'Release it' }).at(-1) as HTMLElement;
  await screen.findByText('Release ฿329.00?');
  await user.click(confirm());
  screen.getByText('Write why');
  await user.type(screen.getByRole('textbox'), 'One family');
  await user.click(confirm());
  await screen.findByText('You said: “One family”');
  expect(calls('/api/owner/commissionhold/release').map(({ body }) => body)).toEqual([
    { id: 'h1', reason: 'One family' },
  ]);
  expect(button('Release it')).toBeNull();
});

it('asks a second person not to pay it', async () => {
  const user = userEvent.setup();
  let asked: string | null = null;
  const { calls } = await open(() => hold({}, asked), {
    '/api/owner/commissionhold/deny': () => {
      asked = 'q1';
      return { approval_id: 'q1' };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Ask a second person not to pay it' }));
  await user.type(await screen.findByRole('textbox', { name: /^Why, for Surachai to read/ }), 'Own card');
  await user.click(screen.getByRole('button', { name: 'Ask a second person' }));
  expect((await screen.findByRole('link', { name: 'See where it waits' })).getAttribute('href')).toBe(
    '/owner/approval/q1',
  );
  expect(calls('/api/owner/commissionhold/deny').map(({ body }) => body)).toEqual([{ id: 'h1', reason: 'Own card' }]);
});

it('denies nothing of a payee who is held whole', async () => {
  await open(() => hold({ signal: 'same_account', order_id: null, order_number: '', times: 1 }));
  await screen.findByText('All that Surachai can be paid');
  expect(document.body.textContent).toContain('5,151.00');
  expect(button('Release it')).not.toBeNull();
  expect(button('Ask a second person not to pay it')).toBeNull();
});

it('leads to a partner', async () => {
  await open(() =>
    hold({
      signal: 'same_account',
      order_id: null,
      partner_id: 'p1',
      payee_id: 'p1',
      payee_name: 'Lanna Spa',
      other_id: 'p2',
      other_partner_id: 'p2',
      other_name: 'Ping River',
    }),
  );
  const at = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
  await screen.findByRole('link', { name: 'Lanna Spa' });
  expect([at('Lanna Spa'), at('Ping River')]).toEqual(['/owner/partnerlist/p1', '/owner/partnerlist/p2']);
});

it('only shows it to who may not decide', async () => {
  await open(() => hold(), {}, { who: { role: 'user', permission: { agent: 'vu' } } });
  await screen.findByText('You may not decide this.');
  expect(button('Release it')).toBeNull();
});
