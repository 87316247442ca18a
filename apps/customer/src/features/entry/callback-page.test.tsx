import { cleanup, waitFor } from '@testing-library/react';
import { SignedIn } from '@wlv/client/test-kit';
import { afterEach, expect, it } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

const answers = {
  '/api/authen/line/finish': () => new SignedIn('us_new', { audience: 'user', return: '/user/market' }),
  '/api/user/get/salepackage': () => ({ data: [], next: null, total: 0 }),
  '/api/user/get/tags': () => ({ data: [] }),
};

afterEach(() => {
  cleanup();
  localStorage.clear();
});

it.each(['//evil.example/x', '/\\evil.example', 'https://evil.example', '/owner', '/userx'])(
  'does not return to %s',
  async (wanted) => {
    localStorage.setItem('paramspage', wanted);
    await renderPage('/logincallback/user/cb?code=c&state=s', answers, { signedIn: false });
    await waitFor(() => expect(location.pathname).toBe('/user/market'));
  },
);

it('returns to the page that the person wanted', async () => {
  localStorage.setItem('paramspage', '/user/market?q=oil');
  await renderPage('/logincallback/user/cb?code=c&state=s', answers, { signedIn: false });
  await waitFor(() => expect(location.search).toBe('?q=oil'));
  expect(localStorage.getItem('token:user')).toBe('us_new');
});
