import { expect } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { atBank, callAs, customer, desktop, open, phone, press, signInToOffice, site, spaOrg } from './people.ts';
import { expectInside } from './sound.ts';
import { test } from './test.ts';

test('a customer asks for what he topped up, and the shop pays it out', async ({ browser }) => {
  test.setTimeout(180_000);
  const { page } = await customer(browser, spaOrg, 'ถอนเงิน ทดสอบ');
  const topup = await callAs(page, 'user', '/api/user/wallet/topup', { amount_satang: 500_00, method: 'promptpay' });
  await atBank(topup.charge_id, 'pay');
  const balance = async () => (await callAs(page, 'user', '/api/user/getwallet', {})).balance_satang;
  await expect.poll(balance).toBe(500_00);

  await page.goto(`${site(spaOrg)}/user/wallet`);
  await page.getByRole('link', { name: 'ถอนเงิน' }).click();
  await page.getByRole('textbox', { name: 'จำนวนเงิน' }).fill('501');
  await expect(page.getByText('ระบุไม่เกิน ฿500.00')).toBeVisible();
  await page.getByRole('textbox', { name: 'จำนวนเงิน' }).fill('100');
  await expectAccessible(page);
  await page.getByRole('combobox', { name: 'ธนาคาร' }).click();
  await page.getByRole('option', { name: 'กสิกรไทย' }).click();
  await page.getByRole('textbox', { name: 'เลขที่บัญชี' }).fill('123-4-56789-0');
  await page.getByRole('textbox', { name: 'ชื่อบัญชี' }).fill('ถอนเงิน ทดสอบ');
  await press(page, 'ส่งคำขอถอน ฿100.00');
  await expect(page.getByText('รอร้านตอบ')).toBeVisible();
  await expectAccessible(page);
  expect(await balance()).toBe(500_00);

  const office = (await open(browser, desktop)).page;
  await signInToOffice(office, site(spaOrg), 'owner', 'owner', 'owner2026');
  await office.goto(`${site(spaOrg)}/owner/cashout`);
  await expectAccessible(office);
  await office
    .getByRole('row', { name: /ถอนเงิน ทดสอบ/ })
    .first()
    .getByRole('link')
    .first()
    .click();
  await expect(office.getByText('กสิกรไทย ····7890')).toBeVisible();
  await expectAccessible(office);
  for (const { viewport } of [phone, desktop]) {
    await office.setViewportSize(viewport);
    await expectInside(office);
  }
  await press(office, 'จ่าย ฿100.00');
  await expectAccessible(office);
  await office.getByRole('dialog').getByRole('button', { name: 'จ่าย ฿100.00' }).click();
  await expect(office.getByText('เงินออกจาก Wallet ของลูกค้าแล้ว')).toBeVisible();
  await expectAccessible(office);

  await page.reload();
  await expect(page.getByText(/^ร้านจะโอนภายใน/)).toBeVisible();
  expect(await balance()).toBe(400_00);
  await page.goto(`${site(spaOrg)}/user/inbox`);
  await page.getByText('ร้านอนุมัติคำขอถอนเงินแล้ว').click();
  await expect(page.getByText('กำลังคืนเงิน')).toBeVisible();
});
