import { type Browser, expect, type Locator, type Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { scan, showQR, useAtCounter } from './counter.ts';
import {
  customer,
  desktop,
  hotel,
  open,
  payAtBank,
  phone,
  picture,
  port,
  press,
  readQR,
  signInToOffice,
  site,
  spaOrg,
} from './people.ts';
import { test } from './test.ts';

/** What the page's own site answers to a path. */
const status = (page: Page, path: string) => page.evaluate((url) => fetch(url).then((answer) => answer.status), path);

/** Buys a package with nothing in the wallet: topped up on the way, and the order makes itself. */
async function buyWithEmptyWallet(page: Page, name: RegExp) {
  await page.getByRole('navigation').getByRole('link', { name: 'ร้านค้า' }).last().click();
  await page.getByRole('link', { name }).first().click();
  await payShort(page);
}

/** From a package's page to its vouchers, short of money. */
async function payShort(page: Page) {
  await press(page, /ซื้อเลย/);
  await page.getByRole('checkbox').first().click();
  await press(page, /^เติมเงิน/);
  await expect(page.getByText('กำลังรอเงินเข้า')).toBeVisible();
  await payAtBank(page);
  await expect(page.getByText('ซื้อสำเร็จ')).toBeVisible();
}

/** The ring is whole within its ticket, and the typed code is there without scrolling. */
async function fitsOnTheScreen(page: Page) {
  const ticket = await page.locator('[data-slot="ticket"]').boundingBox();
  const ring = await page.locator('[data-slot="square-ring"]').boundingBox();
  if (!ticket || !ring) throw new Error('the screen shows no QR');
  expect(ring.x).toBeGreaterThanOrEqual(ticket.x);
  expect(ring.x + ring.width).toBeLessThanOrEqual(ticket.x + ticket.width);
  await expect(page.getByText(/^[A-Z2-9]{4} [A-Z2-9]{4}$/)).toBeInViewport({ ratio: 1 });
}

test('two organisations side by side: paid, bought, used at the shop, and neither sees the other', async ({
  browser,
}) => {
  test.slow(); // two customers, two batches and a camera: the way of two tests
  const ann = await customer(browser, spaOrg, 'แอน ทดสอบ');
  const bee = await customer(browser, hotel, 'บี ทดสอบ');

  await test.step('both buy', async () => {
    await buyWithEmptyWallet(ann.page, /นวดอโรมาน้ำมันอุ่น 90/);
    await buyWithEmptyWallet(bee.page, /บรันช์วันอาทิตย์/);
  });

  await test.step('each sees only what is hers', async () => {
    await ann.page.goto(`${site(spaOrg)}/user/activevoucher`);
    await expect(ann.page.getByText('เหลือ 3 จาก 3')).toBeVisible();
    await expect(ann.page.getByText('บรันช์')).toHaveCount(0);
    await bee.page.goto(`${site(hotel)}/user/activevoucher`);
    await expect(bee.page.getByText('บรันช์วันอาทิตย์ 1 ท่าน')).toBeVisible();
    await expect(bee.page.getByText('นวด')).toHaveCount(0);
    const picture = (await ann.page.locator('img[src^="/media/"]').first().getAttribute('src')) as string;
    expect(await status(ann.page, picture)).toBe(200);
    expect(await status(bee.page, picture)).toBe(404);
  });

  const staff = await open(browser, phone);
  await signInToOffice(staff.page, site(spaOrg), 'staff', 'door', 'door2026');
  await staff.page.getByRole('button', { name: /นิมมาน/ }).click();

  await test.step('the QR on the phone is used once; both screens change', async () => {
    await showQR(ann.page, spaOrg, /นิมมาน/);
    await ann.page.setViewportSize({ width: 360, height: 640 });
    await fitsOnTheScreen(ann.page);
    const code = await readQR(ann.page);
    await scan(staff.page, code);
    await expect(staff.page.getByRole('heading', { name: 'ใช้ได้' })).toBeVisible();
    await expect(staff.page.getByText('แอน ทดสอบ')).toBeVisible();
    await expect(ann.page.getByRole('heading', { name: 'พนักงานกำลังตรวจ' })).toBeVisible();
    await press(staff.page, /^ยกเลิก/);
    await expect(ann.page.getByRole('heading', { name: 'ยื่นให้พนักงานสแกน' })).toBeVisible();

    await scan(staff.page, await readQR(ann.page));
    await expect(ann.page.getByRole('heading', { name: 'พนักงานกำลังตรวจ' })).toBeVisible();
    await press(staff.page, /^ยืนยัน/);
    await expect(ann.page.getByRole('heading', { name: 'ใช้แล้ว 1 ครั้ง' })).toBeVisible();
    await expect(ann.page.getByText('เหลือ 2 จาก 3 ครั้ง')).toBeVisible();
    await expect(staff.page.getByRole('heading', { name: 'ใช้แล้ว' })).toBeVisible();
    await expect(staff.page.getByRole('heading', { name: 'ใช้แล้ว' })).toBeHidden(); // the next scan begins by itself

    await scan(staff.page, code);
    await expect(staff.page.getByRole('heading', { name: 'ใช้ไปแล้ว' })).toBeVisible();
    await press(staff.page, /สแกน/);
  });

  await test.step('her vouchers open without a connection, and are gone from the phone with her', async () => {
    const { context, page } = ann;
    await page.goto(`${site(spaOrg)}/user/activevoucher`);
    await page.waitForFunction(async () => (await navigator.serviceWorker.ready).active?.state === 'activated');
    await page.goto(`${site(spaOrg)}/user/activevoucher`);
    await page.getByRole('link', { name: /นวดอโรมาน้ำมันอุ่น 90/ }).click();
    await expect(page.getByRole('heading', { name: 'ประวัติของเวาเชอร์ใบนี้' })).toBeVisible();

    await context.setOffline(true);
    const [worker] = context.serviceWorkers();
    expect(await worker?.evaluate(() => fetch('/user/activevoucher').then(String, () => 'no connection'))).toBe(
      'no connection',
    );
    await page.goto(`${site(spaOrg)}/user/activevoucher`);
    await expect(page.getByText(/^ไม่มีสัญญาณ/)).toBeVisible();
    await expect(page.getByText('เหลือ 2 จาก 3')).toBeVisible();
    await page.getByRole('link', { name: /นวดอโรมาน้ำมันอุ่น 90/ }).click();
    await expect(page.getByRole('heading', { name: 'ประวัติของเวาเชอร์ใบนี้' })).toBeVisible();
    await page.reload();
    await expect(page.getByText(/^ไม่มีสัญญาณ/)).toBeVisible();
    await expect(page.getByRole('heading', { name: 'ประวัติของเวาเชอร์ใบนี้' })).toBeVisible();
    await context.setOffline(false);

    await page.goto(`${site(spaOrg)}/user/profile`);
    await press(page, 'ออกจากระบบ');
    await page.getByRole('dialog').getByRole('button', { name: 'ออกจากระบบ' }).click();
    await expect(page).toHaveURL(/\/home/);
    expect(await page.evaluate(() => localStorage.getItem('vouchers'))).toBeNull();
    const cached = await page.evaluate(async () => {
      const texts = [];
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) texts.push(await (await cache.match(request))?.text());
      }
      return texts.join('');
    });
    expect(cached).not.toContain('แอน ทดสอบ');
  });

  await test.step('another organisation’s code and nonsense are refused differently', async () => {
    await showQR(bee.page, hotel, /วารี/);
    await scan(staff.page, await readQR(bee.page));
    await expect(staff.page.getByRole('heading', { name: 'ของร้านอื่น' })).toBeVisible();
    await press(staff.page, /สแกน/);
    await scan(staff.page, 'ZZZZ9999');
    await expect(staff.page.getByRole('heading', { name: 'ไม่รู้จัก' })).toBeVisible();
  });
});

