// @vitest-environment node
import { expect, it } from 'vitest';
import { countOf, differences, toggle } from './modules.ts';

it('gives seeing with every other right, and takes all with it', () => {
  expect(toggle({}, 'tags', 'u')).toEqual({ tags: ['v', 'u'] });
  expect(toggle({ tags: ['v', 'i', 'u'] }, 'tags', 'v')).toEqual({ tags: [] });
  expect(toggle({ tags: ['v', 'u'] }, 'tags', 'u')).toEqual({ tags: ['v'] });
});

it('sums a change up', () => {
  const before = { customer: ['v', 'i'], activevoucher: ['v', 's'] };
  const after = { customer: ['v', 'i', 'u'], activevoucher: ['v'], tags: ['v'] };
  expect(differences(before, after)).toEqual([
    { module: 'customer', letter: 'u', given: true },
    { module: 'activevoucher', letter: 's', given: false },
    { module: 'tags', letter: 'v', given: true },
  ]);
  expect(countOf(after)).toBe(5);
});
