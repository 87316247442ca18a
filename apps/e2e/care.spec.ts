import { expect } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { buyPackage, callAs, customer, desktop, open, signInToOffice, site, spaOrg } from './people.ts';
import { test } from './test.ts';

test('the shop extends a voucher, then all of a customer, who reads so', async ({ browser }) => {
  const name = `ขยายอายุ ทดสอบ ${Date.now()}`;
  const buyer = (await customer(browser, spaOrg, name)).page;
  await buyPackage(buyer, spaOrg, /นวดอโรมาน้ำมันอุ่น 90/);
  const year = new Date().getFullYear() + 2;

  const office = (await open(browser, desktop)).page;
  await signInToOffice(office, site(spaOrg), 'owner', 'owner', 'owner2026');
  const { data } = await callAs(office, 'owner', '/api/owner/get/voucher', { search: name, limit: 1 });
  await office.goto(`${site(spaOrg)}/owner/voucherlist/${data[0].id}`);
  await office.getByRole('button', { name: 'เพิ่มเติม' }).click();
  await office.getByRole('menuitem', { name: 'ขยายอายุ' }).click();
  const dialog = office.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'วันสุดท้ายใหม่' }).fill(`01/03/${year}`);
  await dialog.getByRole('textbox', { name: 'เพราะอะไร' }).fill('สาขาปิดปรับปรุง');
  await expectAccessible(office);
  await dialog.getByRole('button', { name: 'ขยายอายุ' }).click();
  await expect(office.getByText('ร้านขยายอายุให้', { exact: true })).toBeVisible();
  await expect(office.getByText('สาขาปิดปรับปรุง')).toBeVisible();
  await expectAccessible(office);

  await office.goto(`${site(spaOrg)}/owner/voucherlist?q=${encodeURIComponent(name)}`);
  await office.getByRole('button', { name: 'เปลี่ยนทั้งหมดที่แสดง' }).click();
  await dialog.getByRole('textbox', { name: 'วันสุดท้ายใหม่' }).fill(`31/03/${year}`);
  await expect(dialog.getByText('ทำได้ 1 จาก 1 ใบ')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'เพราะอะไร' }).fill('สาขาปิดปรับปรุง');
  await expectAccessible(office);
  await dialog.getByRole('button', { name: 'ขยายอายุ' }).click();
  await expect(dialog.getByText('ทำแล้ว 1 จาก 1')).toBeVisible();
  await expectAccessible(office);

  await buyer.goto(`${site(spaOrg)}/user/inbox`);
  await expect(buyer.getByText(`วันสุดท้ายคือวันที่ 31/03/${year}`)).toBeVisible();
});
