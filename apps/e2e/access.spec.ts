import { expect } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { desktop, open, phone, spaOrg } from './people.ts';
import { settled, walks } from './screens.ts';
import { expectInside, listenForErrors } from './sound.ts';
import { test } from './test.ts';

test.describe.configure({ mode: 'parallel' }); // no walk needs another

const sizes = { phone, tablet: { viewport: { width: 820, height: 1180 } }, desktop };

// Everybody can use every screen of the three apps, in both languages: nothing that axe knows stands in the way, nothing
// is cut off, and nothing breaks.
for (const lang of ['th', 'en'] as const) {
  for (const walk of walks) {
    test(`${walk.name} in ${lang}`, async ({ browser }) => {
      const screens = walk.screens(spaOrg);
      test.setTimeout(90_000 + screens.length * 8_000); // a screen takes 3 to 4 s of a processor, and three walks share two
      const [first = 'phone'] = walk.on;
      const { page } = await open(browser, sizes[first], lang, { still: true });
      const errors = listenForErrors(page);
      await walk.enter(page, spaOrg);
      for (const screen of screens) {
        await test.step(screen.name, async () => {
          await screen.show(page);
          await settled(page);
          await expectAccessible(page, { contrast: lang === 'th' });
          for (const { viewport } of Object.values(sizes)) {
            await page.setViewportSize(viewport);
            await expectInside(page);
          }
          await page.setViewportSize(sizes[first].viewport);
        });
      }
      expect(errors).toEqual([]);
    });
  }
}
