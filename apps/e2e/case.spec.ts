import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { useAtCounter } from './counter.ts';
import { atBank, callAs, customer, desktop, open, phone, press, signInToOffice, site, spaOrg } from './people.ts';
import { expectInside } from './sound.ts';
import { test } from './test.ts';

/** Fills the wallet by a charge, buys a foot bath from it and uses it at the counter; the charge. */
async function useWhatWasPaid(page: Page, staff: Page): Promise<string> {
  await page.goto(`${site(spaOrg)}/user/market`);
  const address = await page.getByRole('link', { name: /แช่เท้า/ }).first().getAttribute('href');
  const topUp = await callAs(page, 'user', '/api/user/wallet/topup', { amount_satang: 50_000, method: 'promptpay' });
  await atBank(topUp.charge_id, 'pay');
  const balance = async () => (await callAs(page, 'user', '/api/user/getwallet', {})).balance_satang;
  await expect.poll(balance).toBe(50_000);
  const lines = [{ package_id: address?.split('/').pop(), quantity: 1 }];
  const { hash, consents } = await callAs(page, 'user', '/api/user/order/quote', { lines });
  const accepted = consents.map(({ _id }: { _id: string }) => _id);
  await callAs(page, 'user', '/api/user/order/confirm', { lines, hash, accepted, lang: 'th' });
  await useAtCounter(page, spaOrg, staff, /นิมมาน/);
  return topUp.charge_id;
}

test('what a bank takes back is a case, and two people write off what the customer owes for it', async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const { page } = await customer(browser, spaOrg, 'ข้อพิพาท ทดสอบ');
  const staff = (await open(browser, phone)).page;
  await signInToOffice(staff, site(spaOrg), 'staff', 'door', 'door2026');
  await staff.getByRole('button', { name: /นิมมาน/ }).click();
  const charge = await useWhatWasPaid(page, staff);
  await atBank(charge, 'dispute');

  const office = (await open(browser, desktop)).page;
  await signInToOffice(office, site(spaOrg), 'owner', 'owner', 'owner2026');
  const find = () => callAs(office, 'owner', '/api/owner/get/case', { search: 'ข้อพิพาท ทดสอบ', limit: 1 });
  await expect.poll(async () => (await find()).data.length).toBe(1);
  await office.goto(`${site(spaOrg)}/owner/caselist`);
  await office
    .getByRole('row', { name: /ข้อพิพาท ทดสอบ/ })
    .first()
    .getByRole('link')
    .first()
    .click();
  await expect(office.getByText('รอธนาคารของลูกค้าตัดสิน')).toBeVisible();
  await expectAccessible(office);
  for (const { viewport } of [phone, desktop]) {
    await office.setViewportSize(viewport);
    await expectInside(office);
  }
  await office.getByRole('button', { name: /^ตัดหนี้ ฿490/ }).click();
  const dialog = office.getByRole('dialog');
  await dialog.getByRole('textbox').fill('ติดต่อลูกค้าไม่ได้');
  await expectAccessible(office);
  await dialog.getByRole('button', { name: 'ส่งขออนุมัติ' }).click();
  await expect(office.getByText('ต้องมีคนที่สองอนุมัติ')).toBeVisible();

  const username = `writer${Date.now()}`;
  await callAs(office, 'owner', '/api/owner/save/staff', {
    username,
    name: 'สมชาย ทดสอบ',
    role: 'admin',
    permission_id: null,
    password: 'second2026',
  });
  const second = (await open(browser, desktop)).page;
  await signInToOffice(second, site(spaOrg), 'owner', username, 'second2026');
  await second.goto(`${site(spaOrg)}/owner/approval`);
  await second.getByRole('link', { name: /^ตัดหนี้/ }).first().click();
  await expect(second.getByText('ยอดที่ ข้อพิพาท ทดสอบ ค้างชำระ')).toBeVisible();
  await expectAccessible(second);
  await press(second, /^อนุมัติและตัดหนี้/);
  await expect(second.getByText('อนุมัติและดำเนินการแล้ว', { exact: true })).toBeVisible();
  await expect.poll(async () => (await callAs(page, 'user', '/api/user/getwallet', {})).debt_satang).toBe(0);
});
