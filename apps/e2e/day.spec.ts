import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import {
  buyPackage,
  callAs,
  customer,
  desktop,
  mailTo,
  open,
  payAtBank,
  phone,
  press,
  readQR,
  signInToOffice,
  site,
  spaOrg,
} from './people.ts';
import { test } from './test.ts';

/** Nobody else sells here meanwhile, so its figures are this day's alone. */
const shop = { ...spaOrg, unique: 'yimwan', name: 'ยิ้มหวาน ไอศกรีมกะทิ', liff: '1657000003-welovesu' };

const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Bangkok' }).format(Date.now());
const baht = (satang: number) => new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 }).format(satang / 100);

/** What the office says of the day so far, from its four sides. */
async function figures(office: Page) {
  const filter = { from: today(), to: today() };
  const read = (name: string, body: unknown = { filter }) => callAs(office, 'owner', `/api/owner/report/${name}`, body);
  const [daily, wallets, uses, owed, dashboard] = [
    await read('daily'),
    await read('wallets'),
    await read('uses'),
    await read('unearned', { filter: {} }),
    await callAs(office, 'owner', '/api/owner/dashboard', { days: 1 }),
  ];
  return {
    sold: daily.totals.gross_satang as number,
    share: daily.totals.unearned_satang as number,
    discount: daily.totals.discount_satang as number,
    refunded: daily.totals.refunded_satang as number,
    used: daily.totals.used_satang as number,
    earned: uses.totals.amount_satang as number,
    into: wallets.totals.in_satang as number,
    outOf: wallets.totals.out_satang as number,
    held: wallets.figures[2].amount_satang as number,
    owed: owed.totals.worth_satang as number,
    books: owed.figures[0].amount_satang as number,
    shown: dashboard.sales.gross_satang as number,
    unearned: dashboard.money.unearned_satang as number,
    payable: dashboard.money.payable_satang as number,
  };
}

