import type { Page } from '@playwright/test';
import { scan } from './counter.ts';
import {
  atBank,
  callAs,
  chargeOn,
  customer,
  freshMobile,
  payAtBank,
  picture,
  port,
  press,
  readQR,
  signIn,
  signInToOffice,
  site,
  type spaOrg,
  unanswered,
} from './people.ts';

/** One screen of somebody's: how he comes to it from the one before. */
export interface Screen {
  name: string;
  show(page: Page): Promise<unknown>;
}

/** Somebody with what he sees, in the order in which he walks through it. Every screen of the three apps is here. */
export interface Walk {
  name: string;
  /** What he holds in his hand; who has both is looked at in both. */
  on: ('phone' | 'desktop')[];
  /** Does it follow an organisation's colours? */
  themed?: boolean;
  enter(page: Page, org: Organisation): Promise<unknown>;
  screens(org: Organisation): Screen[];
}

export type Organisation = typeof spaOrg;

const platform = `http://localhost:${port}`;

const at = (name: string, address: string): Screen => ({ name, show: (page) => page.goto(address) });

/** A screen of an app that is there already: its router goes to the address, as it does by a link. The first of a walk is loaded. */
const within = (name: string, address: string): Screen => ({ name, show: (page) => goWithin(page, address) });

async function goWithin(page: Page, address: string) {
  if (new URL(page.url()).origin !== new URL(address).origin) return page.goto(address);
  await page.evaluate((to) => history.pushState(null, '', to), address);
  return page.waitForURL(address);
}

/** Signs somebody of the demo in on LINE's page. */
async function pickInLine(page: Page, person: string) {
  await press(page, /LINE/);
  await page.getByText(person).first().click();
  await comeBack(page);
}

/** Back from LINE, and signed in: the next step waits until the page has its session. */
async function comeBack(page: Page) {
  await page.waitForURL(/localhost:\d+\/(user|weloveagent)/);
  await settled(page);
}

const shown = (page: Page, text: RegExp) => page.getByText(text).filter({ visible: true }).first().waitFor();
const click = (page: Page, text: RegExp) => page.getByText(text).filter({ visible: true }).first().click();

const visitor: Walk = {
  name: 'site',
  on: ['phone', 'desktop'],
  enter: async () => undefined,
  screens: () => [
    at('home', `${platform}/`),
    at('about', `${platform}/aboutus`),
    at('partner', `${platform}/partner`),
    at('contact', `${platform}/contact`),
    at('faq', `${platform}/faq`),
    at('terms', `${platform}/termsandconditions`),
    at('forgot-password', `${platform}/online/forgotpassword`),
  ],
};

/** A shop's own public site. */
const passerby: Walk = {
  name: 'shop',
  on: ['phone', 'desktop'],
  themed: true,
  enter: async () => undefined,
  screens: (org) => [
    at('home', `${site(org)}/`),
    at('places', `${site(org)}/contact`),
    at('questions', `${site(org)}/faq`),
    at('terms', `${site(org)}/termsandconditions`),
  ],
};

const regular: Walk = {
  name: 'customer',
  on: ['phone', 'desktop'],
  themed: true,
  enter: async () => undefined,
  screens: (org) => {
    const user = (path: string) => `${site(org)}/user/${path}`;
    return [
      at('sign-in', user('home')),
      {
        name: 'market',
        async show(page) {
          await page.goto(user('profile'));
          await pickInLine(page, 'มะลิ');
          await page.goto(user('market'));
        },
      },
      { name: 'package', show: (page) => page.locator('a[href*="/market/"]').first().click() },
      at('vouchers', user('activevoucher')),
      {
        name: 'voucher', // one that can be used
        async show(page) {
          const use = await page.locator('a[href*="/activevoucher/"][href$="/use"]').first().getAttribute('href');
          await page
            .locator(`a[href="${use?.replace(/\/use$/, '')}"]`)
            .first()
            .click();
        },
      },
      { name: 'voucher-no-place', show: closePlaces },
      at('history', user('history')),
      at('orders', user('orders')),
      { name: 'order', show: (page) => page.locator('a[href*="/orders/"]').first().click() },
      {
        name: 'receipt',
        show: (page) => press(page, /ใบเสร็จ|Receipt/).then(() => page.getByRole('article').waitFor()),
      },
      at('gifts', user('gifts')),
      at('scan-gift', user('scanqrcodegift')),
      at('inbox', user('inbox')),
      at('wallet', user('wallet')),
      at('wallet-statement', user('wallet/statement')),
      at('wallet-cashout', user('wallet/cashout')),
      at('topup', user('wallet/topup')),
      at('profile', user('profile')),
      at('profile-edit', user('profile/edit')),
      at('mobile', user('profile/mobile')),
      { name: 'mobile-code', show: askForCode },
      at('questions', user('faq')),
      { name: 'question', show: (page) => page.locator('summary').first().click() },
      at('consents', user('consents')),
      at('my-data', user('mydata')),
    ];
  },
};

