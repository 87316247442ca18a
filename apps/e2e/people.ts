import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, expect, type Page, type Request } from '@playwright/test';
import decodeQR from 'qr/decode.js';

export const port = Number(process.env.E2E_PORT ?? 8400);
export const line = `http://localhost:${port + 1}`;
/** Where LINE's own hosts are answered for, over TLS. */
export const lineHosts = `127.0.0.1:${port + 4}`;
const pay = `http://localhost:${port + 2}`;
const sms = `http://localhost:${port + 3}`;
const mail = `http://localhost:${port + 5}`;

/** One of the demo's own pictures. */
export const picture = (name: string) => fileURLToPath(new URL(`../../tools/demo/pictures/${name}`, import.meta.url));

/** The demo's organisations that the tests act in. */
export const spaOrg = {
  unique: 'lamai',
  name: 'เรือนละไม สปา',
  liff: '1657000001-welovesu',
  agentLiff: '1657000001-weloveag',
};
export const hotel = {
  unique: 'sathorn',
  name: 'โรงแรมสาทรวารี',
  liff: '1657000002-welovesu',
  agentLiff: '1657000002-weloveag',
};
type Organisation = typeof spaOrg;

export const site = (org: Organisation) => `http://${org.unique}.localhost:${port}`;

export const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
export const desktop = { viewport: { width: 1440, height: 900 } };

/** What a page has asked for and not got yet. */
export const unanswered = new WeakMap<Page, Set<Request>>();

/**
 * A browser of somebody's own, in Thai unless said otherwise. Whatever breaks on its pages fails the test. `still`: nothing moves on
 * them, and a point of theirs is one of the screen's, which saves a third of the browser's painting.
 */
export async function open(
  browser: Browser,
  size: typeof phone | typeof desktop,
  lang: 'th' | 'en' = 'th',
  { still = false } = {},
) {
  const context = await browser.newContext({
    ...size,
    ...(still ? { reducedMotion: 'reduce', deviceScaleFactor: 1 } : {}),
    locale: lang === 'th' ? 'th-TH' : 'en-GB',
    timezoneId: 'Asia/Bangkok',
  });
  for (const org of [spaOrg, hotel]) await context.addCookies([{ name: 'lang', value: lang, url: site(org) }]);
  await context.addCookies([{ name: 'lang', value: lang, url: `http://localhost:${port}` }]);
  const page = await context.newPage();
  page.on('pageerror', (error) => {
    throw error;
  });
  const asked = new Set<Request>();
  page.on('request', (request) => asked.add(request));
  page.on('requestfinished', (request) => asked.delete(request));
  page.on('requestfailed', (request) => asked.delete(request));
  unanswered.set(page, asked);
  return { context, page };
}

/** Signs a person in through LINE's own page; a name that nobody has yet makes a new person. */
export async function signIn(page: Page, org: Organisation, name: string) {
  await page.goto(`${site(org)}/user/profile`);
  await page.getByRole('button', { name: /LINE/ }).first().click();
  await page.getByLabel(/ชื่อที่แสดง|Display name/).fill(name);
  await page.getByRole('button', { name: /เข้าด้วยชื่อนี้|with this name/i }).click();
  await expect(page).toHaveURL(new RegExp(`${org.unique}.localhost:${port}/user/`));
}

/** Somebody with a phone in one organisation. */
export async function customer(
  browser: Browser,
  org: Organisation,
  name: string,
): Promise<{ page: Page; context: BrowserContext }> {
  const opened = await open(browser, phone);
  await signIn(opened.page, org, name);
  return opened;
}

/** Presses what is called so, be it a button or a link. */
export async function press(page: Page, name: string | RegExp) {
  await page.getByRole('button', { name }).or(page.getByRole('link', { name })).first().click();
}

/** Signs an owner, staff or an admin in by name and password. */
export async function signInToOffice(
  page: Page,
  base: string,
  area: 'owner' | 'staff' | 'advwsadmin',
  name: string,
  password: string,
) {
  await page.goto(`${base}/${area}`);
  await page.getByLabel(/ชื่อผู้ใช้|User name/).fill(name);
  await page.getByLabel(/^(รหัสผ่าน|Password)$/).fill(password);
  await page.getByRole('button', { name: /^(เข้าสู่ระบบ|Sign in)$/ }).click();
  await expect(page).not.toHaveURL(/loginpage/);
}

