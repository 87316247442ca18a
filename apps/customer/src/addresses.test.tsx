import { cleanup, waitFor } from '@testing-library/react';
import { callbacks, customerAddresses, liffId, openToVisitors, siteAddresses } from '@wlv/client/addresses';
import { Refusal } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from './test/render-page.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const answers = {
  '/api/user/profile/customer': () => ({ displayName: 'Ann', firstname: '', lastname: '', pictureUrl: '' }),
  '/api/user/consent/open': () => ({ data: [] }),
  '/api/user/get/salepackage': () => ({ data: [], next: null, total: 0 }),
  '/api/user/get/tags': () => ({ data: [] }),
};

const ends = (pathname: string) => waitFor(() => expect(location.pathname).toBe(pathname), { interval: 5 });

it.each(customerAddresses)('leads a customer from $address to $ends', async ({ address, ends: end }) => {
  await renderPage(address, answers);
  await ends(end);
});

it.each(['/user', `/welovevoucher/${liffId}`])(
  'leads a visitor from each closed page of %s to its home',
  async (base) => {
    for (const page of ['activevoucher', 'cart', 'profile', 'history', 'wallet', 'agent', 'member', 'sale']) {
      await renderPage(`${base}/${page}`, answers, { signedIn: false });
      await ends(`${base}/home`);
      cleanup();
    }
    for (const page of openToVisitors) {
      await renderPage(`${base}/${page}`, answers, { signedIn: false });
      await ends(`${base}/${page}`);
      cleanup();
    }
  },
);

it.each(siteAddresses)(
  'leads $address to its page on the platform’s host and on a shop’s',
  async ({ address, platform, shop }) => {
    await renderPage(address, answers, { signedIn: false, org: null });
    await ends(platform);
    cleanup();
    await renderPage(address, { ...answers, '/api/user/get/service_point': () => ({ data: [] }) }, { signedIn: false });
    await ends(shop);
  },
);

it.each(callbacks.filter((path) => /user|welovevoucher/.test(path)))(
  'shows the sign-in at %s, where LINE comes back',
  async (path) => {
    await renderPage(`${path}?code=c&state=s`, {
      '/api/authen/line/finish': () => new Refusal(404, 'login.not_found'),
    });
    await waitFor(() => expect(document.title).toContain('Sign in'));
    expect(location.pathname).toBe(path);
  },
);
