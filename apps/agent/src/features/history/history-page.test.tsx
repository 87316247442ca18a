import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { home, renderPage } from '../../test/render-page.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const sale = (id: string, at: string, state: string, matures_on: string | null = null, rest: object = {}) => ({
  id,
  at,
  name_th: 'นวด',
  name_en: `Massage ${id}`,
  buyer_masked: 'พ***',
  amount_satang: 1_890_00,
  commission_satang: 94_50,
  due_satang: state === 'reversed' || state === 'denied' ? 0 : 90_00,
  mature_satang: state === 'payable' ? 90_00 : 0,
  matures: matures_on ? 'days' : 'use',
  matures_on,
  state,
  seller_name: '',
  held: false,
  reason: '',
  ...rest,
});

it('says that a sale is being looked at, and why it is not paid', async () => {
  await renderPage(`${home}/history`, {
    '/api/agent/history': () => ({
      data: [
        sale('b', '2026-11-20T16:00:00Z', 'payable', null, { held: true }),
        sale('a', '2026-11-20T15:00:00Z', 'denied', null, { reason: 'ซื้อเอง' }),
      ],
      next: null,
    }),
  });
  const [held, denied] = (await screen.findAllByRole('article')).map(({ textContent }) => textContent);
  expect(held).toContain('On hold: being looked at');
  expect(held).toContain('+90.00');
  expect(denied).toContain('Not paid, after a look');
  expect(denied).toContain('ซื้อเอง');
});

it('says who sold what he earns of because he recruited that agent', async () => {
  await renderPage(`${home}/history`, {
    '/api/agent/history': () => ({
      data: [sale('a', '2026-11-20T15:00:00Z', 'payable', null, { seller_name: 'Anna' })],
      next: null,
    }),
  });
  within(await screen.findByRole('article')).getByText('Sold by Anna, whom you recruited');
});

it('groups sales by days of Bangkok, with the state of each commission', async () => {
  await renderPage(`${home}/history`, {
    '/api/agent/history': () => ({
      data: [
        sale('c', '2026-11-20T18:30:00Z', 'pending'),
        sale('b', '2026-11-20T16:00:00Z', 'pending', '2026-11-27T17:00:00Z'),
        sale('a', '2026-11-20T15:00:00Z', 'reversed'),
      ],
      next: null,
    }),
  });

  const [, ...days] = await screen.findAllByRole('heading', { level: 2 }).then(() => screen.getAllByRole('heading'));
  expect(days.filter((h) => h.tagName === 'H2').map((h) => h.textContent?.replace('Today ', ''))).toEqual([
    '21/11/2026',
    '20/11/2026',
  ]);
  const [first, second, last] = screen.getAllByRole('article');
  expect(first?.textContent).toContain('01:30 · พ*** · ฿1,890.00');
  expect(within(first as HTMLElement).getByText('Yours once it is used')).toBeDefined();
  expect(within(first as HTMLElement).getByText('+90.00')).toBeDefined();
  expect(within(second as HTMLElement).getByText('Yours on 28/11/2026')).toBeDefined();
  expect(within(last as HTMLElement).getByText('Refunded')).toBeDefined();
  expect(within(last as HTMLElement).getByText('+94.50').className).toContain('line-through');
});

it('loads the next page after the last sale', async () => {
  const user = userEvent.setup();
  const page = await renderPage(`${home}/history`, {
    '/api/agent/history': ({ after }: { after?: string }) =>
      after
        ? { data: [sale('old', '2026-11-01T03:00:00Z', 'payable')], next: null }
        : { data: [sale('new', '2026-11-20T03:00:00Z', 'pending')], next: 'new' },
  });

  await user.click(await screen.findByRole('button', { name: 'Show more' }));

  await screen.findByText('Massage old');
  expect(page.calls('/api/agent/history').at(-1)?.body).toEqual({ after: 'new' });
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

it('says that the sales did not load, and does not ask again by itself', async () => {
  const broken = () => new Refusal(400, 'internal');
  // A profile that the server refuses leads to the sign-in instead (routes.test.tsx).
  const lost = () => Promise.reject(new TypeError('no connection'));
  const page = await renderPage(`${home}/history`, { '/api/agent/profile/agent': lost, '/api/agent/history': broken });

  await screen.findByText('Your sales did not load');
  vi.useFakeTimers();
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  expect(page.calls('/api/agent/history')).toHaveLength(1);
  expect(screen.getByText('Your sales did not load')).toBeDefined();
});

it('says of each link who opened it, who bought and what it earned', async () => {
  const use = { code: 'c1', package_id: 'p1', name_th: 'นวด', name_en: 'Massage', orders: 2 };
  await renderPage(`${home}/history`, {
    '/api/agent/history': () => ({ data: [sale('a', '2026-11-20T03:00:00Z', 'pending')], next: null }),
    '/api/agent/link/list': () => ({
      data: [
        { ...use, opens: 12, openers: 8, buyers: 2, commission_satang: 180_00 },
        {
          ...use,
          code: 'c2',
          name_en: 'Never opened',
          opens: 0,
          openers: 0,
          buyers: 0,
          orders: 0,
          commission_satang: 0,
        },
      ],
    }),
  });
  expect(await screen.findByText('Opened 12 times by 8 people')).toBeDefined();
  expect(screen.getByText('2 bought, 25 %')).toBeDefined();
  expect(screen.getByText('180.00')).toBeDefined();
  expect(screen.queryByText('Never opened')).toBeNull();
});
