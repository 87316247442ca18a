import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/**
 * Fails with what a person who cannot see, or has no mouse, would stumble over on the page as it is now. The contrast of its colours is
 * nearly half of the time, so a page that is looked at in both languages has it looked at in one.
 */
export async function expectAccessible(page: Page, { contrast = true } = {}) {
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode() // looks from inside the page: no page of ours has frames, for which axe would open another page
    .options({ resultTypes: ['violations'], rules: { 'color-contrast': { enabled: contrast } } }) // what passes needs no place: it is most of a long list's time
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  const found = violations.map((v) => `${page.url()}: ${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`);
  expect.soft(found).toEqual([]);
}
