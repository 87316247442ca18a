import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { keepReturn } from '@wlv/client/return-path';
import { session } from '@wlv/client/session';
import { SignedIn } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from './test/render-page.ts';

/** A path with everything in it that was lost once. */
const wanted = `/user/wallet?q=a%2Bb%2Cc&tag%5B%5D=1&tag%5B%5D=2&name=%E0%B8%99%E0%B8%A7%E0%B8%94&more=${'x'.repeat(400)}#part`;
const here = () => location.pathname + location.search + location.hash;
const answers = {
  '/api/authen/line/finish': () => new SignedIn('us_new', { audience: 'user', return: wanted }),
  '/api/user/getwallet': () => ({ balance_satang: 0, debt_satang: 0, owes: [] }),
  '/api/user/get/salepackage': () => ({ data: [], next: null, total: 0 }),
  '/api/user/get/tags': () => ({ data: [] }),
};
const liff = '/welovevoucher/1656565656-AbCdEfGh';

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

it('hands the whole path to the sign-in, and returns to it', async () => {
  const user = userEvent.setup();
  const page = await renderPage(wanted, answers, { signedIn: false });
  await user.click(await screen.findByRole('button', { name: 'Sign in with LINE' }));
  expect(page.calls('/api/authen/line/start')[0]?.body.return).toBe(wanted);
  cleanup();

  await renderPage('/logincallback/user/cb?code=c&state=s', answers, { signedIn: false });
  await waitFor(() => expect(here()).toBe(wanted));
});

it.each([
  ['/user', 'user'],
  [liff, 'welovevoucher'],
])('takes %s/home/{cb*} for a login return', async (base, area) => {
  const page = await renderPage(`${base}/home/cb/x?code=c&state=s`, answers, { signedIn: false });
  await waitFor(() => expect(here()).toBe(wanted));
  expect(page.calls('/api/authen/line/finish')[0]?.body).toEqual({ area, code: 'c', state: 's' });
});

it('returns to the path that was kept while LINE signed the person in, once', async () => {
  const kept = wanted.replace('/user', liff);
  const back = keepReturn(kept);
  await renderPage(`${liff}/home/cb?back=${back}`, answers);
  await waitFor(() => expect(here()).toBe(kept));
  cleanup();

  await renderPage(`${liff}/home/cb?back=${back}`, answers);
  await waitFor(() => expect(location.pathname).toBe(`${liff}/market`));
});

it('hands the kept path over again when LINE did not sign the person in', async () => {
  const user = userEvent.setup();
  const kept = wanted.replace('/user', liff);
  const page = await renderPage(`${liff}/home/cb?back=${keepReturn(kept)}`, answers, { signedIn: false });
  await user.click(await screen.findByRole('button', { name: 'Sign in with LINE' }));
  expect(page.calls('/api/authen/line/start')[0]?.body.return).toBe(kept);
});

it.each([
  '//evil.example/user',
  '/\\evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  '/owner',
  '/user/..//evil.example',
])('does not return to %s', async (next) => {
  const user = userEvent.setup();
  const page = await renderPage(`/user/home?next=${encodeURIComponent(next)}`, answers, { signedIn: false });
  await user.click(await screen.findByRole('button', { name: 'Sign in with LINE' }));
  expect(page.calls('/api/authen/line/start')[0]?.body.return).toBe('/user/market');
  cleanup();

  session.save('user', 'us_ann');
  await renderPage(`/user/home?next=${encodeURIComponent(next)}`, answers);
  await waitFor(() => expect(here()).toBe('/user/market'));
  cleanup();

  await renderPage(`/user/home/cb?back=${keepReturn(next)}`, answers);
  await waitFor(() => expect(here()).toBe('/user/market'));
});
