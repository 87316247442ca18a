import { expect, type Page, test } from '@playwright/test';
import { customer, hotel, payAtBank, press, site, spa } from './people.ts';

/** What the page's own site answers to a path. */
const status = (page: Page, path: string) => page.evaluate((url) => fetch(url).then((answer) => answer.status), path);

/** Buys the feature package with nothing in the wallet: topped up on the way, paid from the wallet. */
async function buyWithEmptyWallet(page: Page, name: RegExp) {
  await page.getByRole('navigation').getByRole('link', { name: 'ตลาด' }).last().click();
  await page.getByRole('link', { name }).first().click();
  await press(page, /ซื้อเลย/);
  await expect(page.getByText('ยอดเงินใน Wallet ไม่พอ')).toBeVisible();

  await press(page, /^เติมเงิน/);
  await expect(page.getByText('กำลังรอเงินเข้า')).toBeVisible();
  await payAtBank();
  await expect(page.getByText(/^เงินเข้าแล้ว/)).toBeVisible();
  await press(page, 'กลับไปจ่ายต่อ');

  await page.getByRole('checkbox').first().click();
  await press(page, /^จ่ายจาก Wallet/);
  await expect(page.getByText('ซื้อสำเร็จ')).toBeVisible();
}

test('two organisations side by side: paid, bought, and neither sees the other', async ({ browser }) => {
  const ann = await customer(browser, spa, 'แอน ทดสอบ');
  const bee = await customer(browser, hotel, 'บี ทดสอบ');

  await buyWithEmptyWallet(ann.page, /นวดอโรมาน้ำมันอุ่น 90/);
  await buyWithEmptyWallet(bee.page, /บรันช์วันอาทิตย์/);

  await ann.page.goto(`${site(spa)}/user/activevoucher`);
  await expect(ann.page.getByText('เหลือ 3 จาก 3')).toBeVisible();
  await expect(ann.page.getByText('บรันช์')).toHaveCount(0);
  await bee.page.goto(`${site(hotel)}/user/activevoucher`);
  await expect(bee.page.getByText('บรันช์วันอาทิตย์ 1 ท่าน')).toBeVisible();
  await expect(bee.page.getByText('นวด')).toHaveCount(0);

  const picture = (await ann.page.locator('img[src^="/media/"]').first().getAttribute('src')) as string;
  expect(await status(ann.page, picture)).toBe(200);
  expect(await status(bee.page, picture)).toBe(404);
});
