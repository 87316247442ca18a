import { test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { desk, open, phone, spa } from './people.ts';
import { settled, walks } from './screens.ts';

// Everybody can use every screen of the three apps, in both languages: nothing that axe knows stands in the way.
for (const lang of ['th', 'en'] as const) {
  for (const walk of walks) {
    test(`${walk.name} in ${lang}`, async ({ browser }) => {
      test.setTimeout(180_000);
      const { page } = await open(browser, walk.on[0] === 'desk' ? desk : phone, lang);
      await walk.enter(page, spa);
      for (const screen of walk.screens(spa)) {
        await test.step(screen.name, async () => {
          await screen.show(page);
          await settled(page);
          await expectAccessible(page);
        });
      }
    });
  }
}