/** On the page of the mobile number, the code that was sent. */
async function askForCode(page: Page) {
  await page.locator('input[type="tel"]').fill(freshMobile());
  await press(page, /ทาง SMS|by SMS/);
  await page.locator('input[autocomplete="one-time-code"]').waitFor();
}

/** The same voucher after every place that took it has closed. */
async function closePlaces(page: Page) {
  await changeAnswers(
    page,
    (url) => url.pathname.startsWith('/api/user/voucher/detail'),
    ({ detail }) => {
      detail.where = [];
    },
  );
  await page.reload();
  await shown(page, /ไม่มีสาขาที่รับ|No place takes/);
  await page.unrouteAll({ behavior: 'wait' });
}

let strangers = 0;

/** Texts that an organisation asks for at sign-in; the demo's ask when something is bought. */
const asked = {
  result: true,
  code: 200,
  detail: {
    data: ['pdpa', 'terms'].map((kind, i) => ({
      _id: `00000000-0000-7000-8000-00000000000${i}`,
      kind,
      purpose: 'customer',
      name_th: kind === 'pdpa' ? 'การใช้ข้อมูลส่วนบุคคล' : 'ข้อตกลงการใช้งาน',
      name_en: kind === 'pdpa' ? 'Use of personal data' : 'Terms of use',
      body_th: 'เราใช้ชื่อและรูปจาก LINE เพื่อส่งมอบเวาเชอร์และยืนยันตัวตน ณ จุดบริการ\n'.repeat(8),
      body_en: 'We use your name and picture from LINE to deliver vouchers and to know you at the counter.\n'.repeat(8),
    })),
  },
};

