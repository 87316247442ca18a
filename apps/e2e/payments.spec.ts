import { type Browser, expect, type Locator, type Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import {
  atBank,
  chargeOn,
  customer,
  desktop,
  open,
  payAtBank,
  phone,
  press,
  signIn,
  signInToOffice,
  site,
  spaOrg,
} from './people.ts';
import { expectInside } from './sound.ts';
import { test } from './test.ts';

/** 490 baht, without a limit. */
const footBath = /แช่เท้า|foot soak/i;
const price = '฿490.00';

/**
 * Opens the package from the market. That puts its best sellers first, and other flows sell while this one reaches for a link: where another
 * package came under the finger, it goes back.
 */
async function openFootBath(page: Page) {
  await expect(async () => {
    await page.goto(`${site(spaOrg)}/user/market`);
    await page.getByRole('link', { name: footBath }).first().click();
    await expect(page.getByRole('heading', { level: 1, name: footBath })).toBeVisible({ timeout: 5_000 });
  }).toPass();
}

/** Puts a product into the cart of somebody who has not enough money for it. */
async function shortOfMoney(page: Page) {
  await openFootBath(page);
  await press(page, /ใส่ตะกร้า|Add to cart/);
  await page.goto(`${site(spaOrg)}/user/cart`);
  await expect(page.getByRole('button', { name: /^(เติมเงิน|Top up) ฿/ })).toBeVisible();
}

/** Pays the exact sum past the wallet, by what is chosen in the cart. Terms are accepted once. */
async function payDirectly(page: Page) {
  const terms = page.getByRole('checkbox');
  if (await terms.count()) await terms.first().click();
  await press(page, /^(จ่าย|Pay) ฿/);
}

async function fillCard(page: Page, number = '4242 4242 4242 4242') {
  await page.getByRole('radio', { name: /บัตรเครดิต|Credit/ }).click();
  await page.getByLabel(/หมายเลขบัตร|Card number/).fill(number);
  await page.getByLabel(/ชื่อบนบัตร|Name on the card/).fill('ANN LEE');
  await page.getByLabel(/หมดอายุ|Expires/).fill('12/39');
  await page.getByLabel(/รหัสหลังบัตร|รหัสความปลอดภัย|Security code/).fill('123');
}

async function expectBalance(page: Page, text: string) {
  await page.goto(`${site(spaOrg)}/user/wallet`);
  await expect(page.locator('p', { hasText: /^฿/ }).first()).toHaveText(text);
}

/** Money in the wallet, by QR. */
async function topUp(page: Page, baht: number) {
  await page.goto(`${site(spaOrg)}/user/wallet/topup`);
  await page.getByRole('textbox').first().fill(String(baht));
  await page.getByRole('button', { name: /^(เติมเงิน|Top up) ฿/ }).click();
  await expect(page.getByText(/กำลังรอเงินเข้า|Waiting for the money/)).toBeVisible();
  await payAtBank(page);
  await expect(page.getByText(/^เงินเข้าแล้ว|is in your Wallet/)).toBeVisible();
}

test('a card is charged only once its bank has confirmed it', async ({ browser }) => {
  const { page } = await customer(browser, spaOrg, 'บัตร ทดสอบ');
  const topUpByCard = async () => {
    await page.goto(`${site(spaOrg)}/user/wallet/topup`);
    await fillCard(page);
    await page.getByRole('button', { name: /^เติมเงิน ฿/ }).click();
    await expect(page.getByRole('heading', { name: 'ยืนยันการชำระด้วยบัตร' })).toBeVisible();
  };

  await topUpByCard();
  await press(page, 'ไม่ยืนยัน');
  await expect(page.getByText(/เรายังไม่ได้ตัดเงิน/)).toBeVisible();

  await topUpByCard();
  await press(page, 'ยืนยันการชำระ');
  await expect(page.getByText(/^เงินเข้าแล้ว/)).toBeVisible();
  await expectBalance(page, '฿500.00');
});

test('a QR that is paid after it has run out still fills the wallet, and the screen says so', async ({ browser }) => {
  const { page } = await customer(browser, spaOrg, 'ช้า ทดสอบ');
  await page.goto(`${site(spaOrg)}/user/wallet/topup`);
  await page.getByRole('button', { name: /^เติมเงิน ฿/ }).click();
  await expect(page.getByText('กำลังรอเงินเข้า')).toBeVisible();
  const charge = await chargeOn(page);

  await atBank(charge, 'expire');
  await expect(page.getByRole('heading', { name: 'QR นี้หมดเวลาแล้ว' })).toBeVisible();
  await atBank(charge, 'pay', { late: true });
  await expect(page.getByText(/^เงินเข้าแล้ว/)).toBeVisible();
  await expect(page.getByText(/หลัง QR หมดเวลา/)).toBeVisible();
});

test('somebody without money is at the QR of the exact price four taps after the market', async ({ browser }) => {
  const { page } = await customer(browser, spaOrg, 'สี่แตะ ทดสอบ');
  await page.goto(`${site(spaOrg)}/user/market`);
  let taps = 0;
  const tap = async (what: Locator) => {
    taps += 1;
    await what.click();
  };
  await tap(page.getByRole('link', { name: footBath }).first());
  await tap(page.getByRole('link', { name: /^ซื้อเลย/ }));
  await tap(page.getByRole('checkbox'));
  const foot = await page.locator('[data-slot=action-foot]').boundingBox();
  const tabs = await page.locator('[data-slot=bottom-tabs]').boundingBox();
  expect(foot && tabs && foot.y + foot.height <= tabs.y, 'the button stands above the tabs').toBe(true);
  await tap(page.getByRole('button', { name: /^จ่าย ฿ ?490 ?\.00 ด้วยพร้อมเพย์$/ }));
  await chargeOn(page);
  expect(taps).toBeLessThanOrEqual(4);
  await expect(page.getByText(price)).toBeVisible();
});

test('somebody who has to sign in first sees what he buys, and comes back to it', async ({ browser }) => {
  const { page } = await open(browser, phone);
  await openFootBath(page);
  await press(page, /^ซื้อเลย/);
  const wanted = page.getByRole('region', { name: 'ต่อด้วยการซื้อ' });
  await expect(wanted.getByText(footBath)).toBeVisible();
  await expect(wanted.getByText(price)).toBeVisible();
  await expectAccessible(page);
  const { search } = new URL(new URL(page.url()).searchParams.get('next') ?? '', page.url());

  await press(page, /LINE/);
  await page.getByLabel(/ชื่อที่แสดง/).fill('เข้าก่อนซื้อ ทดสอบ');
  await press(page, /เข้าด้วยชื่อนี้/);
  await expect(page.getByRole('button', { name: /^จ่าย ฿/ })).toBeVisible();
  expect(new URL(page.url()).search).toBe(search);
});

test('a top-up from the cart makes the order by itself, and only once', async ({ browser }) => {
  const { context, page } = await customer(browser, spaOrg, 'เติมแล้วซื้อ ทดสอบ');
  await shortOfMoney(page);
  await page.getByRole('checkbox').click();
  await press(page, /^เติมเงิน ฿/);
  const charge = await chargeOn(page);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByRole('timer')).toBeVisible();

  await atBank(charge, 'pay');
  for (const tab of [page, other]) {
    await expect(tab).toHaveURL(/\/user\/order\//);
    await expect(tab.getByText('ซื้อสำเร็จ')).toBeVisible();
  }
  expect(other.url()).toBe(page.url());
  await page.goto(`${site(spaOrg)}/user/activevoucher`);
  await expect(page.getByText(footBath)).toHaveCount(1);
  await expectBalance(page, '฿0.00');
});

test('a customer short of less than 100 baht reads why 100, or pays the exact price directly', async ({ browser }) => {
  const { page } = await customer(browser, spaOrg, 'ขาดนิดเดียว ทดสอบ');
  await topUp(page, 450);
  await shortOfMoney(page);
  await expect(page.getByText('ขาดอีก ฿40.00')).toBeVisible();
  await expect(page.getByRole('button', { name: 'เติมเงิน ฿100.00' })).toBeVisible();
  await expect(page.getByText(/เติมเงินขั้นต่ำ ฿100.00/)).toBeVisible();

  await payDirectly(page);
  await expect(page.getByText('กำลังรอเงินเข้า')).toBeVisible();
  await payAtBank(page);
  await expect(page.getByText('ซื้อสำเร็จ')).toBeVisible();
  await expect(page.getByText(/จ่ายด้วยพร้อมเพย์/)).toBeVisible();
  await expectBalance(page, '฿450.00');
});

test('an order waits for its money after the page was closed, and is paid by card as well', async ({ browser }) => {
  const { context, page } = await customer(browser, spaOrg, 'จ่ายตรง ทดสอบ');

  await test.step('by QR, on a page opened anew', async () => {
    await shortOfMoney(page);
    await payDirectly(page);
    await expect(page.getByText('กำลังรอเงินเข้า')).toBeVisible();
    await page.goto(`${site(spaOrg)}/user/activevoucher`);
    await expect(page.getByRole('link', { name: /รอการชำระเงิน/ })).toBeVisible();
    await page.close();
  });
  const again = await context.newPage();
  await again.goto(`${site(spaOrg)}/user/cart`);
  await again.getByRole('link', { name: /รอการชำระเงิน/ }).click();
  await expect(again.getByRole('timer')).toBeVisible();
  await payAtBank(again, { times: 3, reorder: true });
  await expect(again.getByText('ซื้อสำเร็จ')).toBeVisible();

  await test.step('by card, confirmed at the bank', async () => {
    await shortOfMoney(again);
    await fillCard(again);
    await payDirectly(again);
    await press(again, 'ยืนยันการชำระ');
    await expect(again.getByText('ซื้อสำเร็จ')).toBeVisible();
    await expect(again.getByText(/จ่ายด้วยบัตร/)).toBeVisible();
  });
  await again.goto(`${site(spaOrg)}/user/activevoucher`);
  await expect(again.getByText(footBath)).toHaveCount(2);
});

test('a payment of an expired order fills the wallet, and pays for the order from there', async ({ browser }) => {
  const { page } = await customer(browser, spaOrg, 'หมดเวลา ทดสอบ');
  await shortOfMoney(page);
  await payDirectly(page);
  await expect(page.getByText('กำลังรอเงินเข้า')).toBeVisible();
  const charge = await chargeOn(page);

  await atBank(charge, 'expire');
  await expect(page.getByRole('heading', { name: 'หมดเวลาจ่ายแล้ว' })).toBeVisible();
  await atBank(charge, 'pay', { late: true });
  await expect(page.getByText(/เงินเข้าหลังหมดเวลา/)).toBeVisible();

  await press(page, 'ใส่กลับลงตะกร้า');
  await press(page, /^จ่ายจาก Wallet/);
  await expect(page.getByText('ซื้อสำเร็จ')).toBeVisible();
});

test('a customer whose bank asks money back reads what is on hold, until the shop wins', async ({ browser }) => {
  const { page } = await customer(browser, spaOrg, 'เรียกคืน ทดสอบ');
  await page.goto(`${site(spaOrg)}/user/wallet/topup`);
  await page.getByRole('textbox').first().fill('500');
  await page.getByRole('button', { name: /^เติมเงิน ฿/ }).click();
  await expect(page.getByText('กำลังรอเงินเข้า')).toBeVisible();
  const charge = await chargeOn(page);
  await atBank(charge, 'pay');
  await expect(page.getByText(/^เงินเข้าแล้ว/)).toBeVisible();

  await openFootBath(page);
  await press(page, 'ใส่ตะกร้า');
  await page.goto(`${site(spaOrg)}/user/cart`);
  await page.getByRole('checkbox').first().click();
  await press(page, /^จ่ายจาก Wallet/);
  await expect(page.getByText('ซื้อสำเร็จ')).toBeVisible();

  /** Looks at the wallet until the gateway has sent it. */
  const soonInWallet = (shown: () => Promise<void>) =>
    expect(async () => {
      await page.goto(`${site(spaOrg)}/user/wallet`);
      await shown();
    }).toPass();
  const quick = { timeout: 3_000 };

  await atBank(charge, 'dispute');
  await soonInWallet(() => expect(page.getByText('เวาเชอร์บางใบถูกอายัดไว้')).toBeVisible(quick));
  await expectAccessible(page);
  await page.goto(`${site(spaOrg)}/user/activevoucher`);
  await page.getByText(footBath).first().click();
  await expect(page.getByText('ถูกอายัดไว้ ยังใช้ไม่ได้ตอนนี้')).toBeVisible();

  const { page: office } = await open(browser, desktop);
  await signInToOffice(office, site(spaOrg), 'owner', 'owner', 'owner2026');
  for (const table of ['customerlist', 'voucherlist', 'depositqrtransaction']) {
    await office.goto(`${site(spaOrg)}/owner/${table}?q=${encodeURIComponent('เรียกคืน ทดสอบ')}`);
    await office.locator('main td a').first().click();
    await office.getByRole('list', { name: 'เรื่องราว' }).waitFor();
    await expect(
      office
        .getByRole('main')
        .getByText(/อายัด|490\.00/)
        .first(),
    ).toBeVisible();
    await expectAccessible(office);
    for (const { viewport } of [phone, desktop]) {
      await office.setViewportSize(viewport);
      await expectInside(office);
    }
  }

  await atBank(charge, 'win');
  await soonInWallet(() => expect(page.locator('p', { hasText: /^฿/ }).first()).toHaveText('฿10.00', quick));
  await page.goto(`${site(spaOrg)}/user/activevoucher`);
  await page.getByText(footBath).first().click();
  await expect(page.getByRole('link', { name: 'ใช้', exact: true })).toBeVisible();
});

/** Every face of paying, as axe sees it. */
async function facesOfPaying(browser: Browser, lang: 'th' | 'en') {
  const { page } = await open(browser, phone, lang);
  await signIn(page, spaOrg, `จ่ายได้ทุกคน ${lang}`);
  const face = async () => {
    await page.waitForLoadState('networkidle');
    await expectAccessible(page);
  };

  await shortOfMoney(page);
  await face();
  await fillCard(page);
  await face();
  await page.getByRole('radio', { name: /พร้อมเพย์|PromptPay/ }).click();
  await payDirectly(page);
  await expect(page.getByRole('timer')).toBeVisible();
  await face();
  const first = await chargeOn(page);

  await page.goto(`${site(spaOrg)}/user/cart`);
  await expect(page.getByText(price)).toBeVisible();
  await face();
  await page.getByRole('link', { name: /รอการชำระเงิน|Waiting for payment/ }).click();
  await press(page, /ยกเลิกคำสั่งซื้อ|Cancel the order/);
  await expect(page.getByRole('heading', { name: /ยกเลิกคำสั่งซื้อแล้ว|is cancelled/ })).toBeVisible();
  await face();
  await atBank(first, 'pay');
  await expect(page.getByRole('heading', { name: /เงินเข้าแล้ว|in your Wallet/ })).toBeVisible();
  await face();

  await page.goto(`${site(spaOrg)}/user/wallet/topup?amount=30000&method=promptpay`);
  await expect(page.getByRole('timer')).toBeVisible();
  await face();
  await atBank(await chargeOn(page), 'expire');
  await expect(page.getByRole('heading', { name: /หมดเวลา|run out/ })).toBeVisible();
  await face();
}

for (const lang of ['th', 'en'] as const) {
  test(`the pages of paying are accessible in ${lang}`, async ({ browser }) => {
    test.slow();
    await facesOfPaying(browser, lang);
  });
}