/** What an owner may need from his first page to his first sale; a person reads and thinks besides. */
const most = { taps: 12, seconds: 45 };

/** From the empty shop's first page to a customer who has bought: counted in taps, fields and seconds, and printed. */
async function firstSale(browser: Browser) {
  const shop = `http://doi-coffee.localhost:${port}`;
  const { page } = await open(browser, desktop);
  await signInToOffice(page, shop, 'owner', 'doi', 'doi2026');
  await expect(page.getByRole('heading', { name: 'เปิดร้านให้ขายได้วันนี้' })).toBeVisible();
  const began = Date.now();
  let taps = 0;
  const tap = async (target: Locator) => {
    taps++;
    await target.click();
  };
  const write = async (label: string, text: string) => {
    taps++;
    await page.getByLabel(label, { exact: true }).fill(text);
  };

  await expect(page.getByRole('img', { name: 'เรียบร้อย' })).not.toHaveCount(0);
  await tap(page.getByRole('link', { name: 'ทำแพ็กเกจ' }));
  await tap(page.getByRole('button', { name: 'บันทึกและเปิดขาย' }));
  const missing = page.getByRole('group', { name: /ยังเปิดขายไม่ได้/ });
  await expect(missing.getByRole('button')).toHaveCount(5);
  await expect(page.locator('[aria-invalid=true]')).toHaveCount(5);

  taps++;
  await page.locator('input[type=file]').first().setInputFiles(picture('tea.jpg'));
  await tap(page.getByRole('button', { name: 'ใช้ส่วนนี้' }));
  await expect(page.getByRole('dialog')).toHaveCount(1); // the picture's dialog keeps the focus until it is uploaded
  await write('ชื่อภาษาไทย', 'กาแฟดริปดอยช้าง 5 แก้ว');
  await write('ราคาขาย', '450');
  await write('ลูกค้าได้อะไร', 'กาแฟดริป 1 แก้ว');
  await write('ชื่อจุดบริการแรก', 'ร้านหน้าดอย');
  await tap(page.getByRole('button', { name: 'เพิ่มจุดบริการ' }));
  await expect(page.getByRole('checkbox', { name: 'ร้านหน้าดอย' })).toBeVisible();
  await tap(page.getByRole('button', { name: 'บันทึกและเปิดขาย' }));
  await expect(page.getByRole('heading', { name: 'ขายได้แล้ว ส่งให้ลูกค้าคนแรกเลย' })).toBeVisible();
  const link = (await page.getByRole('link', { name: 'ดูหน้าร้าน' }).getAttribute('href')) as string;
  const seconds = (Date.now() - began) / 1000;
  console.log(`an empty shop sells after ${taps} taps and fields, ${seconds.toFixed(1)} s`);
  expect(taps).toBeLessThanOrEqual(most.taps);
  expect(seconds).toBeLessThanOrEqual(most.seconds);
  expect(await readQR(page)).toBe(link);

  const buyer = await customer(browser, { ...spaOrg, unique: 'doi-coffee' }, 'ลูกค้าคนแรก');
  await buyer.page.goto(link);
  await payShort(buyer.page);
  await page.goto(`${shop}/owner/main`);
  await expect(page.getByText('ขายอยู่ 1 แพ็ก')).toBeVisible();
  await page.goto(`${shop}/owner/orderlist`);
  await expect(page.getByText('ลูกค้าคนแรก').first()).toBeVisible();
}