const newcomer: Walk = {
  name: 'newcomer',
  on: ['phone', 'desktop'],
  enter: (page, org) => signIn(page, org, `ใหม่ ${++strangers} ${Date.now() % 100000}`),
  screens: (org) => {
    const user = (path: string) => `${site(org)}/user/${path}`;
    return [
      {
        name: 'consent',
        async show(page) {
          await page.route('**/api/user/consent/open', (route) => route.fulfill({ json: asked }));
          await page.goto(user('market'));
          await page.getByRole('heading', { name: /ก่อนไปต่อ|Before you go on/ }).waitFor();
        },
      },
      {
        name: 'vouchers-none',
        async show(page) {
          await page.unroute('**/api/user/consent/open');
          await page.goto(user('activevoucher'));
        },
      },
      at('cart-empty', user('cart')),
      at('history-none', user('history')),
      at('orders-none', user('orders')),
      at('wallet-empty', user('wallet')),
      at('wallet-statement-empty', user('wallet/statement')),
      at('wallet-cashout-empty', user('wallet/cashout')),
      at('member-none', user('member')),
      at('register-member', user('registermember')),
      { name: 'register-member-form', show: (page) => page.locator('a[href*="card="]').first().click() },
      {
        name: 'cart-insufficient',
        async show(page) {
          await page.goto(user('market'));
          await page.locator('a[href*="/market/"]').first().click();
          await press(page, /ซื้อเลย|Buy now/);
          await page.getByRole('button', { name: /^(เติมเงิน|Top up) ฿/ }).waitFor();
        },
      },
      {
        name: 'cart-card',
        show: (page) => page.getByRole('radio', { name: /บัตร|card/ }).click(),
      },
      {
        name: 'cart-consent-missing',
        show: (page) => press(page, /^(จ่าย|Pay) ฿/),
      },
      {
        name: 'topup-qr',
        async show(page) {
          await page.getByRole('checkbox').first().click();
          await press(page, /^(เติมเงิน|Top up)/);
          await shown(page, /กำลังรอเงินเข้า|Waiting/);
        },
      },
      {
        name: 'bought',
        async show(page) {
          await payAtBank(page);
          await shown(page, /ซื้อสำเร็จ|Successfully purchased the voucher/);
        },
      },
      {
        name: 'use',
        async show(page) {
          await page.goto(user('activevoucher'));
          await press(page, /^(ใช้|Use)$/);
          await page.waitForURL(/\/use$/);
        },
      },
      {
        name: 'use-qr',
        async show(page) {
          const place = page.getByRole('radio').first();
          if (await place.isVisible()) await place.click({ force: true });
          await press(page, /เปิด QR|Show the QR/);
          await shown(page, /ยื่นให้พนักงาน|staff/);
        },
      },
      { name: 'voucher-in-use', show: (page) => page.goto(user('activevoucher')) },
      {
        name: 'topup-done',
        async show(page) {
          await page.goto(`${user('wallet/topup')}?amount=500000&method=promptpay`);
          await shown(page, /กำลังรอเงินเข้า|Waiting/);
          await payAtBank(page);
          await shown(page, /^เงินเข้าแล้ว|is in your Wallet/);
        },
      },
      {
        name: 'cart',
        async show(page) {
          await page.goto(user('market'));
          await page.locator('a[href*="/market/"]').first().click();
          await press(page, /ซื้อเลย|Buy now/);
          await page.getByRole('button', { name: /^(จ่ายจาก Wallet|Pay from Wallet)/ }).waitFor();
        },
      },
      {
        name: 'order-waiting',
        async show(page) {
          await page.getByRole('radio', { name: /พร้อมเพย์|PromptPay/ }).click();
          await press(page, /^(จ่าย|Pay) ฿/);
          await page.getByRole('timer').waitFor();
        },
      },
      { name: 'cart-waiting', show: (page) => page.goto(user('cart')) },
      {
        name: 'order-late',
        async show(page) {
          await page.getByRole('link', { name: /รอการชำระเงิน|Waiting for payment/ }).click();
          const charge = await chargeOn(page);
          await atBank(charge, 'expire');
          await shown(page, /หมดเวลาจ่าย|time to pay is over/);
          await atBank(charge, 'pay', { late: true });
          await shown(page, /หลังหมดเวลา|after the time was over/);
        },
      },
      at('no-such-package', user('market/00000000-0000-7000-8000-000000000000')),
    ];
  },
};

const scanning: Walk = {
  name: 'staff',
  on: ['phone'],
  enter: async () => undefined,
  screens: (org) => {
    let code = '';
    return [
      at('sign-in', `${site(org)}/staff/loginpage`),
      {
        name: 'place',
        async show(page) {
          await signInToOffice(page, site(org), 'staff', 'door', 'door2026');
          await page.getByRole('button', { name: /นิมมาน|Nimman/ }).waitFor();
        },
      },
      { name: 'scan', show: (page) => page.getByRole('button', { name: /นิมมาน|Nimman/ }).click() },
      {
        name: 'result-ok',
        async show(page) {
          const holder = await customer(page.context().browser() as never, org, `ผู้ถือ ${Date.now() % 100000}`);
          await buyAndOpen(holder.page, org);
          code = await readQR(holder.page);
          await scan(page, code);
          await page.getByRole('heading', { name: /^(ใช้ได้|Good to use)/ }).waitFor();
          await holder.context.close();
        },
      },
      {
        name: 'confirmed',
        async show(page) {
          await press(page, /^(ยืนยัน|Confirm)/);
          await press(page, /^(ค้างหน้านี้ไว้|Stay on this page)/);
        },
      },
      {
        name: 'result-used',
        async show(page) {
          await press(page, /สแกน|[Ss]can/);
          await scan(page, code);
          await page.getByRole('heading', { name: /ใช้ไปแล้ว|Already used|Used/ }).waitFor();
        },
      },
      {
        name: 'result-unknown',
        async show(page) {
          await press(page, /สแกน|[Ss]can/);
          await scan(page, 'ZZZZ9999');
          await page.getByRole('heading', { name: /ไม่รู้จัก|Unknown|Not known/ }).waitFor();
        },
      },
      at('today', `${site(org)}/staff/activevouchertransaction`),
    ];
  },
};

