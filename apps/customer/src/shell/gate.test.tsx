import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { session } from '@wlv/client/session';
import { spa } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../test/render-page.ts';

const org = { ...spa, members: true };
const standing = {
  card: null,
  application: null,
  draft: {},
  texts: [],
  purchase_texts: [],
  renews_from: null,
};
const answers = {
  '/api/user/get/salepackage': () => ({ data: [], next: null, total: 0 }),
  '/api/user/get/tags': () => ({ data: [] }),
  '/api/user/get/membercardtype': () => ({ data: [], total: 0 }),
  '/api/user/voucher/list': () => ({ data: [], next: null }),
  '/api/user/member/get': () => standing,
};
const gate = (to: string) => ({ ...answers, '/api/authen/rechecktoken': () => ({ gate: to }) });

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

it.each(['market', 'cart', 'activevoucher', 'profile', 'wallet', 'trade', 'orders'])(
  'sends who has to be a member first from %s to his card',
  async (page) => {
    await renderPage(`/user/${page}`, gate('member'), { org });
    await waitFor(() => expect(location.pathname).toBe('/user/member'));
    await screen.findByText('Become a member first, then choose from the whole shop');
  },
);

it.each(['member', 'registermember', 'wallet/topup'])('lets him stay at %s', async (page) => {
  const { calls } = await renderPage(`/user/${page}`, gate('member'), { org });
  await waitFor(() => expect(calls('/api/authen/rechecktoken')).toHaveLength(1));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(location.pathname).toBe(`/user/${page}`);
});

it('stops nobody whom the server does not stop', async () => {
  const { calls } = await renderPage('/user/market', gate(''), { org });
  await waitFor(() => expect(calls('/api/authen/rechecktoken')).toHaveLength(1));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(location.pathname).toBe('/user/market');
});

it.each([
  ['a visitor', org, false],
  ['a customer of a shop that sells to everybody', spa, true],
])('asks the server nothing for %s', async (_, of, signedIn) => {
  const { calls } = await renderPage('/user/market', gate('member'), { org: of, signedIn });
  await waitFor(() => expect(calls('/api/user/get/salepackage').length).toBeGreaterThan(0));
  expect(calls('/api/authen/rechecktoken')).toHaveLength(0);
});

it('sends who came with a card to the form, and keeps the card out of the address', async () => {
  const { calls } = await renderPage(
    '/user/market?memberid=RLM00482216&membertoken=abc&sort=new',
    gate('registermember'),
    {
      org,
    },
  );
  await waitFor(() => expect(location.pathname).toBe('/user/registermember'));
  expect(location.search).not.toMatch(/member/);
  await waitFor(() =>
    expect(calls('/api/authen/rechecktoken').at(-1)?.body).toEqual({
      token: 'us_ann',
      memberid: 'RLM00482216',
      membertoken: 'abc',
    }),
  );
  session.clear('user');
  expect(localStorage.getItem('card')).toBe('memberid=RLM00482216&membertoken=abc');
});

it('goes on to where he wanted to go once the gate is open', async () => {
  const user = userEvent.setup();
  let to = 'member';
  const application = {
    id: 'a1',
    state: 'pending',
    type_name_th: 'โกลด์',
    type_name_en: 'Gold',
    sent_at: '2026-11-21T04:52:00Z',
    decided_at: null,
    reason: '',
    lapsed: false,
    paid_satang: 0,
  };
  await renderPage(
    '/user/market?search=oil',
    {
      ...answers,
      '/api/authen/rechecktoken': () => ({ gate: to }),
      '/api/user/member/get': () => ({ ...standing, application }),
      '/api/user/member/takeback': () => {
        to = ''; // no card is offered any more
        return standing;
      },
    },
    { org },
  );
  await user.click(await screen.findByRole('button', { name: 'Take the application back' }));
  await waitFor(() => expect(location.pathname + location.search).toBe('/user/market?search=oil'));
  expect(sessionStorage.getItem('gate:wanted')).toBeNull();
});

it('opens what he has, and nothing that is sold', async () => {
  const user = userEvent.setup();
  await renderPage('/user/market', gate('member'), { org });
  await user.click(await screen.findByRole('button', { name: 'Open what you have' }));
  await screen.findByRole('heading', { name: 'My Voucher & Ticket' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(location.pathname).toBe('/user/activevoucher');
  await user.click(screen.getAllByRole('link', { name: 'Market' })[0] as HTMLElement);
  await waitFor(() => expect(location.pathname).toBe('/user/member'));
});
