import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { keepReturn } from '@wlv/client/return-path';
import { session } from '@wlv/client/session';
import { Refusal, SignedIn } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { home, liffId, notAnAgent, renderPage, sentForm } from './test/render-page.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it('sends a visitor to the sign-in, which returns to the page he wanted', async () => {
  const user = userEvent.setup();
  const page = await renderPage(`${home}/history`, {}, { signedIn: false });

  await user.click(await screen.findByRole('button', { name: 'Sign in with LINE' }));

  expect(location.pathname).toBe(`${home}/home`);
  expect(page.calls('/api/authen/line/start')[0]?.body).toEqual({
    audience: 'agent',
    liff_id: liffId,
    return: `${home}/history`,
  });
});

it('keeps the query and the hash of the page he wanted', async () => {
  const user = userEvent.setup();
  const wanted = `${home}/history?q=a%2Bb%2Cc&tag%5B%5D=1&tag%5B%5D=2&name=%E0%B8%99%E0%B8%A7%E0%B8%94&more=${'x'.repeat(400)}#part`;
  const here = () => location.pathname + location.search + location.hash;
  const page = await renderPage(wanted, {}, { signedIn: false });
  await user.click(await screen.findByRole('button', { name: 'Sign in with LINE' }));
  expect(page.calls('/api/authen/line/start')[0]?.body.return).toBe(wanted);
  cleanup();

  const finish = () => new SignedIn('ag_new', { audience: 'agent', return: wanted });
  await renderPage(
    '/logincallback/weloveagent/cb?code=c&state=s',
    { '/api/authen/line/finish': finish },
    { signedIn: false },
  );
  await waitFor(() => expect(here()).toBe(wanted));
  cleanup();

  await renderPage(`${home}/home/cb?back=${keepReturn(wanted)}`);
  await waitFor(() => expect(here()).toBe(wanted));
});

it('keeps the whole wanted address in the address of the sign-in', async () => {
  const wanted = `${home}/history?month=2026-11#part`;
  const page = await renderPage(wanted, {}, { signedIn: false });
  await screen.findByRole('button', { name: 'Sign in with LINE' });
  expect(new URLSearchParams(location.search).get('next')).toBe(wanted);
  expect(page.calls('/api/agent/history')).toEqual([]);
});

it('sends an agent to the remembered page, once', async () => {
  localStorage.setItem('paramspage', 'history');
  await renderPage(`${home}/home`);
  await screen.findByText('Sale not found');
  expect(location.pathname).toBe(`${home}/history`);
  expect(localStorage.getItem('paramspage')).toBeNull();
});

it('sends a customer who is no agent to the registration, and asks nothing that only agents may', async () => {
  const page = await renderPage(`${home}/home`, {
    '/api/agent/profile/agent': notAnAgent,
    '/api/agent/register/get': () => ({ state: '', early: false, draft: null, sent: null, known: null }),
  });

  await screen.findByRole('button', { name: 'Fill in the form' });
  expect(location.pathname).toBe(`${home}/register`);
  expect(screen.queryByRole('navigation')).toBeNull();
  for (const path of ['/api/agent/summary', '/api/agent/get/salepackage', '/api/agent/history']) {
    expect(page.calls(path)).toEqual([]);
  }
});

it('lets an agent in once he is approved', async () => {
  const user = userEvent.setup();
  let approved = false;
  await renderPage(`${home}/register`, {
    '/api/agent/profile/agent': () => ({ ...notAnAgent(), agent: approved }),
    '/api/agent/register/get': () => ({ state: 'pending', early: false, draft: null, sent: sentForm, known: null }),
  });

  approved = true;
  await user.click(await screen.findByRole('button', { name: 'Has the shop answered?' }));

  await screen.findByText('What you can sell');
  expect(location.pathname).toBe(`${home}/home`);
});

it('forgets the token when the server says the session is over', async () => {
  await renderPage(`${home}/history`, { '/api/agent/history': () => new Refusal(401, 'session.invalid_token') });
  await waitFor(() => expect(session.token('agent')).toBeNull());
});

it('sends a session without a profile to the sign-in, once', async () => {
  const page = await renderPage(`${home}/history`, {
    '/api/agent/profile/agent': () => new Refusal(403, 'access.forbidden'),
  });
  await screen.findByText("We couldn't open your account. Sign in again to go on.");
  expect(location.pathname).toBe(`${home}/home`);
  expect(page.calls('/api/agent/profile/agent').length).toBeLessThan(3);
});

it('knows an ended session by the token that was sent, not by the path', async () => {
  const over = vi.fn();
  const stop = session.onExpired(over);
  session.save('user', 'us_ann');
  await renderPage(`${home}/home`, { '/api/user/get/tags': () => new Refusal(401, 'session.invalid_token') });
  await waitFor(() => expect(over).toHaveBeenCalledWith('agent', false));
  stop();
});

it('shows a page for an unknown address', async () => {
  await renderPage('/nowhere');
  const link = await screen.findByRole('link', { name: 'To the agent app' });
  expect(link.getAttribute('href')).toBe(`${home}/home`);
});