/** Somebody new pays for the first package on sale and opens its QR at the first place. */
async function buyAndOpen(page: Page, org: Organisation) {
  await page.goto(`${site(org)}/user/market`);
  await page.locator('a[href*="/market/"]').first().click();
  await press(page, /ซื้อเลย|Buy now/);
  await page.getByRole('checkbox').first().click();
  await press(page, /^จ่าย ฿/);
  await shown(page, /กำลังรอเงินเข้า|Waiting/);
  await payAtBank(page);
  await shown(page, /ซื้อสำเร็จ/);
  await page.goto(`${site(org)}/user/activevoucher`);
  await press(page, /^ใช้$/);
  await click(page, /นิมมาน/);
  await press(page, 'เปิด QR');
  await shown(page, /ยื่นให้พนักงานสแกน/);
}

/** A payout as the API answers it; the demo's shops have paid none out yet. */
const payout = {
  id: '00000000-0000-7000-8000-000000000001',
  reference: 'P261031-00001',
  state: 'paid',
  left_out: '',
  pay_day: '2026-10-30',
  gross_satang: 9_621_00,
  withheld_satang: 288_63,
  net_satang: 9_332_37,
  bank: '014',
  account_digits: '1180',
  paid_on: '2026-11-02',
  reason: '',
};

const payouts = [
  { ...payout, state: 'booked', pay_day: '2026-11-30', paid_on: null },
  payout,
  { ...payout, state: 'failed', pay_day: '2026-09-30', paid_on: null, reason: 'ชื่อบัญชีไม่ตรง' },
  {
    ...payout,
    state: 'left_out',
    left_out: 'below_minimum',
    pay_day: '2026-08-31',
    paid_on: null,
    gross_satang: 380_00,
  },
].map((one, i) => ({ ...one, id: payout.id.replace(/.$/, String(i)) }));

const payoutLines = [
  { what: 'taken_back', why: 'refund', amount_satang: -329_00 },
  { what: 'matured', why: '', amount_satang: 9_950_00 },
].map((line, i) => ({
  ...line,
  order_id: payout.id,
  number: `LM-261020-000${i}`,
  name_th: 'นวดอโรมาน้ำมันอุ่น 90 นาที',
  name_en: 'Aroma massage of 90 minutes',
  pieces: 1,
  base_satang: 99_500_00,
  at: '2026-10-20T08:00:00Z',
}));

/** Answers a call of the page with this. */
const answer = (page: Page, call: string, detail: unknown) =>
  page.route(`**${call}`, (route) => route.fulfill({ json: { result: true, code: 200, message: '', detail } }));

const agent: Walk = {
  name: 'agent',
  on: ['phone', 'desktop'],
  themed: true,
  enter: async () => undefined,
  screens: (org) => {
    const own = (path: string) => `${site(org)}/weloveagent/${org.agentLiff}/${path}`;
    return [
      at('sign-in', own('home')),
      {
        name: 'home',
        async show(page) {
          await pickInLine(page, 'นภัทร');
          await page.goto(own('home'));
        },
      },
      { name: 'my-qr', show: (page) => press(page, /QR/).then(() => page.getByRole('dialog').waitFor()) },
      at('history', own('history')),
      at('payouts-none', own('payouts')),
      {
        name: 'payouts',
        async show(page) {
          await answer(page, '/api/agent/payout/list', { data: payouts, next: null });
          await answer(page, '/api/agent/payout/detail', {
            ...payout,
            lines: payoutLines,
            certificate: 'WT00000-6911-000012',
          });
          await page.goto(own('payouts'));
        },
      },
      { name: 'payout', show: (page) => page.locator('a[href*="/payouts/"]').nth(1).click() },
      {
        name: 'profile',
        async show(page) {
          await page.unrouteAll({ behavior: 'wait' });
          await page.goto(own('profile'));
        },
      },
    ];
  },
};

const wouldBeAgent: Walk = {
  name: 'would-be-agent',
  on: ['phone'],
  async enter(page, org) {
    await page.goto(`${site(org)}/weloveagent/${org.agentLiff}/home`);
    await press(page, /LINE/);
    await page.getByLabel(/ชื่อที่แสดง|Display name/).fill(`อยากขาย ${Date.now() % 100000}`);
    await page.getByRole('button', { name: /เข้าด้วยชื่อนี้|with this name/i }).click();
    await comeBack(page);
  },
  screens: (org) => [
    at('register', `${site(org)}/weloveagent/${org.agentLiff}/register`),
    {
      name: 'register-form',
      show: (page) => press(page, /กรอกใบสมัคร|Fill in the form/),
    },
  ],
};

