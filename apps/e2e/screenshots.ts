import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, type Page, test } from '@playwright/test';
import { customer, desk, hotel, open, phone, press, signIn, signInAtDesk, site, spa } from './people.ts';

// Every screen as a picture, to be looked at beside design/visual/pictures: `make screenshots`.
const folder = fileURLToPath(new URL('../../.cache/screenshots/', import.meta.url));
mkdirSync(folder, { recursive: true });

async function shoot(page: Page, name: string, address?: string) {
  if (address) await page.goto(address);
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: `${folder}${name}.png`, animations: 'disabled' });
}

const yimwan = { unique: 'yimwan', name: 'ยิ้มหวาน', liff: '1657000003-welovesu', agentLiff: '1657000003-weloveag' };

for (const [size, shape] of [
  ['phone', phone],
  ['desk', desk],
] as const) {
  for (const lang of ['th', 'en'] as const) {
    test(`customers ${size} ${lang}`, async ({ browser }) => {
      test.slow();
      const { page } = await open(browser, shape, lang);
      await shoot(page, `home-${size}-${lang}`, 'http://localhost:8400/');
      await shoot(page, `org-home-${size}-${lang}`, `${site(spa)}/user/home`);
      await signIn(page, spa, 'ณัฐกานต์ ภาพถ่าย');
      await shoot(page, `market-${size}-${lang}`, `${site(spa)}/user/market`);
      await shoot(page, `market-hotel-${size}-${lang}`, `${site(hotel)}/user/market`);
      await shoot(page, `market-icecream-${size}-${lang}`, `${site(yimwan)}/user/market`);
      await page.goto(`${site(spa)}/user/market`);
      await page
        .getByRole('link', { name: lang === 'th' ? /นวดอโรมา/ : /aroma massage/i })
        .first()
        .click();
      await shoot(page, `package-${size}-${lang}`);
      await press(page, lang === 'th' ? /ซื้อเลย/ : /Buy/);
      await shoot(page, `cart-insufficient-${size}-${lang}`);
      for (const screen of ['wallet', 'wallet/topup', 'activevoucher', 'history', 'profile']) {
        await shoot(page, `${screen.replace('/', '-')}-${size}-${lang}`, `${site(spa)}/user/${screen}`);
      }
    });
  }
}

test('vouchers, the QR and the dark', async ({ browser }) => {
  const { page, context } = await demoCustomer(browser);
  await shoot(page, 'my-vouchers-phone-th', `${site(spa)}/user/activevoucher`);
  await page.locator('a[href*="/activevoucher/"]').first().click();
  await shoot(page, 'voucher-detail-phone-th');
  await context.addCookies([{ name: 'theme', value: 'dark', url: site(spa) }]);
  await page.reload();
  await shoot(page, 'voucher-detail-phone-dark');
  await shoot(page, 'market-phone-dark', `${site(spa)}/user/market`);
  await context.addCookies([{ name: 'theme', value: 'light', url: site(spa) }]);
  await page.goto(`${site(spa)}/user/activevoucher`);
  await press(page, /^ใช้$/);
  await page.getByText(/นิมมาน/).filter({ visible: true }).first().click();
  await shoot(page, 'use-choose-phone-th');
  await press(page, 'เปิด QR');
  await shoot(page, 'use-qr-phone-th');
});

/** One who has bought and paid before. */
async function demoCustomer(browser: Browser) {
  const opened = await open(browser, phone);
  await opened.page.goto(`${site(spa)}/user/profile`);
  await press(opened.page, /LINE/);
  await opened.page.getByText('มะลิ').first().click();
  await opened.page.waitForURL(/\/user\//);
  return opened;
}

test('the door, the desk, the agent', async ({ browser }) => {
  test.slow();
  const door = await open(browser, phone);
  await shoot(door.page, 'staff-login-phone-th', `${site(spa)}/staff/loginpage`);
  await signInAtDesk(door.page, site(spa), 'staff', 'door', 'door2026');
  await shoot(door.page, 'staff-place-phone-th');
  await door.page.getByRole('button', { name: /นิมมาน/ }).click();
  await shoot(door.page, 'staff-scan-phone-th');
  await shoot(door.page, 'staff-today-phone-th', `${site(spa)}/staff/activevouchertransaction`);

  const admin = await open(browser, desk);
  await signInAtDesk(admin.page, 'http://localhost:8400', 'advwsadmin', 'admin', 'welovevoucher');
  await shoot(admin.page, 'admin-list-desk-th');
  await shoot(admin.page, 'admin-opening-desk-th', 'http://localhost:8400/advwsadmin/organize_add');

  const owner = await open(browser, desk);
  await signInAtDesk(owner.page, site(spa), 'owner', 'owner', 'owner2026');
  await shoot(owner.page, 'owner-main-desk-th');
  for (const screen of [
    'packagelist',
    'vouchertypelist',
    'servicepointlist',
    'settingorganize',
    'permissionlist',
    'dailytransaction',
  ]) {
    await shoot(owner.page, `owner-${screen}-desk-th`, `${site(spa)}/owner/${screen}`);
  }

  const agent = await customer(browser, spa, 'ยังไม่ใช่ตัวแทน');
  await agent.page.goto(`${site(spa)}/weloveagent/${spa.agentLiff}`);
  await press(agent.page, /LINE/);
  await agent.page.getByText('นภัทร').first().click();
  await agent.page.waitForURL(/weloveagent/);
  await shoot(agent.page, 'agent-home-phone-th', `${site(spa)}/weloveagent/${spa.agentLiff}/home`);
  await shoot(agent.page, 'agent-history-phone-th', `${site(spa)}/weloveagent/${spa.agentLiff}/history`);
});
