import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { atBank, callAs, customer, desktop, open, phone, press, signInToOffice, site, spaOrg } from './people.ts';
import { expectInside } from './sound.ts';
import { test } from './test.ts';

/** Buys a package by PromptPay that its payer may have refunded by himself; the order. */
async function buyByPromptPay(page: Page): Promise<string> {
  await page.goto(`${site(spaOrg)}/user/market`);
  const link = page.getByRole('link', { name: /นวดอโรมาน้ำมันอุ่น 90/ }).first();
  const lines = [{ package_id: (await link.getAttribute('href'))?.split('/').pop(), quantity: 1 }];
  const { hash, consents } = await callAs(page, 'user', '/api/user/order/quote', { lines });
  const accepted = consents.map(({ _id }: { _id: string }) => _id);
  const body = { lines, hash, accepted, lang: 'th', method: 'promptpay' };
  const { id, payment } = await callAs(page, 'user', '/api/user/order/pay', body);
  const [, charge = ''] = /\/charges\/([^/]+)\//.exec(payment.qr_image_url) ?? [];
  await atBank(charge, 'pay');
  const vouchers = async () => (await callAs(page, 'user', '/api/user/order/detail', { id })).vouchers.length;
  await expect.poll(vouchers).toBeGreaterThan(0);
  return id;
}

/** Another account of the office, who may approve. */
async function secondPerson(office: Page): Promise<{ username: string; password: string }> {
  const person = { username: `second${Date.now()}`, password: 'second2026' };
  await callAs(office, 'owner', '/api/owner/save/staff', {
    ...person,
    name: 'มาลี ทดสอบ',
    role: 'admin',
    permission_id: null,
  });
  return person;
}

test('what was paid by PromptPay is transferred to the bank account that its payer names, as two people say', async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const { page } = await customer(browser, spaOrg, 'โอนคืน ทดสอบ');
  const order = await buyByPromptPay(page);
  await page.goto(`${site(spaOrg)}/user/orders/${order}/refund`);
  await page.getByRole('radio', { name: /บัญชีธนาคาร/ }).click();
  await page.getByRole('combobox', { name: 'ธนาคาร' }).click();
  await page.getByRole('option', { name: 'กสิกรไทย' }).click();
  await page.getByRole('textbox', { name: 'เลขที่บัญชี' }).fill('12345');
  await page.getByRole('textbox', { name: 'ชื่อบัญชี' }).fill('โอนคืน ทดสอบ');
  await press(page, /^คืน ฿/);
  await expect(page.getByText('เลขที่บัญชีนี้ไม่ใช่ของธนาคารที่เลือก')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'เลขที่บัญชี' }).fill('123-4-56789-0');
  await press(page, /^คืน ฿/);
  await expect(page.getByText('รอร้านโอน')).toBeVisible();
  await expectAccessible(page);
  await page.goto(`${site(spaOrg)}/user/orders/${order}`);
  await expect(page.getByText(/^ร้านควรโอนเข้า กสิกรไทย ····7890/)).toBeVisible();

  const office = (await open(browser, desktop)).page;
  await signInToOffice(office, site(spaOrg), 'owner', 'owner', 'owner2026');
  await office.goto(`${site(spaOrg)}/owner/banktransfer`);
  await expectAccessible(office);
  await office
    .getByRole('row', { name: /โอนคืน ทดสอบ/ })
    .first()
    .getByRole('link')
    .first()
    .click();
  await expect(office.getByText('1234567890')).toBeVisible();
  await expectAccessible(office);
  for (const { viewport } of [phone, desktop]) {
    await office.setViewportSize(viewport);
    await expectInside(office);
  }
  await press(office, 'โอนแล้ว');
  await office.getByRole('textbox', { name: 'เลขอ้างอิงธนาคาร' }).fill('KB-20261128-1');
  await expectAccessible(office);
  await press(office, 'ขอให้ยืนยัน');
  const waits = await office.getByRole('link', { name: /^ดู.*รอ/ }).getAttribute('href');

  const { username, password } = await secondPerson(office);
  const second = (await open(browser, desktop)).page;
  await signInToOffice(second, site(spaOrg), 'owner', username, password);
  await second.goto(new URL(waits ?? '', site(spaOrg)).href);
  await expect(second.getByText('เงินคืนที่กำลังส่งเข้าบัตรและบัญชีธนาคาร')).toBeVisible();
  await expectAccessible(second);
  await press(second, /^อนุมัติ$/);
  await expect(second.getByText('อนุมัติและดำเนินการแล้ว', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByText(/^โอนเข้า กสิกรไทย ····7890 แล้วเมื่อ/)).toBeVisible();
  await page.goto(`${site(spaOrg)}/user/inbox`);
  await expect(page.getByText('ร้านโอนเงินคืนแล้ว')).toBeVisible();
});
