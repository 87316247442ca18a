import { expect } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { customer, desktop, open, payAtBank, press, signInToOffice, site, spaOrg } from './people.ts';
import { test } from './test.ts';

test('an owner makes a discount and tries a cart beside its form; a customer buys by its code, and the order says so', async ({
  browser,
}) => {
  test.slow(); // two people, a phone and an office
  const { page: office } = await open(browser, desktop);
  await signInToOffice(office, site(spaOrg), 'owner', 'owner', 'owner2026');
  await office.goto(`${site(spaOrg)}/owner/discountlist`);
  await expect(office.getByRole('cell', { name: /LAMAI10/ })).toBeVisible();
  await press(office, 'เพิ่มส่วนลด');
  await office.getByLabel('ชื่อภาษาไทย').fill('ลดวันเปิดร้าน');
  await office.getByLabel('โค้ด', { exact: true }).fill('open-20');
  const off = office.getByRole('spinbutton', { name: 'ลด' });
  await off.fill('20');
  const tester = office.getByRole('region', { name: 'ลองตะกร้า' });
  await expect(tester.getByText('ลดวันเปิดร้าน')).toBeVisible();
  await expectAccessible(office);
  await press(office, 'บันทึก');
  await expect(office.getByRole('cell', { name: /^ลดวันเปิดร้าน/ })).toBeVisible();
  await office.getByRole('cell', { name: /^ลดวันเปิดร้าน/ }).click();
  await press(office, 'เริ่มใช้');
  await expect(office.getByText('ใช้อยู่').first()).toBeVisible();

  const { page } = await customer(browser, spaOrg, 'ส้ม ส่วนลด');
  await page.getByRole('navigation').getByRole('link', { name: 'ร้านค้า' }).last().click();
  await page
    .getByRole('link', { name: /นวดอโรมา/ })
    .first()
    .click();
  await press(page, /ซื้อเลย/);
  const code = page.getByLabel('โค้ดส่วนลด');
  await code.fill('ไม่มีโค้ดนี้');
  await press(page, 'ใช้โค้ด');
  await expect(page.getByText('โค้ดนี้ใช้ไม่ได้ ลองดูตัวอักษรอีกครั้ง')).toBeVisible();
  await code.fill('OPEN20');
  await press(page, 'ใช้โค้ด');
  await expect(page.getByText('ลดวันเปิดร้าน').first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('checkbox').last().click();
  await press(page, /^จ่าย .* ด้วยพร้อมเพย์/);
  await payAtBank(page);
  await expect(page.getByText('ซื้อสำเร็จ')).toBeVisible();

  await office.goto(`${site(spaOrg)}/owner/discountuselist`);
  await expect(office.getByRole('cell', { name: /OPEN20/ }).first()).toBeVisible();
});
