import { expect, it } from 'vitest';
import { readRef } from './read-ref.ts';

const ref = 'Ab3_xYz-0123456789abcd';

it.each([
  ref,
  `  ${ref}\n`,
  `https://lamai.example/transfer?ref=${ref}`,
  `https://lamai.example/user/transferdata?ref=${ref}&page=x`,
  `https://lamai.example/welovevoucher/1657000001-welovesu/transferdata?ref=${ref}`,
  `https://lamai.example/transferuser/1657000001-welovegi?ref=${ref}`,
  `https://liff.line.me/1657000001-welovegi?ref=${ref}`,
  `https://liff.line.me/1657000001-welovesu/transferdata?ref=${ref}`,
  `https://lamai.example/welovevoucher/1657000001-welovesu?liff.state=%2Ftransferdata%3Fref%3D${ref}`,
  `https://lamai.example/transferuser/1657000001-welovegi?liff.state=%3Fref%3D${ref}`,
])('reads the gift of %s', (text) => expect(readRef(text, '1657000001-welovegi')).toBe(ref));

it.each([
  '',
  'hello',
  'javascript:alert(1)',
  `https://lamai.example/user/market?ref=${ref}`,
  `https://liff.line.me/1657000001-welovesu?ref=${ref}`,
  'https://lamai.example/transfer',
  '00020101021129370016A000000677010111',
])('reads none of %s', (text) => expect(readRef(text, '1657000001-welovegi')).toBeUndefined());
