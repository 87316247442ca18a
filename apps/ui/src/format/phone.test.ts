import { expect, it } from 'vitest';
import { phone, tel } from './phone.ts';

it.each([
  ['053215509', '053 215 509'],
  ['053-215-509', '053 215 509'],
  ['0812345678', '081 234 5678'],
  ['(081) 234.5678', '081 234 5678'],
  ['02 000 4471', '02 000 4471'],
  ['020004471', '02 000 4471'],
])('writes %j in groups that stay on one line', (number, grouped) => {
  expect(phone(number)).toBe(grouped.replaceAll(' ', '\u00a0'));
});

it.each(['', '1669', '+66 81 234 5678', '053 215 509 ต่อ 12', 'ext. <1>', '08123456789'])(
  'leaves %j as it is written',
  (number) => {
    expect(phone(number)).toBe(number);
  },
);

it('calls a number by its digits', () => {
  expect(tel('053 215-509')).toBe('tel:053215509');
  expect(tel('+66 81 234 5678')).toBe('tel:+66812345678');
});
