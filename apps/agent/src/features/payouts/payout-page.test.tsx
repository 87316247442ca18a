import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { home, renderPage } from '../../test/render-page.ts';
import type { Story } from './payout.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const id = '01990000-0000-7000-8000-000000000001';

const line = (what: Story['lines'][number]['what'], amount_satang: number, number = 'LM-261101-0001') => ({
  why: what === 'taken_back' ? ('refund' as const) : ('' as const),
  order_id: what === 'came_back' ? null : 'o1',
  voucher_id: null,
  number,
  what,
  name_th: what === 'came_back' ? '' : 'นวด',
  name_en: what === 'came_back' ? '' : 'Aroma massage',
  pieces: what === 'came_back' ? 0 : 1,
  base_satang: what === 'came_back' ? 0 : 3_290_00,
  amount_satang,
  at: '2026-10-20T18:30:00Z',
});

const story = (more: Partial<Story> = {}): Story => ({
  id,
  reference: 'P261031-00001',
  state: 'paid',
  left_out: '',
  pay_day: '2026-10-30',
  gross_satang: 900_00,
  withheld_satang: 27_00,
  net_satang: 873_00,
  bank: '014',
  account_digits: '1180',
  paid_on: '2026-11-02',
  reason: '',
  certificate: '',
  lines: [line('taken_back', -100_00), line('matured', 1_000_00, 'LM-261101-0002')],
  ...more,
});

const render = (detail: Story) => renderPage(`${home}/payouts/${id}`, { '/api/agent/payout/detail': () => detail });

/** How the sum comes about, as `name amount`. */
async function parts() {
  await screen.findByText(/^P261031/);
  return screen.getAllByRole('term').map((name) => `${name.textContent} ${name.nextElementSibling?.textContent}`);
}

it('shows how the transfer comes about, and each line of it', async () => {
  const page = await render(story());

  expect(await parts()).toEqual([
    'Commission 1,000.00',
    'Taken back −100.00',
    'Withheld tax −27.00',
    'Transfer to bank ····1180 873.00',
  ]);
  expect(page.calls('/api/agent/payout/detail')[0]?.body).toEqual({ id });
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Payout 30/10/2026');
  expect(screen.getByText('On 02/11/2026 · SCB ····1180')).toBeDefined();

  const [, taken, matured] = screen.getAllByRole('article');
  expect(within(taken as HTMLElement).getByText('Taken back')).toBeDefined();
  expect(taken?.textContent).toContain('LM-261101-0001 · 21/10/2026');
  expect(taken?.textContent).toContain('The customer was refunded');
  expect(taken?.textContent).toContain('−100.00');
  expect(matured?.textContent).toBe('Aroma massage+1,000.00LM-261101-0002 · 21/10/2026');
});

it('says nothing of tax where none was withheld, nor of what was not taken back', async () => {
  await render(
    story({
      state: 'booked',
      paid_on: null,
      gross_satang: 1_000_00,
      withheld_satang: 0,
      net_satang: 1_000_00,
      lines: [line('matured', 1_000_00)],
    }),
  );
  expect(await parts()).toEqual(['Commission 1,000.00', 'Transfer to bank ····1180 1,000.00']);
  expect(screen.getByText('Pay day 30/10/2026 · SCB ····1180')).toBeDefined();
  expect(screen.queryByText(/[Tt]ax/)).toBeNull();
});

it('names the payout whose money came back into this one', async () => {
  await render(
    story({ gross_satang: 1_873_00, lines: [line('matured', 1_000_00), line('came_back', 873_00, 'P260930-00004')] }),
  );
  expect(await parts()).toContain('From a payout that came back 873.00');
  const last = screen.getAllByRole('article').at(-1);
  expect(last?.textContent).toBe('From a payout that came back+873.00P260930-00004 · 21/10/2026');
});

it('adds up only the whole where there are more lines than it shows', async () => {
  const many = Array.from({ length: 200 }, (_, i) => line('matured', 1_00, `LM-${i}`));
  await render(story({ lines: many }));
  expect((await parts())[0]).toBe('Net commission 900.00');
  expect(screen.getByText(/^200 lines are shown/)).toBeDefined();
});

it('says why the bank did not take it, and where the money is', async () => {
  await render(story({ state: 'failed', paid_on: null, reason: 'Account closed' }));
  expect((await parts()).at(-1)).toBe('Not paid to bank ····1180 873.00');
  expect(screen.getByText('“Account closed”')).toBeDefined();
  expect(screen.getByText('The money is in the next payout.')).toBeDefined();
  expect(screen.getByText('Not transferred')).toBeDefined();
});

it('says that the tax of what came back stands', async () => {
  await render(story({ state: 'returned', reason: 'Name differs' }));
  expect((await parts()).at(-1)).toBe('Came back from bank ····1180 873.00');
  expect(screen.getByText('“Name differs”')).toBeDefined();
  expect(
    screen.getByText('฿873.00 is in the next payout. The tax that was withheld is not withheld again.'),
  ).toBeDefined();
});

it('promises no transfer of what was left out', async () => {
  await render(
    story({
      state: 'left_out',
      left_out: 'below_minimum',
      gross_satang: 300_00,
      withheld_satang: 9_00,
      net_satang: 291_00,
      paid_on: null,
      lines: [],
    }),
  );
  expect(await parts()).toEqual(['Net commission 300.00']);
  expect(screen.getByText('The sum was less than the shop transfers.')).toBeDefined();
  expect(screen.getByText('The money is kept for the next payout.')).toBeDefined();
  expect(screen.queryByText('What it is made of')).toBeNull();
});

it('is opened from the list, and goes back to it', async () => {
  const user = userEvent.setup();
  const { lines: _, ...listed } = story();
  await renderPage(`${home}/payouts`, {
    '/api/agent/payout/list': () => ({ data: [listed], next: null }),
    '/api/agent/payout/detail': () => story(),
  });
  await user.click(await screen.findByRole('link', { name: /^Pay day/ }));
  await parts();
  expect(location.pathname).toBe(`${home}/payouts/${id}`);
  await user.click(screen.getByRole('button', { name: 'Back' }));
  await waitFor(() => expect(location.pathname).toBe(`${home}/payouts`));
});

it('knows what is not his from what did not load', async () => {
  await renderPage(`${home}/payouts/${id}`, { '/api/agent/payout/detail': () => new Refusal(404, 'not_found') });
  await screen.findByText('Payout not found');
  cleanup();
  await renderPage(`${home}/payouts/${id}`, { '/api/agent/payout/detail': () => new Refusal(409, 'unavailable') });
  await screen.findByText('The payout did not load');
});

it('has papers of what was paid: the slip, and the certificate once it is issued', async () => {
  URL.createObjectURL = () => 'blob:a';
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  const page = await render(story({ certificate: 'WT00000-6911-000012' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Slip (PDF)' }));
  await userEvent.click(screen.getByRole('button', { name: 'Tax certificate (PDF)' }));
  await waitFor(() => expect(page.calls(`/api/agent/payout/certificate/${id}`)).toHaveLength(1));
  expect(page.calls(`/api/agent/payout/slip/${id}`)).toHaveLength(1);
});

it('has none of what was not paid', async () => {
  await render(story({ state: 'failed', reason: 'x', paid_on: null }));
  await screen.findByText(/^P261031/);
  expect(screen.queryByRole('button', { name: 'Slip (PDF)' })).toBeNull();
});