/** The lists of the office with the form of their first record, and of a new one where one can be added. */
const tables: [path: string, adds: boolean][] = [
  ['customerlist', false],
  ['contactuslist', false],
  ['orderlist', false],
  ['depositqrtransaction', false],
  ['packagelist', true],
  ['giftvoucherlist', true],
  ['discountlist', true],
  ['discountuselist', false],
  ['discountcodelist', false],
  ['vouchertypelist', true],
  ['voucherlist', false],
  ['transfertransaction', false],
  ['boardtransaction', false],
  ['caselist', false],
  ['refundrequest', false],
  ['objection', false],
  ['memberlist', false],
  ['membercardtypelist', true],
  ['agentlist', false],
  ['commissionholdlist', false],
  ['agenttypelist', true],
  ['agentsetting', true],
  ['stafflist', true],
  ['auditlog', false],
  ['servicepointlist', true],
  ['partnerlist', true],
  ['partnerratelist', true],
  ['closurelist', true],
  ['settingpdpalist', true],
  ['settingtermandconditionlist', true],
  ['settingtag', true],
  ['settingcalendar', true],
  ['definestatuslist', true],
  ['faq', true],
  ['paymentoptionlist', false],
  ['customertypelist', true],
  ['salechannellist', true],
  ['servicelist', true],
  ['slotlist', true],
  ['sizelist', true],
  ['qrtypelist', true],
];

/** The reports of the office, beside the daily one. */
const reports = [
  'soldtransaction',
  'activevouchertransaction',
  'wallettransaction',
  'pointtransaction',
  'walletfloat',
  'discountreport',
  'unearnedreport',
  'breakagereport',
  'report01',
  'report02',
  'report03',
  'report04',
  'agentgeneratesaletransaction',
  'linkreport',
  'agentcommissiontransaction',
  'agentvouchercommissiontransaction',
  'agentpaycommissiontransaction',
  'payoutreport',
];

/** What stands behind the person's picture in the back office. */
async function openPersonMenu(page: Page) {
  await page.locator('button[aria-haspopup=menu]').filter({ visible: true }).first().click();
  await page.getByRole('menu').waitFor();
}

/** The run of payouts that is drafted; somebody else may draft it at the same moment. */
async function draftOf(page: Page): Promise<string> {
  const next = () => callAs(page, 'owner', '/api/owner/payoutrun/next', {});
  const { draft_id, up_to, pay_day } = await next();
  if (draft_id) return draft_id;
  const draft = callAs(page, 'owner', '/api/owner/payoutrun/draft', {
    kind: 'agent',
    up_to,
    pay_day,
    minimum_satang: 100_00,
  });
  return draft.then(({ id }) => id).catch(async () => (await next()).draft_id);
}

const owner: Walk = {
  name: 'owner',
  on: ['desktop', 'phone'],
  themed: true,
  enter: async () => undefined,
  screens: (org) => {
    const office = (path: string) => `${site(org)}/owner/${path}`;
    return [
      at('sign-in', office('loginpage')),
      at('register-no-invitation', office('register/staff')),
      {
        name: 'main',
        async show(page) {
          await signInToOffice(page, site(org), 'owner', 'owner', 'owner2026');
          await page.goto(office('main'));
        },
      },
      { name: 'person-menu', show: openPersonMenu },
      at('rights', office('permissionlist')),
      within('organisation', office('settingorganize')),
      within('theme', office('settingtheme')),
      within('contact details', office('settingcontactus')),
      within('approvals', office('approval')),
      within('approval setting', office('settingapproval')),
      within('bank account', office('settingaccount')),
      within('settlements', office('settlementlist')),
      within('board setting', office('settingboard')),
      within('wallet setting', office('settingwallet')),
      within('bank transfers', office('banktransfer')),
      within('cashouts', office('cashout')),
      within('payouts', office('paycommissiontransaction')),
      within('payout setting', office('settingpayout')),
      within('payouts by agent', office('payoutlist')),
      within('tax certificates', office('taxcertificatelist')),
      within('tax files', office('taxreturnlist')),
      {
        name: 'payout draft', // of the first who looks; for the next ones it is open
        async show(page) {
          await goWithin(page, office('paycommissiontransaction'));
          await press(page, /^(เปิดรอบใหม่|ดูร่างที่เปิดอยู่|Draft a run|Look at the draft)$/);
        },
      },
      {
        name: 'payout run',
        async show(page) {
          await goWithin(page, office(`paycommissiontransaction/${await draftOf(page)}`));
          await shown(page, /^(ยังไม่โอน|Left out): /);
        },
      },
      {
        name: 'payout of an agent',
        show: (page) => page.locator('main a[href*="/payoutlist/"]').first().click(),
      },
      within('line messages', office('settingline')),
      within('word of what is sold', office('settingproduct')),
    ];
  },
};