test('a day in a shop: what it sold, took off, honoured and gave back is the same in every report, on the overview and in the books', async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const office = (await open(browser, desktop)).page;
  await signInToOffice(office, site(shop), 'owner', 'owner', 'owner2026');
  const before = await figures(office);
  expect(before.owed).toBe(before.books);

  const fresh = `เช้า ${Date.now() % 100000}`;
  let paid = 0;
  await test.step('it sells by PromptPay, with a discount', async () => {
    const { page } = await customer(browser, shop, fresh);
    await page.getByRole('navigation').getByRole('link', { name: 'ร้านค้า' }).last().click();
    await page
      .getByRole('link', { name: /แพ็ก 10 ถ้วย/ })
      .first()
      .click();
    await press(page, /ซื้อเลย/);
    await page.getByLabel('โค้ดส่วนลด').fill('YIMWAN10');
    await press(page, 'ใช้โค้ด');
    await expect(page.getByText(/YIMWAN10/).first()).toBeVisible();
    await page.getByRole('checkbox').last().click();
    await press(page, /^จ่าย .* ด้วยพร้อมเพย์/);
    await payAtBank(page);
    await expect(page.getByText('ซื้อสำเร็จ')).toBeVisible();
    paid = (await figures(office)).sold - before.sold;
    expect(paid).toBeGreaterThan(0);

    await page.goto(`${site(shop)}/user/activevoucher`);
    await press(page, /^ใช้$/);
    await page.getByText('อารีย์').filter({ visible: true }).first().click();
    await press(page, 'เปิด QR');
    await expect(page.getByText('ยื่นให้พนักงานสแกน')).toBeVisible();
    const staff = (await open(browser, phone)).page;
    await signInToOffice(staff, site(shop), 'staff', 'door', 'door2026');
    await staff.getByRole('button', { name: /อารีย์/ }).click();
    const code = staff.getByPlaceholder(/พิมพ์รหัส/);
    await code.fill(await readQR(page));
    await code.press('Enter');
    await press(staff, /^ยืนยัน/);
    await expect(page.getByRole('heading', { name: /ใช้แล้ว/ })).toBeVisible();

    await staff.goto(`${site(shop)}/staff/activevouchertransaction`);
    await expect(staff.getByText(new RegExp(fresh))).toBeVisible();
    await expectAccessible(staff);
  });

  const noon = `บ่าย ${Date.now() % 100000}`;
  await test.step('it sells from a wallet, and gives that back', async () => {
    const { page } = await customer(browser, shop, noon);
    await buyPackage(page, shop, /โคนวาฟเฟิล/);
    const { data } = await callAs(office, 'owner', '/api/owner/get/orders', { search: noon, limit: 1 });
    await office.goto(`${site(shop)}/owner/orderlist/${data[0].id}`);
    await office.getByRole('button', { name: 'คืนเงิน' }).click();
    const dialog = office.getByRole('dialog');
    await dialog.getByRole('checkbox').first().check();
    await dialog.getByRole('combobox').click();
    await office.getByRole('option', { name: /ลูกค้าขอ/ }).click();
    await dialog.getByRole('button', { name: /^คืน/ }).click();
    await expect(office.getByText(/คืนเงิน .*แล้ว|คืน ฿.*แล้ว/).first()).toBeVisible();
  });

  await test.step('in the evening all agree to the satang', async () => {
    const after = await figures(office);
    const change = (name: keyof typeof after) => after[name] - before[name];
    const cone = change('sold') - paid;
    expect(cone).toBeGreaterThan(0);
    expect(change('refunded')).toBe(cone);
    expect(change('discount')).toBeGreaterThan(0);
    expect(change('used')).toBeGreaterThan(0);
    expect(change('earned')).toBe(change('used'));
    expect(change('shown')).toBe(change('sold'));
    // The wallet was filled with 5,000 baht, paid for the cone, and has it back.
    expect(change('into')).toBe(500_000 + cone);
    expect(change('outOf')).toBe(cone);
    expect(change('held')).toBe(500_000);
    expect(change('payable')).toBe(change('used'));
    expect(after.owed).toBe(after.books);
    expect(after.unearned).toBe(after.books);
    // What the cone's buyer paid for the shop left again, and what was used was earned.
    expect(change('share') - change('used') - change('unearned')).toBeGreaterThan(0);
    expect(change('share') - change('used') - change('unearned')).toBeLessThanOrEqual(cone);

    await office.goto(`${site(shop)}/owner/dailytransaction?from=${today()}&to=${today()}`);
    const table = office.getByRole('table');
    await expect(table.getByRole('cell', { name: baht(after.sold), exact: true }).first()).toBeVisible();
    await expect(table.getByRole('cell', { name: baht(after.refunded), exact: true }).first()).toBeVisible();
    await expectAccessible(office);
    await table.getByRole('link').first().click();
    await expect(office.getByRole('heading', { name: 'รายการขาย' })).toBeVisible();
    await expect(office.getByRole('link', { name: noon })).toBeVisible();
    await expectAccessible(office);
    await office.goto(`${site(shop)}/owner/wallettransaction?from=${today()}&to=${today()}`);
    await expect(office.getByText(`฿${baht(after.held)}`)).toBeVisible();
    await expect(office.getByRole('cell', { name: '5,000.00' }).first()).toBeVisible();
    await expectAccessible(office);
  });

  await test.step('the owner has the day sent by e-mail every morning, to an address that a code came to', async () => {
    const address = `owner-${Date.now()}@example.com`;
    await office.goto(`${site(shop)}/owner/daily?step=day`);
    await press(office, 'อีเมล');
    const dialog = office.getByRole('dialog');
    await dialog.getByLabel('ส่งไปที่อีเมล').fill(address);
    await dialog.getByRole('button', { name: 'ส่งรหัส' }).click();
    const code = await expect
      .poll(async () => /\d{6}/.exec((await mailTo(address))[0]?.subject ?? '')?.[0])
      .toBeTruthy()
      .then(async () => /\d{6}/.exec((await mailTo(address))[0]?.subject ?? '')?.[0] ?? '');
    await dialog.getByLabel('รหัส 6 หลัก').fill(code);
    await expect(dialog.getByText(/ทุกวัน เวลา 07:00 · o•+@example\.com/)).toBeVisible();
    await expectAccessible(office);
    await dialog.getByRole('button', { name: 'หยุดส่งยอดขายรายวัน' }).click();
    await expect(dialog.getByText(/ทุกวัน เวลา 07:00/)).toBeHidden();
  });
});
