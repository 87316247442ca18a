import { type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { desk, hotel, open, phone, port, press, signIn, signInAtDesk, site, spa } from './people.ts';

async function accessible(page: Page, address: string) {
  await page.goto(address);
  await page.waitForLoadState('networkidle');
  await expectAccessible(page);
}

const everybody = ['/', '/home', '/aboutus', '/partner', '/contact', '/faq', '/termsandconditions'];
const customers = ['market', 'activevoucher', 'cart', 'profile', 'wallet', 'history', 'wallet/topup'];

const office = [
  'main',
  'customerlist',
  'dailytransaction',
  'packagelist',
  'giftvoucherlist',
  'vouchertypelist',
  'voucherlist',
  'agentlist',
  'agenttypelist',
  'stafflist',
  'permissionlist',
  'servicepointlist',
  'settingorganize',
  'settingpdpalist',
  'settingtermandconditionlist',
  'settingtag',
];

for (const lang of ['th', 'en'] as const) {
  test(`everybody can use the public site and the customers' app in ${lang}`, async ({ browser }) => {
    test.slow();
    const { page } = await open(browser, phone, lang);
    for (const path of everybody) await accessible(page, `http://localhost:${port}${path}`);
    await accessible(page, `${site(spa)}/user/home`);
    await signIn(page, spa, `เข้าถึงได้ ${lang}`);
    for (const path of customers) await accessible(page, `${site(spa)}/user/${path}`);
    await accessible(page, `${site(spa)}/welovevoucher/${spa.liff}/market`);
    await accessible(page, `${site(hotel)}/user/market`);
  });

  test(`everybody can use the back office in ${lang}`, async ({ browser }) => {
    test.slow();
    const admin = await open(browser, desk, lang);
    await accessible(admin.page, `http://localhost:${port}/advwsadmin/loginpage`);
    await signInAtDesk(admin.page, `http://localhost:${port}`, 'advwsadmin', 'admin', 'welovevoucher');
    for (const path of ['organize_list', 'organize_add'])
      await accessible(admin.page, `http://localhost:${port}/advwsadmin/${path}`);

    const door = await open(browser, phone, lang);
    await accessible(door.page, `${site(spa)}/staff/loginpage`);
    await signInAtDesk(door.page, site(spa), 'staff', 'door', 'door2026');
    for (const path of ['scanqrcode', 'activevouchertransaction'])
      await accessible(door.page, `${site(spa)}/staff/${path}`);

    const owner = await open(browser, desk, lang);
    await signInAtDesk(owner.page, site(spa), 'owner', 'owner', 'owner2026');
    for (const screen of office) await accessible(owner.page, `${site(spa)}/owner/${screen}`);

    const agent = await open(browser, phone, lang);
    await agent.page.goto(`${site(spa)}/weloveagent/${spa.agentLiff}`);
    await press(agent.page, /LINE/);
    await agent.page.getByText('นภัทร').first().click();
    await agent.page.waitForURL(/weloveagent/);
    for (const screen of ['home', 'history', 'profile', 'register']) {
      await accessible(agent.page, `${site(spa)}/weloveagent/${spa.agentLiff}/${screen}`);
    }
  });
}
