import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { home, renderPage } from '../../test/render-page.ts';
import type { Payout } from './payout.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const payout = (id: string, more: Partial<Payout> = {}): Payout => ({
  id,
  reference: `P261130-0000${id}`,
  state: 'paid',
  left_out: '',
  pay_day: '2026-10-30',
  gross_satang: 9_621_00,
  withheld_satang: 288_63,
  net_satang: 9_332_37,
  bank: '014',
  account_digits: '1180',
  paid_on: '2026-11-02',
  reason: '',
  ...more,
});

const summary = (more: object) => ({
  pending_satang: 0,
  payable_satang: 0,
  owed_satang: 0,
  month_satang: 0,
  rate_basis_points: 500,
  by_day: [],
  ...more,
});

const listed = (...data: Payout[]) => ({ '/api/agent/payout/list': () => ({ data, next: null }) });
const rows = () => screen.findAllByRole('link', { name: /^Pay day/ });
const textOf = async () => (await rows()).map((row) => row.textContent ?? '');

it('shows what waits, and what is not due yet', async () => {
  await renderPage(`${home}/payouts`, listed(payout('1')));
  const ready = (await screen.findByRole('heading', { name: 'Ready to be paid' })).closest('article') as HTMLElement;
  expect(ready.textContent).toContain('฿8,140.00');
  expect(ready.textContent).toContain('Waits for the next payout, before tax if any is withheld');
  expect(ready.textContent).toContain('Not due yet฿119.00');
});

it('says when commission is paid out next, where that is known', async () => {
  await renderPage(`${home}/payouts`, { '/api/agent/payout/next': () => ({ pay_day: '2026-12-02' }) });
  await screen.findByText('Next pay day: 02/12/2026');
  cleanup();
  await renderPage(`${home}/payouts`);
  await screen.findByText('No payout yet');
  expect(screen.queryByText(/^Next pay day/)).toBeNull();
});

it('says what is on hold', async () => {
  await renderPage(`${home}/payouts`, { '/api/agent/payout/next': () => ({ pay_day: null, held_satang: 90_00 }) });
  expect((await screen.findByText(/^On hold: being looked at/)).textContent).toContain('90.00');
});

it('says what the next payout takes, and not that nothing waits', async () => {
  await renderPage(`${home}/payouts`, {
    '/api/agent/summary': () => summary({ owed_satang: 380_00, pending_satang: 90_00 }),
    ...listed(payout('1')),
  });
  const owed = (await screen.findByRole('heading', { name: 'You owe the shop' })).closest('article') as HTMLElement;
  expect(owed.textContent).toContain('฿380.00');
  expect(owed.textContent).toContain('Taken from the next payout');
  expect(screen.queryByText('Nothing waits now')).toBeNull();
});

it('says when nothing waits and nothing was paid out', async () => {
  await renderPage(`${home}/payouts`, { '/api/agent/summary': () => summary({}), ...listed() });
  await screen.findByText('No payout yet');
  await screen.findByText('Nothing waits now');
});

it('shows on which day each payout was or will be transferred, and where to', async () => {
  await renderPage(
    `${home}/payouts`,
    listed(
      payout('3', { state: 'booked', pay_day: '2026-11-30', paid_on: null, withheld_satang: 0, net_satang: 9_621_00 }),
      payout('2', { state: 'sent', paid_on: null }),
      payout('1'),
    ),
  );
  const [booked, sent, paid] = await textOf();
  expect(booked).toBe('Pay day 30/11/20269,621.00To be transferredSCB ····1180');
  expect(sent).toBe('Pay day 30/10/20269,332.37With the bankWithheld 288.63SCB ····1180');
  expect(paid).toBe('Pay day 30/10/20269,332.37TransferredWithheld 288.63On 02/11/2026 · SCB ····1180');
});

it('says why a payout failed or came back, and how much of it the next one has', async () => {
  await renderPage(
    `${home}/payouts`,
    listed(
      payout('3', { state: 'failed', paid_on: null, reason: 'Account closed' }),
      payout('2', { state: 'returned', reason: 'Name differs' }),
      payout('1', { state: 'returned', withheld_satang: 0, net_satang: 9_621_00 }),
    ),
  );
  const [failed, returned, untaxed] = await rows();
  expect(failed?.textContent).toContain('Not transferred“Account closed”The money is in the next payout.');
  expect(within(failed as HTMLElement).getByText('9,332.37').className).toContain('line-through');
  expect(failed?.textContent).not.toContain('Withheld');
  expect(returned?.textContent).toContain(
    'Came back“Name differs”฿9,332.37 is in the next payout. The tax that was withheld is not withheld again.',
  );
  expect(untaxed?.textContent).toContain('Came backThe money is in the next payout.');
});

