import { mkdirSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { desktop, hotel, open, phone, port, spaOrg } from './people.ts';
import { changeAnswers, type Organisation, settled, type Walk, walks } from './screens.ts';
import { folder } from './sheets.ts';
import { test } from './test.ts';

// Every screen as a picture, to be looked at beside design/visual/pictures: `make screenshots`.
const icecream: Organisation = {
  unique: 'yimwan',
  name: 'ยิ้มหวาน',
  liff: '1657000003-welovesu',
  agentLiff: '1657000003-weloveag',
};
const shapes = { phone, desktop };

/** How everything is looked at: in Thai one by one, and for the rest on one sheet. */
const previews: { name: string; org: Organisation; lang: 'th' | 'en'; theme: 'light' | 'dark'; walks: Walk[] }[] = [
  { name: 'th', org: spaOrg, lang: 'th', theme: 'light', walks },
  { name: 'en', org: spaOrg, lang: 'en', theme: 'light', walks },
  { name: 'dark', org: spaOrg, lang: 'th', theme: 'dark', walks },
  ...[hotel, icecream].map((org) => ({
    name: org.unique,
    org,
    lang: 'th' as const,
    theme: 'light' as const,
    walks: walks.filter((walk) => walk.themed),
  })),
];

async function take(page: Page, face: string, name: string) {
  await settled(page);
  mkdirSync(`${folder}${face}`, { recursive: true });
  await page.screenshot({ path: `${folder}${face}/${name}.png`, animations: 'disabled' });
}

for (const face of previews) {
  for (const walk of face.walks) {
    for (const size of walk.on) {
      test(`${face.name} ${walk.name} ${size}`, async ({ browser }) => {
        const screens = walk.screens(face.org);
        test.setTimeout(90_000 + screens.length * 5_000);
        const { page, context } = await open(browser, shapes[size], face.lang);
        await context.addCookies(
          [`http://localhost:${port}`, `http://${face.org.unique}.localhost:${port}`].flatMap((url) => [
            { name: 'theme', value: face.theme, url },
            { name: 'lang', value: face.lang, url },
          ]),
        );
        await walk.enter(page, face.org);
        for (const screen of screens) {
          await screen.show(page);
          await take(page, `${face.name}-${size}`, `${walk.name}-${screen.name}`);
        }
      });
    }
  }
}

/** What the lists look like while they load, when nothing answers, and with more than anybody wants to see. */
const troubles = {
  loading: (page: Page) => page.route(isCall, () => undefined),
  failed: (page: Page) =>
    page.route(isCall, (route) => route.fulfill({ status: 500, body: '{"result":false,"code":500}' })),
  long: (page: Page) =>
    changeAnswers(page, isCall, (body) => {
      if (Array.isArray(body.detail?.data) && body.detail.data.length) body.detail = tooMuch(body.detail);
    }),
};

const isCall = (url: URL) => url.pathname.startsWith('/api/') && !url.pathname.startsWith('/api/authen/');

/** A thousand rows of the ones that are there, with names of eighty letters and no picture. */
function tooMuch(detail: { data: Record<string, unknown>[]; total: number }) {
  const data = Array.from({ length: 60 }, (_, i) => {
    const row: Record<string, unknown> = { ...detail.data[i % detail.data.length], id: `${i}`.padStart(8, '0') };
    for (const key of Object.keys(row)) {
      if (/^(name|name_th|customer_name)$/.test(key))
        row[key] = 'นวดอโรมาน้ำมันอุ่นสูตรโบราณของคุณยายละไมเก้าสิบนาทีพร้อมชาสมุนไพรและขนมไทยสามอย่างแพ็กสิบครั้ง';
      if (/^(name_en)$/.test(key))
        row[key] = 'Warm oil aroma massage of ninety minutes with herbal tea and three Thai sweets, ten times';
      if (key === 'picture') row[key] = null;
    }
    return row;
  });
  return { ...detail, data, total: 1000 };
}

const lists: Record<string, string[]> = {
  shop: ['home', 'places', 'questions'],
  customer: ['market', 'vouchers', 'history', 'wallet', 'questions'],
  staff: ['today'],
  agent: ['home', 'history'],
  owner: ['main'],
  'owner-reports': ['daily'],
  'owner-tables': ['customerlist', 'orderlist', 'packagelist', 'voucherlist'],
  'owner-more-tables': ['agentlist', 'stafflist'],
  admin: ['organisations'],
};

for (const [name, trouble] of Object.entries(troubles)) {
  for (const walk of walks.filter((one) => lists[one.name])) {
    const size = walk.on[0] as 'phone' | 'desktop';
    test(`${name} ${walk.name} ${size}`, async ({ browser }) => {
      const screens = walk.screens(spaOrg);
      test.setTimeout(90_000 + screens.length * 5_000);
      const { page } = await open(browser, shapes[size], 'th');
      await walk.enter(page, spaOrg);
      for (const screen of screens) {
        await screen.show(page);
        if (!lists[walk.name]?.includes(screen.name)) continue;
        await settled(page);
        await trouble(page);
        await page.reload();
        if (name === 'loading') await page.waitForTimeout(1_500);
        else await settled(page); // what fails is asked for three times before it says so
        await page.screenshot({
          path: `${folder}${name}-${size}/${walk.name}-${screen.name}.png`,
          animations: 'disabled',
        });
        await page.unrouteAll({ behavior: 'ignoreErrors' });
        await page.reload();
      }
    });
  }
}
