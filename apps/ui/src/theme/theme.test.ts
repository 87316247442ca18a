import { describe, expect, it } from 'vitest';
import { contrast } from './colour.ts';
import { stylesheet, type Theme, theme } from './theme.ts';
import vectors from './vectors.json';

const readable: [keyof Theme, keyof Theme][] = [
  ['brand-fg', 'brand'],
  ['brand-fg', 'brand-hover'],
  ['second-fg', 'second'],
  ['brand-text', 'bg'],
  ['brand-text', 'surface'],
  ['brand-text', 'raised'],
  ['brand-text', 'sunken'],
  ['brand-text', 'brand-soft'],
  ['second-text', 'surface'],
  ['second-text', 'second-soft'],
  ['text', 'bg'],
  ['text-2', 'sunken'],
  ['text-3', 'bg'],
  ['text-3', 'surface'],
  ['text-3', 'raised'],
  ['text-3', 'sunken'],
  ['band-fg', 'band'],
  ['band-fg', 'band-shade'],
  ['band-fg-2', 'band'],
  ['ok-text', 'ok-soft'],
  ['warn-text', 'warn-soft'],
  ['bad-text', 'bad-soft'],
  ['info-text', 'info-soft'],
];

/** mulberry32: a seeded generator, so that a failing pair can be found again. */
function generator(seed: number) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('theme', () => {
  it('reads on every ground for 20,000 random pairs of colours, by day and by night', { timeout: 120_000 }, () => {
    const random = generator(20261121);
    const colour = () =>
      `#${Math.floor(random() * 0x1000000)
        .toString(16)
        .padStart(6, '0')}`;
    const failures: string[] = [];

    for (let i = 0; i < 20_000; i++) {
      const [primary, secondary] = [colour(), colour()];
      for (const t of [theme(primary, secondary), theme(primary, secondary, true)]) {
        for (const [text, ground] of readable) {
          if (contrast(t[text], t[ground]) < 4.5) failures.push(`${primary} ${secondary}: ${text} on ${ground}`);
        }
        if (contrast(t['brand-mark'], t.surface) < 3) failures.push(`${primary}: mark on surface`);
      }
    }

    expect(failures).toEqual([]);
  });

  it.each(vectors)('gives the golden tokens of $primary and $secondary, dark $dark', (vector) => {
    expect(theme(vector.primary, vector.secondary, vector.dark)).toEqual(vector.tokens);
  });

  it('writes light, chosen dark and the device’s dark into one stylesheet', () => {
    const css = stylesheet('#1F5C4D', '#D9A662');

    expect(css).toContain(':root{--bg:');
    expect(css).toContain(':root[data-theme=dark]{--bg:');
    expect(css).toContain(':root:not([data-theme=light]){--bg:');
  });
});
