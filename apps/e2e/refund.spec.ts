import { expect } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { buyPackage, callAs, customer, desktop, open, press, signInToOffice, site, spaOrg } from './people.ts';
import { test } from './test.ts';

test('a refund above the rule waits for a second person, and then the customer has his money', async ({ browser }) => {
  const buyer = (await customer(browser, spaOrg, 'คืนเงิน ทดสอบ')).page;
  await buyPackage(buyer, spaOrg, /นวดอโรมาน้ำมันอุ่น 90/);
  const balance = async () => (await callAs(buyer, 'user', '/api/user/getwallet', {})).balance_satang;
  const before = await balance();

  const first = (await open(browser, desktop)).page;
  await signInToOffice(first, site(spaOrg), 'owner', 'owner', 'owner2026');
  await first.goto(`${site(spaOrg)}/owner/settingapproval`);
  await first.getByLabel('ต้องมีคนที่สองเมื่อคืนเงินเกิน').fill('100');
  await press(first, 'บันทึก');
  await expect(first.getByText('มีผลตั้งแต่ตอนนี้', { exact: true })).toBeVisible();
  await expectAccessible(first);
  const username = `second${Date.now()}`;
  await callAs(first, 'owner', '/api/owner/save/staff', {
    username,
    name: 'วราภรณ์ ทดสอบ',
    role: 'admin',
    permission_id: null,
    password: 'second2026',
  });

  const orders = await callAs(first, 'owner', '/api/owner/get/orders', { search: 'คืนเงิน ทดสอบ', limit: 1 });
  await first.goto(`${site(spaOrg)}/owner/orderlist/${orders.data[0].id}`);
  await first.getByRole('button', { name: 'คืนเงิน' }).click();
  const dialog = first.getByRole('dialog');
  await dialog.getByRole('checkbox').first().check();
  await dialog.getByRole('combobox').click();
  await first.getByRole('option', { name: /ลูกค้าขอ/ }).click();
  await expect(dialog.getByText('ต้องมีคนที่สองอนุมัติ')).toBeVisible();
  await dialog.getByRole('textbox').fill('ลูกค้าย้ายไปภูเก็ต');
  await expectAccessible(first);
  await dialog.getByRole('button', { name: /ส่งคำขอคืน/ }).click();
  await expect(first.getByText('ส่งคำขอแล้ว', { exact: true })).toBeVisible();
  expect(await balance()).toBe(before);

  await first.goto(`${site(spaOrg)}/owner/approval`);
  await first.getByRole('tab', { name: /คุณขอไว้/ }).click();
  await first.getByRole('link', { name: /คืนเงิน/ }).first().click();
  await expect(first.getByText(/ต้องให้คนอื่นตอบ/)).toBeVisible();
  await expect(first.getByRole('button', { name: /^อนุมัติ/ })).toHaveCount(0);

  const second = (await open(browser, desktop)).page;
  await signInToOffice(second, site(spaOrg), 'owner', username, 'second2026');
  await second.goto(`${site(spaOrg)}/owner/approval`);
  await expect(second.getByRole('heading', { name: 'ถ้าอนุมัติ จะเปลี่ยนอะไร' })).toBeVisible();
  await expectAccessible(second);
  await second.getByRole('button', { name: /^อนุมัติคืน/ }).click();
  await expect(second.getByText('อนุมัติและดำเนินการแล้ว', { exact: true })).toBeVisible();
  await expect.poll(balance).toBeGreaterThan(before);
});
