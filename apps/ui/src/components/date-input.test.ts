import { expect, it } from 'vitest';
import { dayOf } from './date-input.tsx';

it('reads days as they are written in Thailand', () => {
  expect(dayOf('1/11/2026')).toBe('2026-11-01');
  expect(dayOf('31.12.2026')).toBe('2026-12-31');
  expect(dayOf('1/12/2569')).toBe('2026-12-01');
  expect(dayOf('29/02/2567')).toBe('2024-02-29');
  expect(dayOf(' ')).toBeNull();
});

it('keeps a text that is no day', () => {
  expect(dayOf('31/02/2026')).toBe('31/02/2026');
  expect(dayOf('tomorrow')).toBe('tomorrow');
});
