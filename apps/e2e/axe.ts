import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * Fails with what a person who cannot see, or has no mouse, would stumble over on the page as it is now. The contrast of its colours is
 * more than half of the time, so a page that is looked at in both languages has it looked at in one. axe runs inside the page, once
 * loaded into it: no page of ours has frames, and its package for Playwright, which looks into them, takes twice the time.
 */
export async function expectAccessible(page: Page, { contrast = true } = {}) {
  if (!(await page.evaluate(() => window.axe !== undefined))) await page.evaluate(axe.source);
  const options: axe.RunOptions = {
    resultTypes: ['violations'], // what passes needs no place: it is most of a long list's time
    runOnly: { type: 'tag', values: tags },
    rules: { 'color-contrast': { enabled: contrast } },
  };
  await page.evaluate(stopped);
  const found = await page.evaluate(async (options) => {
    if (!window.axe) throw new Error('axe is not loaded');
    const { violations } = await window.axe.run(document, options);
    return violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`);
  }, options);
  expect.soft(found.map((violation) => `${page.url()}: ${violation}`)).toEqual([]);
}

/** Waits until every movement that ends has ended, those of the next frame too: a button between two states has the colours of neither. */
async function stopped() {
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  const ending = document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
  await Promise.allSettled(ending.map(({ finished }) => finished));
}
