import { expect } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { buyPackage, callAs, customer, desktop, open, signInToOffice, site, spaOrg } from './people.ts';
import { test } from './test.ts';

test('who paid asks the shop for a refund, and reads why it was refused', async ({ browser }) => {
  const buyer = (await customer(browser, spaOrg, 'ขอคืน ทดสอบ')).page;
  const voucher = await buyPackage(buyer, spaOrg, /แช่เท้า/);
  await buyer.goto(`${site(spaOrg)}/user/activevoucher/${voucher}`);
  await buyer.getByRole('link', { name: /ขอให้ร้านคืนเงิน/ }).click();
  await expect(buyer.getByText(/ร้านควรตอบภายใน/)).toBeVisible();
  await expectAccessible(buyer);
  await buyer.getByRole('button', { name: /^ส่งคำขอคืน/ }).click();
  await expect(buyer.getByText('รอร้านตอบ')).toBeVisible();
  await expectAccessible(buyer);

  const office = (await open(browser, desktop)).page;
  await signInToOffice(office, site(spaOrg), 'owner', 'owner', 'owner2026');
  const asked = await callAs(office, 'owner', '/api/owner/get/refundrequest', { search: 'ขอคืน ทดสอบ', limit: 1 });
  await office.goto(`${site(spaOrg)}/owner/refundrequest/${asked.data[0].id}`);
  await expect(office.getByRole('heading', { name: 'ขอคืน ทดสอบ ขอคืนเงิน' })).toBeVisible();
  await expectAccessible(office);
  await office.getByRole('button', { name: 'ไม่อนุมัติ' }).click();
  const dialog = office.getByRole('dialog');
  await dialog.getByRole('textbox').fill('เตรียมห้องไว้ให้แล้ว');
  await dialog.getByRole('button', { name: 'ไม่อนุมัติ' }).click();
  await expect(office.getByText('ลูกค้าอ่านคำตอบของคุณได้')).toBeVisible();

  await buyer.reload();
  await expect(buyer.getByText('“เตรียมห้องไว้ให้แล้ว”')).toBeVisible();
  await expectAccessible(buyer);
});
