// @vitest-environment node
import { expect, it } from 'vitest';
import { faultOf, limitedFields, limitOf, limitsOf } from './limits.ts';

it('requires a field that the server requires', () => {
  expect(faultOf({ required: true }, '  ')).toBe('field.required');
  expect(faultOf({ required: true }, null)).toBe('field.required');
  expect(faultOf({ maxLength: 3 }, '')).toBeNull();
  expect(faultOf({ required: true, minimum: 0 }, 0)).toBeNull();
});

it('counts code points, not UTF-16 units', () => {
  expect(faultOf({ maxLength: 3 }, '🎟🎟🎟')).toBeNull();
  expect(faultOf({ maxLength: 3 }, 'ปู่ย่า')).toBe('field.too_long');
  expect(faultOf({ minLength: 3 }, 'ab')).toBe('field.too_short');
});

it('checks patterns and sizes', () => {
  expect(faultOf({ pattern: '^#[0-9a-f]{6}$' }, 'red')).toBe('field.format');
  expect(faultOf({ minimum: 1 }, 0)).toBe('field.too_small');
  expect(faultOf({ maximum: 99 }, 100)).toBe('field.too_big');
  expect(faultOf({ maximum: 99 }, Number.NaN)).toBe('field.type');
});

it('has the limits of a form by the path of the field', () => {
  expect(limitsOf('/api/admin/organize/save')['owner.username']).toMatchObject({ required: true, minLength: 3 });
});

it('requires a lookup that the server requires', () => {
  const limit = limitsOf('/api/admin/organize/save').plan_id ?? {};
  expect(faultOf(limit, '')).toBe('field.required');
  expect(faultOf(limit, null)).toBe('field.required');
});

it('finds the fields of every row, and none of what a row leaves out', () => {
  const save = '/api/owner/save/salepackage';
  const named = limitedFields(save, { parts: [{ quantity: 1 }, { quantity: 2, new_voucher_type: { items: 0 } }] });
  expect(named).toContainEqual({ name: 'parts.1.quantity', limit: limitOf(save, 'parts.1.quantity'), value: 2 });
  expect(named).toContainEqual(expect.objectContaining({ name: 'parts.1.new_voucher_type.items', value: 0 }));
  expect(named.filter(({ name }) => name.startsWith('parts.0.new_voucher_type'))).toEqual([]);
  expect(limitOf(save, 'parts.7.new_voucher_type.items')).toMatchObject({ minimum: 1, required: true });
});
