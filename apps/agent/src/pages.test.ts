import { afterEach, expect, it } from 'vitest';
import { rememberWantedPage, takeWantedPage } from './pages.ts';

afterEach(() => localStorage.clear());

it('remembers a page by its name or its whole path', () => {
  rememberWantedPage('?page=history');
  expect(takeWantedPage()).toBe('history');
  rememberWantedPage('?page=payouts');
  expect(takeWantedPage()).toBe('payouts');
  rememberWantedPage('?page=/weloveagent/1657000001-weloveag/profile');
  expect(takeWantedPage()).toBe('profile');
  expect(takeWantedPage()).toBeNull();
});

it('remembers no page of another site or area', () => {
  for (const page of ['https://elsewhere.example/home', '//elsewhere.example', '/user/wallet', 'nothing']) {
    rememberWantedPage(`?page=${encodeURIComponent(page)}`);
    expect(takeWantedPage()).toBeNull();
  }
});
