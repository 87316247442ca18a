import { expect, it } from 'vitest';
import { messages as laterEnglish } from './features/locales/en.po';
import { messages as laterThai } from './features/locales/th.po';
import { messages as english } from './locales/en.po';
import { messages as thai } from './locales/th.po';

it.each([
  ['Thai', thai, laterThai],
  ['English', english, laterEnglish],
])(
  'says a sentence of both catalogues the same way in %s: the server paints with both, React begins with the first',
  (_, first, later) => {
    const both = Object.keys(first).filter((id) => id in later);
    expect(both.length).toBeGreaterThan(0);
    for (const id of both) expect(later[id]).toEqual(first[id]);
  },
);