it.each<[Payout['left_out'], number, string]>([
  ['not_approved', 380_00, 'had not approved your payment details then.The money is kept for the next payout.'],
  ['suspended', 380_00, 'had suspended you as an agent then.The money is kept for the next payout.'],
  ['account_new', 380_00, 'could not be paid to yet on the pay day.The money is kept for the next payout.'],
  ['below_minimum', 380_00, 'The sum was less than the shop transfers.The money is kept for the next payout.'],
  ['no_tax_rule', 380_00, 'no tax rate for the pay day yet.The money is kept for the next payout.'],
  ['under_way', 380_00, 'An earlier payout was still on its way.The money is kept for the next payout.'],
  ['held', 380_00, 'On hold: being looked at.The money is kept for the next payout.'],
  ['postponed', 380_00, 'The shop postponed this transfer.The money is kept for the next payout.'],
  ['cancelled', 380_00, 'The shop cancelled this payout.The money is kept for the next payout.'],
  ['too_big', 380_00, 'more than one transfer can be.It is still yours; ask the shop.'],
  ['changed', 380_00, 'after the shop had approved this payout.The next payout counts it anew.'],
  ['owes', -380_00, 'nothing was left to transfer.฿380.00 is taken from the next payout.'],
  ['owes', 0, 'nothing was left to transfer.'],
])('says why nothing was transferred: %s of %i', async (left_out, gross_satang, sentence) => {
  // What a run would have withheld of a sum that is too small was not withheld.
  const left = payout('1', { state: 'left_out', left_out, gross_satang, net_satang: gross_satang, paid_on: null });
  await renderPage(`${home}/payouts`, listed(left));
  const [text = ''] = await textOf();
  expect(text.endsWith(sentence)).toBe(true);
  expect(text).toContain(left_out === 'owes' ? 'Nothing to transfer' : 'Left to the next payout');
  expect(text).not.toContain('Withheld');
  expect(text).not.toContain('1180');
});

it('loads the next page after the last payout', async () => {
  const user = userEvent.setup();
  const page = await renderPage(`${home}/payouts`, {
    '/api/agent/payout/list': ({ after }: { after?: string }) =>
      after ? { data: [payout('1', { pay_day: '2026-09-30' })], next: null } : { data: [payout('2')], next: '2' },
  });

  await user.click(await screen.findByRole('button', { name: 'Show more' }));

  await screen.findByText('Pay day 30/09/2026');
  expect(page.calls('/api/agent/payout/list').at(-1)?.body).toEqual({ after: '2' });
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

it('keeps what waits in view when the payouts did not load', async () => {
  const user = userEvent.setup();
  let broken = true;
  await renderPage(`${home}/payouts`, {
    '/api/agent/payout/list': () => (broken ? new Refusal(400, 'internal') : { data: [payout('1')], next: null }),
  });
  await screen.findByText('Your payouts did not load');
  await screen.findByText('Ready to be paid');
  broken = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await rows()).toHaveLength(1);
});

it('is reached from the home and from the sales, and goes back to where it came from', async () => {
  const user = userEvent.setup();
  await renderPage(`${home}/home`);
  await user.click(await screen.findByRole('link', { name: 'See your payouts' }));
  await screen.findByText('No payout yet');
  expect(location.pathname).toBe(`${home}/payouts`);

  await user.click(screen.getAllByRole('link', { name: 'Sales' })[0] as HTMLElement);
  await user.click(await screen.findByRole('link', { name: 'Payouts' }));
  await screen.findByText('No payout yet');
  await user.click(screen.getByRole('button', { name: 'Back' }));
  await waitFor(() => expect(location.pathname).toBe(`${home}/history`));
});

it('goes back to the home when it was opened from outside', async () => {
  const user = userEvent.setup();
  await renderPage(`${home}/payouts`);
  await user.click(await screen.findByRole('button', { name: 'Back' }));
  await waitFor(() => expect(location.pathname).toBe(`${home}/home`));
});
