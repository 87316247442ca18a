import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { customer, payAtBank, press, spaOrg } from './people.ts';
import { test } from './test.ts';

/** What the giver would send: the address of the link that his page copies. */
async function linkOn(page: Page) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await press(page, 'คัดลอกลิงก์');
  return page.evaluate(() => navigator.clipboard.readText());
}

test('what is bought for somebody else goes to a group by one link, and some of it on a later day', async ({
  browser,
}) => {
  const giver = (await customer(browser, spaOrg, 'นก แจกอั่งเปา')).page;
  await giver.getByRole('navigation').getByRole('link', { name: 'ร้านค้า' }).last().click();
  await giver
    .getByRole('link', { name: /นวดอโรมาน้ำมันอุ่น 90/ })
    .first()
    .click();
  await press(giver, /ซื้อเลย/);
  await giver.getByRole('switch', { name: /ซื้อเป็นของขวัญ/ }).click();
  await expect(giver.getByText(/ผู้รับให้ต่อ/)).toBeVisible();
  await expectAccessible(giver);
  await giver.getByRole('checkbox').first().click();
  await press(giver, /^เติมเงิน/);
  await payAtBank(giver);

  // Straight from paid to giving.
  await expect(giver).toHaveURL(/\/activevoucher\/[^/]+\/give$/);
  await giver.getByText('หลายคน (อั่งเปา)').click();
  await press(giver, 'ลดหนึ่ง');
  await expect(giver.getByRole('group', { name: 'กี่คน' })).toContainText('2');
  await giver.getByLabel(/ชื่อกลุ่ม/).fill('ทีมหน้าร้าน');
  await giver.getByLabel(/คำบนซอง/).fill('ขอบคุณทุกคน');
  await expectAccessible(giver);
  await press(giver, 'เตรียมอั่งเปา');
  await expect(giver.getByRole('heading', { name: 'อั่งเปา ทีมหน้าร้าน' })).toBeVisible();
  const link = await linkOn(giver);

  const taker = (await customer(browser, spaOrg, 'ฝน รับซอง')).page;
  await taker.goto(link);
  await expect(taker.getByText(/เหลือ 2 จาก 2 ซอง/)).toBeVisible();
  await expectAccessible(taker);
  await press(taker, 'เปิดซอง');
  await expectAccessible(taker);
  await press(taker, 'รับ 1 ซอง');
  await expect(taker.getByRole('heading', { name: 'ใครรับไปแล้วบ้าง' })).toBeVisible();
  await expectAccessible(taker);

  await expect(giver.getByText('รับไปแล้ว 1 จาก 2 ซอง'), 'without reloading').toBeVisible();
  await expectAccessible(giver);
  await press(giver, 'เก็บ 1 ซองคืน');
  await giver.getByRole('dialog').getByRole('button', { name: 'เรียกคืน', exact: true }).click();
  await expect(giver.getByText('ซองที่เหลือกลับมาหาคุณแล้ว')).toBeVisible();

  // What came back is given for a later day, and sent earlier after all.
  await press(giver, /เปิดเวาเชอร์|ดูเวาเชอร์/);
  await press(giver, /ให้เป็นของขวัญ/);
  await giver.getByRole('switch', { name: /ส่งทีหลัง/ }).click();
  await expectAccessible(giver);
  await press(giver, /ห่อของขวัญ/);
  await expect(giver.getByText(/^ลิงก์จะเปิด/)).toBeVisible();
  await expectAccessible(giver);
  await press(giver, 'ส่งตอนนี้เลย');
  await expect(giver.getByRole('button', { name: 'คัดลอกลิงก์' })).toBeVisible();
});
