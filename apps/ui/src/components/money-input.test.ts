import { expect, it } from 'vitest';
import { satangOf } from './money-input.tsx';

it('reads baht as people type them', () => {
  expect(satangOf('3,290')).toBe(329_000);
  expect(satangOf('1290.5')).toBe(129_050);
  expect(satangOf(' ฿0.05 ')).toBe(5);
  expect(satangOf('')).toBeNull();
  expect(satangOf('1.234')).toBeNaN();
  expect(satangOf('-5')).toBe(-500);
  expect(satangOf('9'.repeat(30))).toBeGreaterThan(Number.MAX_SAFE_INTEGER);
  expect(satangOf('--5')).toBeNaN();
  expect(satangOf('12 บาท')).toBeNaN();
});
