import { type Browser, expect, type Page } from '@playwright/test';
import { buyPackage, callAs, hotel, line, lineHosts, phone, press, site, spaOrg } from './people.ts';
import { test } from './test.ts';

/** LINE's own hosts are found at the emulator, over TLS; LIFF's kit is the one that is published, unchanged. */
test.use({
  launchOptions: async ({ launchOptions }, use) => {
    await use({
      ...launchOptions,
      args: [...(launchOptions.args ?? []), `--host-resolver-rules=MAP *.line.me ${lineHosts}`],
    });
  },
});

/** The spa's apps for resale and for gifts. */
const [tradeLiff, giftLiff] = ['1657000001-welovetr', '1657000001-welovegi'];

const android =
  'Mozilla/5.0 (Linux; Android 13; SM-A536E; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/128.0 Mobile Safari/537.36';

/** A page of LINE's app: its LIFF window, where LINE says who is there, or its browser for any other link. */
async function insideLine(browser: Browser, window: 'LIFF' | 'browser'): Promise<Page> {
  const context = await browser.newContext({
    ...phone,
    ignoreHTTPSErrors: true,
    locale: 'th-TH',
    timezoneId: 'Asia/Bangkok',
    userAgent: `${android} Line/14.19.1${window === 'LIFF' ? ' LIFF' : '/IAB'}`,
  });
  // What the app itself puts into a LIFF window.
  if (window === 'LIFF') {
    await context.addInitScript(() =>
      Object.assign(globalThis, { _liff: { features: [], postMessage: () => undefined } }),
    );
  }
  const page = await context.newPage();
  page.on('pageerror', (error) => {
    throw error;
  });
  return page;
}

/** A tap on a LIFF link inside LINE. */
async function tap(page: Page, person: string, liffId: string, path = '') {
  const answer = await fetch(`${line}/emulator/open`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ person, liff_id: liffId, path }),
  });
  expect(answer.ok).toBe(true);
  await page.goto((await answer.json()).url);
}

const callsTo = async (path: string): Promise<{ host: string; status: number }[]> =>
  (await (await fetch(`${line}/emulator/calls`)).json()).filter((call: { path: string }) => call.path === path);

test('a LIFF window knows the person without a tap, and leaves no token in the address', async ({ browser }) => {
  const page = await insideLine(browser, 'LIFF');
  await tap(page, 'ลิฟ ในไลน์', spaOrg.liff, '/profile');

  await expect(page.getByText('ลิฟ ในไลน์')).toBeVisible();
  await expect(page).toHaveURL(`${site(spaOrg)}/welovevoucher/${spaOrg.liff}/profile`);
  expect((await callsTo('/oauth2/v2.1/verify')).some((call) => call.host.startsWith('api.line.me'))).toBe(true);

  await test.step('opened again, the session goes on', async () => {
    await tap(page, 'ลิฟ ในไลน์', spaOrg.liff, '/activevoucher');
    await expect(page).toHaveURL(`${site(spaOrg)}/welovevoucher/${spaOrg.liff}/activevoucher`);
    await expect(page.getByRole('heading', { name: 'เวาเชอร์ของฉัน' })).toBeVisible();
  });
});

test('a LIFF window of the agent app leads a person who is no agent to the registration', async ({ browser }) => {
  const page = await insideLine(browser, 'LIFF');
  await tap(page, 'คนใหม่ อยากขาย', spaOrg.agentLiff);
  await expect(page).toHaveURL(`${site(spaOrg)}/weloveagent/${spaOrg.agentLiff}/register`);
});

test("another organisation's tokens do not open this one", async ({ browser }) => {
  const page = await insideLine(browser, 'LIFF');
  const answer = await fetch(`${line}/emulator/open`, {
    method: 'POST',
    body: JSON.stringify({ person: 'ลิฟ โรงแรม', liff_id: hotel.liff }),
  });
  const foreign = new URL((await answer.json()).url).hash;
  await page.goto(`${site(spaOrg)}/welovevoucher/${spaOrg.liff}/profile${foreign}`);
  await expect(page.getByRole('button', { name: /LINE/ })).toBeVisible();
  await expect(page.getByText('ลิฟ โรงแรม')).toHaveCount(0);
});

