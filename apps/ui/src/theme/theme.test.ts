import { expect, it } from 'vitest';
import examples from './examples.json';
import { stylesheet } from './theme.ts';

it('writes light, chosen dark and the device’s dark into one stylesheet', () => {
  const [spa] = examples;
  const css = spa && stylesheet(spa);

  expect(css).toContain(`:root{--bad:${spa?.day.bad};`);
  expect(css).toContain(`:root[data-theme=dark]{--bad:${spa?.night.bad};`);
  expect(css).toContain(`:root:not([data-theme=light]){--bad:${spa?.night.bad};`);
});