const enterOffice: Walk['enter'] = (page, org) => signInToOffice(page, site(org), 'owner', 'owner', 'owner2026');

const reporting: Walk = {
  name: 'owner-reports',
  on: ['desktop', 'phone'],
  themed: true,
  enter: enterOffice,
  screens: (org) => {
    const office = (path: string) => `${site(org)}/owner/${path}`;
    return [
      within('daily', office('dailytransaction')),
      {
        name: 'daily-choice',
        show: (page) =>
          page
            .getByRole('combobox')
            .first()
            .click()
            .then(() => page.getByRole('listbox').waitFor()),
      },
      ...reports.map((path) => within(path, office(path))),
    ];
  },
};

const third = Math.ceil(tables.length / 3);

/** The tables of the same office, in walks beside each other. */
const tabling: Walk[] = ['owner-tables', 'owner-more-tables', 'owner-last-tables'].map((name, n) => ({
  name,
  on: ['desktop', 'phone'],
  themed: true,
  enter: enterOffice,
  screens: (org) => {
    const office = (path: string) => `${site(org)}/owner/${path}`;
    return tables.slice(n * third, (n + 1) * third).flatMap(([path, adds]): Screen[] => [
      within(path, office(path)),
      {
        name: `${path}-record`,
        show: (page) => page.locator('main :is(td, li) a[href*="/owner/"]').filter({ visible: true }).first().click(),
      },
      ...(adds ? [within(`${path}-add`, office(`${path}/new`))] : []),
      ...(path === 'packagelist' ? [pictureRefused(office(`${path}/new`))] : []),
      ...(path === 'memberlist' ? [adjustPoints] : []),
    ]);
  },
}));

/** At a member's record, that is open. */
const adjustPoints: Screen = {
  name: 'adjust-points',
  async show(page) {
    await press(page, /^(ปรับแต้ม|Adjust points)$/);
    await page.getByRole('dialog', { name: /^(ปรับแต้ม|Adjust points)$/ }).waitFor();
  },
};

function pictureRefused(form: string): Screen {
  return {
    name: 'picture-refused',
    async show(page) {
      await goWithin(page, form);
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name: 'menu.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') });
      await shown(page, /ไม่ใช่รูป|not a picture/);
    },
  };
}

/** The wizard's next step. */
const next = (page: Page) => press(page, /^(ถัดไป|Next)$/);

