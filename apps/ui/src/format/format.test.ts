import { expect, it } from 'vitest';
import { amount, baht, countdown, date, daysLeft, discountPercent, signed, time } from './format.ts';
import { keepThaiTogether } from './thai.ts';

it('writes satang as baht', () => {
  expect(amount(0)).toBe('0.00');
  expect(baht(129_050)).toBe('฿1,290.50');
  expect(baht(-1)).toBe('−฿0.01');
  expect(signed(100_000)).toBe('+1,000.00');
  expect(signed(-49_000)).toBe('−490.00');
});

it('writes instants in Bangkok, Gregorian, 24 hours', () => {
  expect(date('2026-11-20T18:30:00Z')).toBe('21/11/2026');
  expect(time('2026-11-20T18:30:00Z')).toBe('01:30');
  expect(date('2027-03-31')).toBe('31/03/2027');
});

it('counts days by Bangkok’s midnight', () => {
  expect(daysLeft('2026-11-27', '2026-11-20T18:30:00Z')).toBe(6);
  expect(daysLeft('2026-11-21T16:59:59Z', '2026-11-20T17:00:00Z')).toBe(0);
});

it('counts down and gives the discount', () => {
  expect(countdown(582)).toBe('09:42');
  expect(countdown(-3)).toBe('00:00');
  expect(discountPercent(329_000, 420_000)).toBe(22);
  expect(discountPercent(100, 100)).toBe(0);
});

it('keeps numbers with their units', () => {
  expect(keepThaiTogether('นวดหินร้อนล้านนา 120 นาที แพ็ก 3 ครั้ง')).toBe(
    'นวดหินร้อนล้าน\u2060นา 120\u00a0นาที แพ็ก\u00a03\u00a0ครั้ง',
  );
});

it('keeps words of names and addresses whole, and the parts of an address with their names', () => {
  expect(keepThaiTogether('199 ถ. ห้วยแก้ว ต.สุเทพ อ. เมือง')).toBe('199 ถ.\u00a0ห้วยแก้ว ต.สุ\u2060เทพ อ.\u00a0เมือง');
  expect(keepThaiTogether('บุฟเฟต์วันธรรมดา แบ่งกันได้')).toBe('บุฟเฟต์วัน\u2060ธรรมดา แบ่ง\u2060กัน\u2060ได้');
  expect(keepThaiTogether('ตอนนี้ไม่มีสัญญาณ ทุกอย่างยังอยู่ครบ ลองอีกครั้งได้เลย')).toContain('ลอง\u2060อีก\u2060ครั้ง');
});

it('keeps words whole in what is longer than a line, and leaves short names as they are written', () => {
  expect(keepThaiTogether('เวาเชอร์ของฉัน')).toBe('เวาเชอร์ของฉัน');
  expect(keepThaiTogether('เวาเชอร์ของคุณยังอยู่ครบ เลือกแพ็กเกจอื่นจากแดชบอร์ดได้')).toBe(
    'เวา\u2060เชอ\u2060ร์ของคุณยังอยู่ครบ เลือกแพ็ก\u2060เก\u2060จอื่นจากแด\u2060ช\u2060บอร์ดได้',
  );
});
