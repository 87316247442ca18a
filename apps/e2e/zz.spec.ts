import { site, spaOrg, phone, open } from './people.ts';
import { type Page } from '@playwright/test';
import { test } from './test.ts';

test('look', async ({ browser }) => {
  const { page } = await open(browser, phone, 'th');
  await page.goto(`${site(spaOrg)}/user/profile`);
  await pickInLine(page, 'ณัฐกานต์');
  await page.waitForTimeout(1500);
  for (const [name, path] of [['history','history'],['orders','orders'],['inbox','inbox']]) {
    await page.goto(`${site(spaOrg)}/user/${path}`);
    await page.waitForTimeout(2000);
    await page.screenshot({ path: `/tmp/p-${name}.png` });
    if (name==='orders') { await page.locator('main a[href*="/orders/"], main a[href*="/order/"]').first().click(); await page.waitForTimeout(2000); await page.screenshot({ path: `/tmp/p-order.png`, fullPage: true }); 
      await page.setViewportSize({width:1280,height:800}); await page.screenshot({ path: `/tmp/p-order-d.png` }); await page.setViewportSize({width:390,height:844}); }
  }
});

async function pickInLine(page: Page, person: string) {
  await press(page, /LINE/);
  await page.getByText(person).first().click();
  await comeBack(page);
}
