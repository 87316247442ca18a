import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import {
  buyPackage,
  callAs,
  codeSentTo,
  customer,
  desktop,
  freshMobile,
  mailTo,
  open,
  payAtBank,
  press,
  signInToOffice,
  site,
  spaOrg,
} from './people.ts';
import { test } from './test.ts';

/** From the page that asks for it to the code of an SMS, and back. */
async function proveMobile(page: Page) {
  const mobile = freshMobile();
  await page.getByLabel('เบอร์มือถือ').fill(mobile);
  await press(page, 'ส่งรหัสทาง SMS');
  const field = page.getByLabel('รหัส 6 หลัก');
  await expect(field).toBeFocused();
  await field.pressSequentially(await codeSentTo(mobile));
  await expect(page.getByRole('heading', { name: 'ยืนยันเบอร์แล้ว' })).toBeVisible();
}

test('a voucher goes from one customer to another on the board, and its price into the wallet', async ({ browser }) => {
  const office = (await open(browser, desktop)).page;
  await signInToOffice(office, site(spaOrg), 'owner', 'owner', 'owner2026');
  await callAs(office, 'owner', '/api/owner/setting/board/save', {
    open: true,
    royalty_basis_points: 200,
    cap_percent: 100,
    days: 30,
    sold_out_only: false,
  });

  const seller = (await customer(browser, spaOrg, 'ขายต่อ ทดสอบ')).page;
  const sold = await buyPackage(seller, spaOrg, /นวดอโรมาน้ำมันอุ่น 90/);
  await seller.goto(`${site(spaOrg)}/user/activevoucher/${sold}`);
  await press(seller, /ขายต่อให้ลูกค้าคนอื่น/);
  await press(seller, 'ยืนยันเบอร์');
  await proveMobile(seller);
  await press(seller, 'ไปต่อ');
  await expect(seller.getByLabel('ราคาที่ตั้ง').first()).toBeVisible();
  await expectAccessible(seller);
  await seller.getByRole('textbox', { name: 'ราคาที่ตั้ง' }).fill('120.50');
  await expect(seller.getByText('เข้า Wallet คุณ')).toBeVisible();
  await press(seller, /^ลงขาย/);
  await expect(seller).toHaveURL(/\/user\/trade\//);
  await expect(seller.getByText(/^ประกาศถึง/)).toBeVisible();
  await expectAccessible(seller);

  const buyer = (await customer(browser, spaOrg, 'ซื้อต่อ ทดสอบ')).page;
  await buyer.goto(`${site(spaOrg)}/user/trade`);
  await expectAccessible(buyer);
  await buyer.locator(`a[href$="/trade/${seller.url().split('/').pop()}"]`, { hasText: '120.50' }).click();
  await expect(buyer.getByRole('radio', { name: /พร้อมเพย์/ })).toBeVisible(); // else the foot still offers the top-up alone
  await press(buyer, /^เติมเงิน/);
  await expect(buyer).toHaveURL(/\/wallet\/topup/);
  await press(buyer, /^เติมเงิน/);
  await payAtBank(buyer);
  await press(buyer, /กลับไป/);
  await expect(buyer.getByRole('button', { name: /^จ่ายจาก Wallet/ })).toBeVisible();
  await expectAccessible(buyer);
  const tick = buyer.getByRole('checkbox');
  if (await tick.count()) await tick.click();
  await press(buyer, /^จ่ายจาก Wallet/);
  await expect(buyer.getByText('เป็นของคุณแล้ว')).toBeVisible();
  await expectAccessible(buyer);

  await expect(seller.getByText('เข้า Wallet คุณแล้ว'), 'without reloading').toBeVisible();
  await expectAccessible(seller);
  await seller.goto(`${site(spaOrg)}/user/profile`);
  await expect(seller.getByText(/ข้อความใหม่$/)).toBeVisible();
  await press(seller, /^กล่องข้อความ/);
  await expect(seller.getByRole('link', { name: /ขายได้แล้ว/ })).toBeVisible();
  await expectAccessible(seller);
  await seller.goto(`${site(spaOrg)}/user/profile`);
  await expect(seller.getByText('ข่าวของเวาเชอร์ ของขวัญ และเงินของคุณ')).toBeVisible();

  await press(buyer, 'ดูเวาเชอร์');
  await expect(buyer).toHaveURL(new RegExp(`/user/activevoucher/${sold}$`));

  // Both read of it in their history: the seller what went off the price, the buyer what he paid.
  await seller.goto(`${site(spaOrg)}/user/history?part=resale`);
  const sale = seller.locator('main a', { hasText: 'ขายต่อให้' }).first();
  await expect(sale).toContainText('+114.47');
  await expect(sale).toContainText(/ราคา 120\.50\s*ค่าบริการ 3\.62\s*ส่วนของร้าน 2\.41/);
  await expectAccessible(seller);
  await buyer.goto(`${site(spaOrg)}/user/history`);
  await expect(buyer.locator('main a', { hasText: 'ซื้อต่อจาก' })).toContainText('−120.50');

  await seller.goto(`${site(spaOrg)}/user/orders`);
  await seller.locator('a[href*="/orders/"]').first().click();
  await expect(seller.getByRole('heading', { name: 'ตอนนี้อยู่ที่ไหน' })).toBeVisible();
  await press(seller, /^ใบเสร็จ/);
  await expect(seller.getByText('ใบเสร็จนี้ไม่ใช่ใบกำกับภาษี')).toBeVisible();
  await expectAccessible(seller);
  await seller.emulateMedia({ media: 'print' });
  await expect(seller.getByRole('navigation').first(), 'a receipt prints alone').toBeHidden();
  await expect(seller.getByRole('button', { name: 'พิมพ์หรือบันทึก' })).toBeHidden();
  await expect(seller.getByText('ใบเสร็จนี้ไม่ใช่ใบกำกับภาษี')).toBeVisible();
  await seller.emulateMedia({ media: 'screen' });
  await seller.getByRole('textbox', { name: 'ส่งทางอีเมล' }).fill('kayy@example.org');
  await press(seller, 'ส่งใบเสร็จ');
  await expect(seller.getByText(/กำลังส่งไปที่ k•••@example\.org/)).toBeVisible();
  await expect.poll(() => mailTo('kayy@example.org')).toHaveLength(1);
  const [mail] = await mailTo('kayy@example.org');
  expect(mail?.text).toContain('ไม่ใช่ใบกำกับภาษี');
});

test('an offer is paid by PromptPay past the wallet, while nobody else can have it', async ({ browser }) => {
  const seller = (await customer(browser, spaOrg, 'ขาย คิวอาร์')).page;
  const voucher = await buyPackage(seller, spaOrg, /นวดอโรมาน้ำมันอุ่น 90/);
  const before = await callAs(seller, 'user', '/api/user/voucher/detail', { id: voucher });
  await seller.goto(`${site(spaOrg)}/user/profile/mobile`);
  await proveMobile(seller);
  const offer = await callAs(seller, 'user', '/api/user/trade/create', {
    voucher_id: voucher,
    items: before.items_left,
    price_satang: 250_000,
  });

  const buyer = (await customer(browser, spaOrg, 'ซื้อ คิวอาร์')).page;
  await buyer.goto(`${site(spaOrg)}/user/trade/${offer.id}`);
  await buyer.getByRole('radio', { name: /พร้อมเพย์/ }).click();
  await buyer.getByRole('checkbox').first().click();
  await press(buyer, /^จ่าย ฿/);
  await expect(buyer).toHaveURL(/\/user\/pay\//);
  await expect(buyer.getByText('เก็บเวาเชอร์ไว้ให้คุณแล้ว')).toBeVisible();
  await expectAccessible(buyer);

  await seller.goto(`${site(spaOrg)}/user/trade/${offer.id}`);
  await expect(seller.getByText('มีคนกำลังจ่ายอยู่ตอนนี้')).toBeVisible();
  const late = (await customer(browser, spaOrg, 'มาช้า คิวอาร์')).page;
  await late.goto(`${site(spaOrg)}/user/trade/${offer.id}`);
  await expect(late.getByText('มีคนกำลังจ่ายอยู่ตอนนี้')).toBeVisible();
  await expect(late.getByRole('button', { name: /^(จ่าย|เติมเงิน)/ })).toHaveCount(0);

  await payAtBank(buyer);
  await expect(buyer.getByRole('heading', { name: 'เป็นของคุณแล้ว' })).toBeVisible();
  await expect(seller.getByText('เข้า Wallet คุณแล้ว'), 'without reloading').toBeVisible();
  await expect(seller.getByText('+฿2,375.00'), 'less 3 % for the platform and 2 % for the shop').toBeVisible();
  await expectAccessible(seller);
  await seller.goto(`${site(spaOrg)}/user/wallet`);
  await expect(seller.getByText('+2,375.00')).toBeVisible();

  const after = await callAs(buyer, 'user', '/api/user/voucher/detail', { id: voucher });
  expect([after.state, after.items_left]).toEqual(['ready', before.items_left]);
  expect(after.code, 'the old one is void').not.toBe(before.code);
  await expect(callAs(seller, 'user', '/api/user/voucher/detail', { id: voucher })).rejects.toThrow(
    'voucher.not_found',
  );
  await expect(buyer.getByText(/ด้วยพร้อมเพย์เมื่อ .* ใบเสร็จ/)).toBeVisible();
  await expectAccessible(buyer);
  await press(buyer, 'ดูเวาเชอร์');
  await expect(buyer).toHaveURL(new RegExp(`/user/activevoucher/${voucher}$`));
  expect((await callAs(buyer, 'user', '/api/user/getwallet', {})).balance_satang, 'not by the wallet').toBe(0);
});
