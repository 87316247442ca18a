// @vitest-environment node

import { modules } from '@wlv/client/modules.gen';
import { expect, it } from 'vitest';
import { countOf, differences, moduleGroups, toggle } from './modules.ts';

it('gives v with every other letter, and takes all letters with v', () => {
  expect(toggle({}, 'tags', 'u')).toEqual({ tags: ['v', 'u'] });
  expect(toggle({ tags: ['v', 'i', 'u'] }, 'tags', 'v')).toEqual({ tags: [] });
  expect(toggle({ tags: ['v', 'u'] }, 'tags', 'u')).toEqual({ tags: ['v'] });
});

it('lists the differences between two sets of rights', () => {
  const before = { customer: ['v', 'i'], activevoucher: ['v', 's'] };
  const after = { customer: ['v', 'i', 'u'], activevoucher: ['v'], tags: ['v'] };
  expect(differences(before, after)).toEqual([
    { module: 'customer', letter: 'u', given: true },
    { module: 'activevoucher', letter: 's', given: false },
    { module: 'tags', letter: 'v', given: true },
  ]);
  expect(countOf(after), 'no call asks to add or change customers').toBe(3);
});

it('names every module of which a call asks for a right, once', () => {
  const named = moduleGroups.flatMap((group) => group.modules.map(({ module }) => module));
  expect(named.sort()).toEqual(Object.keys(modules).sort());
});