test("in LINE's browser a link leads to its page, LINE's own sign-in and friends", async ({ browser }) => {
  const page = await insideLine(browser, 'browser');
  await page.goto(`https://liff.line.me/${spaOrg.liff}/market`);
  await expect(page).toHaveURL(`${site(spaOrg)}/welovevoucher/${spaOrg.liff}/market`);
  await page
    .getByRole('link', { name: /นวดอโรมาน้ำมันอุ่น 90/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/market\/[0-9a-f-]+$/);

  await page.goto(`${site(spaOrg)}/welovevoucher/${spaOrg.liff}/wallet`);
  await press(page, /LINE/);
  await expect(page).toHaveURL(/^https:\/\/access\.line\.me\/liff\/v1\/authorize/);
  await page.getByLabel('ชื่อที่แสดง').fill('ไอเอบี ในไลน์');
  await page.getByRole('button', { name: 'เข้าด้วยชื่อนี้' }).click();
  await expect(page).toHaveURL(`${site(spaOrg)}/welovevoucher/${spaOrg.liff}/wallet`);
  await expect(page.getByText('0.00').first()).toBeVisible();

  await test.step('shares with a friend through the picker', async () => {
    await page.goto(`${site(spaOrg)}/welovevoucher/${spaOrg.liff}/market`);
    await page
      .getByRole('link', { name: /นวดอโรมาน้ำมันอุ่น 90/ })
      .first()
      .click();
    const opened = page.waitForEvent('popup');
    await press(page, 'แชร์');
    const picker = await opened;
    await picker.getByText('ณัฐกานต์').click();
    await picker.getByRole('button', { name: /ส่ง/ }).click();
    await expect
      .poll(async () => (await (await fetch(`${line}/emulator/messages`)).text()).includes('นวดอโรมาน้ำมันอุ่น 90'))
      .toBe(true);
  });
});

test("in LINE's browser a link of the board or of a gift survives LINE's own sign-in", async ({ browser }) => {
  const page = await insideLine(browser, 'browser');
  const voucher = '01a21be1-05e6-7d7b-bb91-5ace8eb71661';
  await page.goto(`https://liff.line.me/${tradeLiff}/sale/${spaOrg.unique}/${voucher}?page=a%2Fb`);
  const base = `${site(spaOrg)}/welovevoucher/${tradeLiff}`;
  await expect(page).toHaveURL(new RegExp(`^${base}/home\\?`));
  await press(page, /LINE/);
  await page.getByLabel('ชื่อที่แสดง').fill('ลิงก์ ขายต่อ');
  await page.getByRole('button', { name: 'เข้าด้วยชื่อนี้' }).click();
  await expect(page).toHaveURL(`${base}/activevoucher/${voucher}/sell?page=a%2Fb`);

  const other = await insideLine(browser, 'LIFF');
  await tap(other, 'ลิงก์ ของขวัญ', giftLiff, '?ref=nobody');
  await expect(other).toHaveURL(`${site(spaOrg)}/transferuser/${giftLiff}?ref=nobody`);
  await expect(other.getByRole('heading', { name: 'ไม่พบของขวัญชิ้นนี้' })).toBeVisible();
  await tap(other, 'ลิงก์ ของขวัญ', tradeLiff, `/buy/${spaOrg.unique}/${voucher}`);
  await expect(other).toHaveURL(`${base}/trade/${voucher}`);
});

test('in a browser that is not LINE a LIFF link leads to its page all the same', async ({ browser }) => {
  const context = await browser.newContext({ ...phone, ignoreHTTPSErrors: true, locale: 'th-TH' });
  const page = await context.newPage();
  await page.goto(`https://liff.line.me/${spaOrg.liff}/market?ref=abc`);
  await expect(page).toHaveURL(new RegExp(`/welovevoucher/${spaOrg.liff}/market`));
  await expect(page.getByRole('link', { name: /นวดอโรมาน้ำมันอุ่น 90/ }).first()).toBeVisible();

  await page.goto(`https://liff.line.me/${spaOrg.liff}/transferdata?ref=nobody`);
  await expect(page).toHaveURL(/\/transferdata\?ref=nobody$/);
  await expect(page.getByRole('heading', { name: 'ไม่พบของขวัญชิ้นนี้' })).toBeVisible();
});

test('a gift and an ang-pao go to a friend as cards through the picker, and open in LINE', async ({ browser }) => {
  const page = await insideLine(browser, 'browser');
  await page.goto(`${site(spaOrg)}/welovevoucher/${spaOrg.liff}/wallet`);
  await press(page, /LINE/);
  await page.getByLabel('ชื่อที่แสดง').fill('ผู้ให้ ในไลน์');
  await page.getByRole('button', { name: 'เข้าด้วยชื่อนี้' }).click();
  await expect(page.getByText('0.00').first()).toBeVisible();
  const voucher = await buyPackage(page, spaOrg, /นวดอโรมาน้ำมันอุ่น 90/);

  for (const [people, words, opens, takes] of [
    [1, 'ของขวัญชิ้นนี้ให้เธอ', 'แกะของขวัญ', 'รับของขวัญ'],
    [2, 'อั่งเปาซองนี้ของทุกคน', 'เปิดซอง', 'รับ 1 ซอง'],
  ] as const) {
    const gift = await callAs(page, 'user', '/api/user/transfer/create', {
      ...{ voucher_id: voucher, items: 1, people, card: 'thanks', to_name: '', words, digits: '' },
    });
    await page.goto(`${site(spaOrg)}/welovevoucher/${spaOrg.liff}/gift/${gift.id}`);
    const opened = page.waitForEvent('popup');
    await press(page, 'ส่งใน LINE');
    const picker = await opened;
    await picker.getByText('ณัฐกานต์').click();
    await picker.getByRole('button', { name: /ส่ง/ }).click();
    await expect(page.getByText('ส่งลิงก์แล้ว').first()).toBeVisible();
    const sent = await (await fetch(`${line}/emulator/messages`)).json();
    const card = JSON.stringify(sent.find((one: object) => JSON.stringify(one).includes(gift.ref)));
    expect(card).toContain('"type":"flex"');
    expect(card).toContain(`"uri":"${line}/${giftLiff}?ref=${gift.ref}"`);
    expect(card).toContain(words);

    const taker = await insideLine(browser, 'LIFF');
    await tap(taker, `ผู้รับ ${people} ในไลน์`, giftLiff, `?ref=${gift.ref}`);
    await press(taker, opens);
    await expect(taker.getByText(words)).toBeVisible();
    await press(taker, takes);
    await expect(taker.getByRole('heading', { name: 'เป็นของคุณแล้ว' })).toBeVisible();
  }
});

test('in a browser that is not LINE a link of the board survives the sign-in of somebody new', async ({ browser }) => {
  const context = await browser.newContext({ ...phone, ignoreHTTPSErrors: true, locale: 'th-TH' });
  const page = await context.newPage();
  const voucher = '01a21be1-05e6-7d7b-bb91-5ace8eb71661';
  const base = `${site(spaOrg)}/welovevoucher/${tradeLiff}`;
  const path = `/sale/${spaOrg.unique}/${voucher}?page=a%2Fb&ref=AGENT`;
  await page.goto(`${site(spaOrg)}/tradeuser/${tradeLiff}?liff.state=${encodeURIComponent(path)}`);
  await expect(page).toHaveURL(new RegExp(`^${base}/home\\?`));
  await press(page, /LINE/);
  await page.getByLabel('ชื่อที่แสดง').fill('คนใหม่ ขายต่อ');
  await page.getByRole('button', { name: 'เข้าด้วยชื่อนี้' }).click();
  await expect(page).toHaveURL(`${base}/activevoucher/${voucher}/sell?page=a%2Fb&ref=AGENT`);

  await page.goto(`https://liff.line.me/${tradeLiff}/buy/${spaOrg.unique}/${voucher}?page=a%2Fb`);
  await expect(page).toHaveURL(`${base}/trade/${voucher}?page=a%2Fb`);
});
