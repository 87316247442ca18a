import { afterEach, expect, it } from 'vitest';
import { keepReturn, ownPath, takeReturn } from './return-path.ts';
import { readSearch, writeSearch } from './search.ts';

afterEach(() => sessionStorage.clear());

const areas = ['user', 'welovevoucher'];

it.each([
  ['/user/market?q=a+b,c&tag[]=1&tag[]=2#part', undefined],
  ['/welovevoucher/1650000001-abcdefgh/home/cb?x=1', undefined],
  ['/user/market?q=นวด', '/user/market?q=%E0%B8%99%E0%B8%A7%E0%B8%94'],
  ['/user', undefined],
  [`/user/market?q=${'x'.repeat(5000)}`, undefined],
  ['/user//evil.example', undefined],
])('keeps the path %s', (path, written) => {
  expect(ownPath(path, areas)).toBe(written ?? path);
});

it.each([
  null,
  '',
  'user/market',
  '//evil.example/user',
  '/\\evil.example/user',
  '/\t/evil.example/user',
  '\t//evil.example/user',
  'https://evil.example/user',
  'javascript:alert(1)',
  '/user/..//evil.example',
  '/user/%2e%2e//evil.example',
  '/owner',
  '/userx',
  '/api/user',
])('refuses the path %s', (path) => {
  expect(ownPath(path, areas)).toBeNull();
});

it('gives a kept path back, once', () => {
  const key = keepReturn('/user/market#x');
  const other = keepReturn('/user/wallet');
  expect(takeReturn(key)).toBe('/user/market#x');
  expect(takeReturn(key)).toBeNull();
  expect(takeReturn(other)).toBe('/user/wallet');
  expect(takeReturn('unknown')).toBeNull();
});

it('reads and writes a list of an address as it stands', () => {
  const search = '?q=a+b%2Cc&tag%5B%5D=1&tag%5B%5D=2';
  expect(writeSearch(readSearch(search))).toBe(search);
});