const admin: Walk = {
  name: 'admin',
  on: ['desktop', 'phone'],
  enter: async () => undefined,
  screens: () => [
    at('sign-in', `${platform}/advwsadmin/loginpage`),
    {
      name: 'overview',
      async show(page) {
        await signInToOffice(page, platform, 'advwsadmin', 'admin', 'welovevoucher');
        await page.goto(`${platform}/advwsadmin/main`);
      },
    },
    within('customers', `${platform}/advwsadmin/user_list`),
    within('staff', `${platform}/advwsadmin/staff_list`),
    within('wallets', `${platform}/advwsadmin/wallet_list`),
    within('invitation', `${platform}/advwsadmin/staff_add`),
    within('vouchers', `${platform}/advwsadmin/voucher_list`),
    within('payments', `${platform}/advwsadmin/deposit_list`),
    within('templates', `${platform}/advwsadmin/template_list`),
    within('template-new', `${platform}/advwsadmin/template_add`),
    within('payment-systems', `${platform}/advwsadmin/paymentsystem`),
    within('jobs', `${platform}/advwsadmin/job_list`),
    within('organisations', `${platform}/advwsadmin/organize_list`),
    {
      name: 'organisation',
      async show(page) {
        await page.locator('a[href*="organize_edit"]').filter({ visible: true }).first().click();
        await page.getByRole('heading', { name: /เปิดแล้ว|is open/ }).waitFor();
      },
    },
    {
      name: 'organisation-plan',
      show: (page) => press(page, /^(เปลี่ยนแผน|Change the plan)$/),
    },
    {
      name: 'organisation-suspend',
      async show(page) {
        await page.keyboard.press('Escape');
        await press(page, /^(ระงับ|Suspend)$/);
        await page.getByRole('dialog').waitFor();
      },
    },
    {
      name: 'person-menu',
      async show(page) {
        await page.keyboard.press('Escape');
        await openPersonMenu(page);
      },
    },
    at('plans', `${platform}/advwsadmin/package_list`),
    within('plan-add', `${platform}/advwsadmin/package_add`),
    within('announcements', `${platform}/advwsadmin/announcement_list`),
    within('bank-holidays', `${platform}/advwsadmin/bankholiday_list`),
    within('audit-log', `${platform}/advwsadmin/auditlog_list`),
    within('admins', `${platform}/advwsadmin/admin_list`),
    { name: 'admin', show: (page) => page.locator('a[href*="admin_edit"]').filter({ visible: true }).first().click() },
    within('accounts', `${platform}/advwsadmin/account_list`),
    within('settlement-runs', `${platform}/advwsadmin/settlement_list`),
    within('open-names', `${platform}/advwsadmin/organize_add`),
    {
      name: 'open-plan',
      async show(page) {
        await page.getByLabel(/ชื่อภาษาไทย|Name in Thai/).fill('ร้านกาแฟดอยช้าง');
        await page.getByLabel(/ชื่อภาษาอังกฤษ|Name in English/).fill('Doi Coffee');
        await page.getByLabel(/ชื่อย่อ|Short name/).fill(`doi-${Date.now() % 100000}`);
        await next(page);
      },
    },
    { name: 'open-line', show: (page) => click(page, /เติบโต|Growth|Grow/).then(() => next(page)) },
    { name: 'open-payment', show: next },
    { name: 'open-look', show: next },
    {
      name: 'open-look-crop',
      async show(page) {
        await page.locator('input[type=file]').setInputFiles(picture('logo-spa.jpg'));
        await page.getByRole('dialog').waitFor();
      },
    },
    {
      name: 'open-look-logo',
      async show(page) {
        await press(page, /^(ใช้ส่วนนี้|Use this part)$/);
        await page.getByRole('button', { name: /^(นำโลโก้ออก|Remove the logo)$/ }).waitFor();
      },
    },
    { name: 'open-owner', show: next },
  ],
};

export const walks: Walk[] = [
  visitor,
  passerby,
  regular,
  newcomer,
  scanning,
  agent,
  wouldBeAgent,
  owner,
  reporting,
  ...tabling,
  admin,
];

/** Lets the platform answer, and a test change the answer on its way to the page. */
export async function changeAnswers(
  page: Page,
  calls: (url: URL) => boolean,
  // biome-ignore lint/suspicious/noExplicitAny: any answer of any operation
  change: (body: any) => void,
) {
  await page.route(calls, async (route) => {
    // Only browsers know that a name below localhost is this machine.
    const url = new URL(route.request().url());
    const headers = { ...route.request().headers(), host: url.host };
    url.hostname = 'localhost';
    const response = await route.fetch({ url: url.href, headers });
    const body = await response.json();
    change(body);
    await route.fulfill({ response, json: body });
  });
}

/** How long nothing may be loading until a page counts as there: a step by a link begins to load a little later. */
const stillness = 300;

/**
 * Waits until a page has asked for nothing for half a second that is not answered. Playwright's own `networkidle` counts by frame, and never comes where a frame
 * went away while it loaded.
 */
async function answered(page: Page) {
  const asked = unanswered.get(page);
  if (!asked) throw new Error('a page of a browser that open did not make');
  await page.waitForLoadState('load');
  let since = Date.now();
  for (const end = since + 60_000; Date.now() - since < 500; await page.waitForTimeout(50)) {
    if (asked.size > 0) since = Date.now();
    if (Date.now() > end) throw new Error(`not answered: ${[...asked].map((request) => request.url()).join(' ')}`);
  }
}

/** A page that has all it asked for, with its letters and the parts that are fetched when they are needed. */
export async function settled(page: Page) {
  await answered(page);
  const asked = `settled-${Math.random()}`;
  await page.waitForFunction(
    ([name, ms]) => {
      const since = window as unknown as Record<string, number | undefined>;
      const now = performance.now();
      if (document.querySelector('[data-slot=skeleton]')) since[name] = undefined;
      else since[name] ??= now;
      return now - (since[name] ?? now) > ms;
    },
    [asked, stillness] as const,
    { polling: 50 }, // by frames, as it is otherwise, the browser would make sixty of them a second
  );
  await page.evaluate(() => document.fonts.ready);
}
