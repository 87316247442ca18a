import { desktop, open, phone, press, signInToOffice, site, spaOrg } from './people.ts';
import { test } from './test.ts';

test('pictures', async ({ browser }) => {
  for (const [name, device, lang] of [['d-th', desktop, 'th'], ['d-en', desktop, 'en'], ['p-th', phone, 'th']] as const) {
    const page = (await open(browser, device, lang)).page;
    await signInToOffice(page, site(spaOrg), 'owner', 'owner', 'owner2026');
    await page.goto(`${site(spaOrg)}/owner/daily`);
    await press(page, lang === 'th' ? 'อีเมล' : 'E-mail');
    await page.waitForTimeout(800);
    await page.screenshot({ path: `/tmp/shots/mail-${name}.png` });
  }
});