test('an admin opens an organisation, its site is live in its own colours, and its owner sells', async ({
  browser,
}) => {
  const { page } = await open(browser, desktop);
  await signInToOffice(page, `http://localhost:${port}`, 'advwsadmin', 'admin', 'welovevoucher');
  await page.getByRole('link', { name: 'องค์กร', exact: true }).first().click();
  await press(page, 'เปิดองค์กรใหม่');
  const next = () => page.getByRole('button', { name: 'ถัดไป' }).click();

  await page.getByLabel('ชื่อภาษาไทย').fill('ร้านกาแฟดอยช้าง ทดสอบ');
  await page.getByLabel('ชื่อภาษาอังกฤษ').fill('Doi Coffee');
  await page.getByLabel('ชื่อย่อ').fill('doi-coffee');
  await next();
  await page.getByText('เติบโต').first().click();
  await next();
  await page.getByLabel('Channel ID').fill('1657000077');
  await page.getByLabel('Channel secret').fill('secret-of-doi-coffee');
  await page.getByLabel('ร้านค้าและเวาเชอร์').fill('1657000077-doicoffe');
  await next();
  await next();
  await page.locator('input[type=file]').setInputFiles(picture('logo-ice.jpg'));
  await page.getByRole('button', { name: 'ใช้ส่วนนี้' }).click();
  await expect(page.getByRole('button', { name: 'นำโลโก้ออก' })).toBeVisible();
  await page.getByLabel('สีหลัก').fill('#5b3a29');
  await next();
  await page.getByLabel('ชื่อ', { exact: true }).fill('คุณดอย');
  await page.getByLabel('ชื่อผู้ใช้').fill('doi');
  await page.getByLabel('รหัสผ่านแรก').fill('doi2026');
  await page.getByRole('button', { name: 'เปิดองค์กร', exact: true }).click();
  await expect(page).toHaveURL(/organize_edit|organize\//);
  await expect(page.getByText('เปิดแล้ว').or(page.getByText('100%')).first()).toBeVisible();

  const visitor = await open(browser, phone);
  await visitor.page.goto(`http://doi-coffee.localhost:${port}/welovevoucher/1657000077-doicoffe/market`);
  await expect(visitor.page).toHaveTitle(/ร้านกาแฟดอยช้าง ทดสอบ/);
  const brand = await visitor.page.evaluate(() =>
    getComputedStyle(document.documentElement).getPropertyValue('--brand'),
  );
  expect(brand.trim()).toBe('#5b3a29');
  const logo = visitor.page.locator('img[data-slot=org-mark]').filter({ visible: true }).first();
  await expect(logo).toHaveAttribute('src', /^\/media\//);
  await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);

  await test.step('its owner sells the first package', () => firstSale(browser));
});

test('an agent sells by link, and sees the commission waiting', async ({ browser }) => {
  const agent = await open(browser, phone);
  await agent.page.goto(`${site(spaOrg)}/weloveagent/${spaOrg.agentLiff}`);
  await press(agent.page, /LINE/);
  await agent.page.getByText('นภัทร').first().click();
  await agent.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await press(agent.page, /^แชร์ ประคบ/);
  await agent.page.getByRole('dialog').getByRole('button', { name: /คัดลอก/ }).click();
  const link = await agent.page.evaluate(() => navigator.clipboard.readText());
  expect(link).toContain('?link=');

  const buyer = await customer(browser, spaOrg, 'ผู้ซื้อผ่านลิงก์');
  await buyer.page.goto(link);
  await payShort(buyer.page);

  await agent.page.goto(`${site(spaOrg)}/weloveagent/${spaOrg.agentLiff}/history`);
  await expect(agent.page.getByText('฿790.00').first()).toBeVisible();
  await expect(agent.page.getByText('+39.50').first()).toBeVisible();
});

/** Uses one item of the first voucher at the counter; the answer in the inbox leads to the page that asks who it was. */
async function useAndDenyIt(page: Page, staff: Page) {
  await useAtCounter(page, spaOrg, staff, /นิมมาน/);
  await page.goto(`${site(spaOrg)}/user/inbox`);
  await page
    .getByRole('link', { name: /^ใช้แล้ว/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { name: 'ใช่คุณหรือเปล่า' })).toBeVisible();
  await expectAccessible(page);
  await press(page, 'ไม่ใช่ฉัน');
  await page.getByRole('dialog').getByRole('button', { name: 'ไม่ใช่ฉัน' }).click();
  await expect(page.getByText('รับเรื่องแล้ว')).toBeVisible();
  await expectAccessible(page);
}

test('a use that was not the holder is decided in the office: one stands, the next is undone', async ({ browser }) => {
  test.slow();
  const name = `ไม่ใช่ฉัน ${Date.now() % 100000}`;
  const { page } = await customer(browser, spaOrg, name);
  await buyWithEmptyWallet(page, /นวดอโรมาน้ำมันอุ่น 90/);
  const staff = (await open(browser, phone)).page;
  await signInToOffice(staff, site(spaOrg), 'staff', 'door', 'door2026');
  await staff.getByRole('button', { name: /นิมมาน/ }).click();
  const office = (await open(browser, desktop)).page;
  await signInToOffice(office, site(spaOrg), 'owner', 'owner', 'owner2026');

  /** The newest objection of hers, opened from the list. */
  const openCase = async () => {
    await office.goto(`${site(spaOrg)}/owner/objection?search=${encodeURIComponent(name)}`);
    await office.locator('main tbody tr', { hasText: 'รอคุณตัดสิน' }).getByRole('link').first().click();
    await expect(office.getByRole('heading', { name: `${name} บอกว่าไม่ได้ใช้` })).toBeVisible();
    await expect(office.getByRole('list', { name: 'นาทีต่อนาที' })).toContainText('เข้าสู่ระบบด้วย LINE');
    await expectAccessible(office);
  };
  const decide = async (choice: RegExp, button: string, answer: string) => {
    await office.getByRole('radio', { name: choice }).click();
    await office.getByLabel(/^ข้อความถึง/).fill(answer);
    await press(office, button);
    await office.getByRole('dialog').getByRole('button', { name: button }).click();
  };

  await useAndDenyIt(page, staff);
  await openCase();
  await decide(/^ใช้จริง/, 'ยืนยันว่าใช้จริง', 'กล้องเห็นคุณพาเพื่อนมา');
  await expect(office.getByRole('heading', { name: 'ยืนยันว่าใช้จริง' })).toBeVisible();
  await page.goto(`${site(spaOrg)}/user/inbox`);
  await page
    .getByRole('link', { name: /^ร้านยืนยันว่าใช้จริง/ })
    .first()
    .click();
  await expect(page.getByText(/กล้องเห็นคุณพาเพื่อนมา/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'ไม่ใช่ฉัน' })).toHaveCount(0);

  await useAndDenyIt(page, staff);
  await openCase();
  await decide(/^คืนให้/, 'คืนให้ลูกค้า', 'พนักงานสแกนผิดใบ');
  await expect(office.getByRole('heading', { name: 'คืนให้ลูกค้าแล้ว' })).toBeVisible();
  await expectAccessible(office);
  await page.goto(`${site(spaOrg)}/user/inbox`);
  await page
    .getByRole('link', { name: /^คืนให้คุณแล้ว/ })
    .first()
    .click();
  await press(page, 'ดูเวาเชอร์ใบใหม่');
  await expect(page.getByText(/1 จาก 1 ครั้ง/)).toBeVisible();
});