/** What a camera reads off the QR that the page shows now. */
export async function readQR(page: Page): Promise<string> {
  const picture = (await page.screenshot({ scale: 'css' })).toString('base64');
  const pixels = await page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
    context.drawImage(image, 0, 0);
    const { width, height, data } = context.getImageData(0, 0, image.width, image.height);
    return { width, height, text: Array.from(data, (byte) => String.fromCharCode(byte)).join('') };
  }, picture);
  return decodeQR({
    width: pixels.width,
    height: pixels.height,
    data: Uint8Array.from(Buffer.from(pixels.text, 'latin1')),
  });
}

/** The charge whose QR the page shows: a bank's app would read it off the picture. */
export async function chargeOn(page: Page): Promise<string> {
  const qr = page.locator('img[src*="/charges/"]');
  await qr.waitFor();
  const id = /\/charges\/([^/]+)\//.exec((await qr.getAttribute('src')) ?? '')?.[1];
  if (!id) throw new Error(`${page.url()} shows the QR of no charge`);
  return id;
}

/** Makes something happen to a charge at the gateway: what the customer's bank, or ten minutes, would do. */
export async function atBank(
  charge: string,
  event: 'pay' | 'fail' | 'expire' | 'refund' | 'dispute' | 'win',
  how: Record<string, unknown> = {},
) {
  const answer = await fetch(`${pay}/emulator/charges/${charge}/${event}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(how),
  });
  expect(answer.ok).toBe(true);
}

/** Pays the charge whose QR the page shows. */
export async function payAtBank(page: Page, how: Record<string, unknown> = {}) {
  await atBank(await chargeOn(page), 'pay', how);
}

/** A session's proof of identity, as LIFF would hand it to the page. */
export async function idToken(person: string, channel: string): Promise<string> {
  const answer = await fetch(`${line}/emulator/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ person, client_id: channel }),
  });
  return (await answer.json()).id_token;
}

/** A mobile number that no code was sent to: each may ask for few. */
export const freshMobile = () => `08${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`;

/** The code in the last text message to a mobile number. */
export async function codeSentTo(mobile: string): Promise<string> {
  const to = encodeURIComponent(mobile.replace(/^0/, '+66'));
  const [last] = await (await fetch(`${sms}/emulator/messages?to=${to}`)).json();
  const code = /\b\d{6}\b/.exec(last?.text ?? '')?.[0];
  if (!code) throw new Error(`no code was sent to ${mobile}`);
  return code;
}

/** Calls the API as the page that is signed in would. */
export function callAs(page: Page, audience: 'owner' | 'user', path: string, body: unknown) {
  return page.evaluate(
    async ([audience, path, body]) => {
      const headers = {
        'content-type': 'application/json',
        authorization: `Bearer ${localStorage.getItem(`token:${audience}`)}`,
        'idempotency-key': crypto.randomUUID(),
      };
      const answer = await (await fetch(String(path), { method: 'POST', headers, body: JSON.stringify(body) })).json();
      if (!answer.result) throw new Error(`${path}: ${answer.fault}`);
      return answer.detail;
    },
    [audience, path, body],
  );
}

/** Fills the wallet of who is signed in and buys from it the first package of a name; the id of its first voucher. */
export async function buyPackage(page: Page, org: Organisation, name: RegExp): Promise<string> {
  await page.goto(`${site(org)}/user/market`);
  const address = await page.getByRole('link', { name }).first().getAttribute('href');
  const topUp = await callAs(page, 'user', '/api/user/wallet/topup', { amount_satang: 500_000, method: 'promptpay' });
  await atBank(topUp.charge_id, 'pay');
  const balance = async () => (await callAs(page, 'user', '/api/user/getwallet', {})).balance_satang;
  await expect.poll(balance).toBeGreaterThanOrEqual(500_000);
  const lines = [{ package_id: address?.split('/').pop(), quantity: 1 }];
  const { hash, consents } = await callAs(page, 'user', '/api/user/order/quote', { lines });
  const accepted = consents.map(({ _id }: { _id: string }) => _id);
  const { vouchers } = await callAs(page, 'user', '/api/user/order/confirm', { lines, hash, accepted, lang: 'th' });
  return vouchers[0].id;
}

/** The e-mails that came for an address, newest first. */
export async function mailTo(address: string): Promise<{ subject: string; text: string }[]> {
  return (await fetch(`${mail}/emulator/messages?to=${encodeURIComponent(address)}`)).json();
}
