import { type Browser, expect, type Page } from '@playwright/test';
import { atBank, chargeOn, desktop, open, phone, port, press, signIn, signInToOffice } from './people.ts';
import { test } from './test.ts';

const platform = `http://localhost:${port}`;
const cafe = { unique: 'late-keys', name: 'ร้านกาแฟ เชื่อมทีหลัง', liff: '1657000088-latekeys', agentLiff: '' };

async function openCafe(browser: Browser) {
  const { page } = await open(browser, desktop);
  await signInToOffice(page, platform, 'advwsadmin', 'admin', 'welovevoucher');
  await page.getByRole('link', { name: 'องค์กร', exact: true }).first().click();
  await press(page, 'เปิดองค์กรใหม่');
  const next = () => page.getByRole('button', { name: 'ถัดไป' }).click();
  await page.getByLabel('ชื่อภาษาไทย').fill(cafe.name);
  await page.getByLabel('ชื่อภาษาอังกฤษ').fill('Late Keys Coffee');
  await page.getByLabel('ชื่อย่อ').fill(cafe.unique);
  await next();
  await page.getByText('เติบโต').first().click();
  await next();
  await next(); // LINE comes later
  await expect(page.getByText(/บัญชีของแพลตฟอร์มจะรับเงิน/)).toBeVisible();
  await next();
  await next();
  await page.getByLabel('ชื่อ', { exact: true }).fill('คุณสาย');
  await page.getByLabel('ชื่อผู้ใช้').fill('sai');
  await page.getByLabel('รหัสผ่านแรก').fill('sai2026');
  await page.getByRole('button', { name: 'เปิดองค์กร', exact: true }).click();
  await expect(page.getByText('แพลตฟอร์มรับเงิน')).toBeVisible({ timeout: 30_000 });
  return page;
}

/** The card of the organisation's page that has this field. */
const card = (page: Page, label: string) => page.locator('form').filter({ has: page.getByLabel(label) });

/** Returns the charge that brought the money. */
async function topUp(page: Page, baht: number) {
  await page.goto(`http://${cafe.unique}.localhost:${port}/user/wallet/topup`);
  await page.getByRole('textbox').first().fill(String(baht));
  await page.getByRole('button', { name: /^เติมเงิน ฿/ }).click();
  await expect(page.getByText(/กำลังรอเงินเข้า/)).toBeVisible();
  const charge = await chargeOn(page);
  await atBank(charge, 'pay');
  await expect(page.getByText(/^เงินเข้าแล้ว/)).toBeVisible();
  return charge;
}

/** Whose account took a charge. */
async function accountOf(charge: string) {
  const charges: { id: string; account: string }[] = await (
    await fetch(`http://localhost:${port + 2}/emulator/charges`)
  ).json();
  return charges.find(({ id }) => id === charge)?.account;
}

test('a shop opened without keys is paid through the platform, and through its own once they are connected', async ({
  browser,
}) => {
  const admin = await openCafe(browser);

  await test.step('LINE is connected once LINE confirms it', async () => {
    await admin.getByLabel('Channel ID').fill('1657000088');
    await admin.getByLabel('ร้านค้าและเวาเชอร์').fill('1657000001-welovesu');
    await admin.getByLabel('Channel secret').fill('secret-of-late-keys');
    const save = card(admin, 'Channel ID').getByRole('button', { name: 'ตรวจสอบและบันทึก' });
    await save.click();
    await expect(
      admin
        .getByText('LIFF ID ต้องขึ้นต้นด้วย')
        .or(admin.getByText(/LIFF.*Channel ID/))
        .first(),
    ).toBeVisible();
    await admin.getByLabel('ร้านค้าและเวาเชอร์').fill(cafe.liff);
    await save.click();
    await expect(admin.getByText(/ลงท้ายด้วย keys/)).toBeVisible();
  });

  const { page } = await open(browser, phone);
  await signIn(page, cafe, 'สาย ทดสอบ');
  expect(await accountOf(await topUp(page, 300))).toBe('pkey_test_platform');

  await test.step('own keys', async () => {
    await admin.getByRole('combobox', { name: 'ใครเป็นผู้รับเงิน' }).click();
    await admin.getByRole('option', { name: 'บัญชีรับชำระเงินขององค์กรเอง' }).click();
    await admin.getByLabel('Public key').fill('pkey_test_latekeys');
    await admin.getByLabel('Secret key').fill('skey_test_latekeys');
    await admin.getByLabel('Webhook secret').fill('c2VjcmV0IG9mIGxhdGUga2V5cw==');
    await card(admin, 'Public key').getByRole('button', { name: 'ตรวจสอบและบันทึก' }).click();
    await expect(admin.getByText('องค์กรรับเงินเอง')).toBeVisible();
    await expect(admin.getByText('กำลังเปลี่ยน…')).toHaveCount(0);
    const webhook = await admin.getByText(/\/api\/hook\//).textContent();
    await fetch(`http://localhost:${port + 2}/emulator/endpoints`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        public_key: 'pkey_test_latekeys',
        secret_key: 'skey_test_latekeys',
        webhook_secret: 'c2VjcmV0IG9mIGxhdGUga2V5cw==',
        webhook_url: webhook,
      }),
    });
  });

  expect(await accountOf(await topUp(page, 200))).toBe('pkey_test_latekeys');
  await page.goto(`http://${cafe.unique}.localhost:${port}/user/wallet`);
  await expect(page.locator('p', { hasText: /^฿/ }).first()).toHaveText('฿500.00');
});
