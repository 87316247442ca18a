import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { desktop, hotel, open, phone, port, site, spaOrg } from './people.ts';
import { settled } from './screens.ts';
import { test } from './test.ts';

const market = (org: typeof spaOrg) => `${site(org)}/user/market`;
/** All but the one that lets them begin. */
const scripts = /\/assets\/customer\/assets\/(?!start-)[^/]+\.js$/;

/** Opens a page and holds its scripts back; it returns how to let them come. */
async function openPainted(page: Page, address: string) {
  let letCome: () => void = () => undefined;
  const allowed = new Promise<void>((resolve) => {
    letCome = resolve;
  });
  await page.route(scripts, async (route) => {
    await allowed;
    await route.continue();
  });
  await page.goto(address, { waitUntil: 'commit' });
  await page.locator('#app-script').waitFor({ state: 'detached' });
  return letCome;
}

/** Opens a window whose pages say when React has taken over. */
async function openWatched(...of: Parameters<typeof open>) {
  const { page } = await open(...of);
  await page.addInitScript(() => addEventListener('app-hydrated', () => document.body.classList.add('hydrated')));
  return { page, takenOver: () => page.locator('body.hydrated').waitFor() };
}

/** What belongs to one person, and comes with the script. */
const personal = 'a.invisible, a:has(> svg.lucide-log-in)';

for (const [name, size, lang] of [
  ['a phone', phone, 'th'],
  ['a desktop', desktop, 'en'],
] as const) {
  test(`React takes over what the server has painted, on ${name} in ${lang}`, async ({ browser }) => {
    const { page, takenOver } = await openWatched(browser, size, lang);
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    await page.goto(market(hotel));
    const link = await page.locator('[data-slot=ticket] a').first().getAttribute('href');

    for (const address of [
      market(hotel),
      new URL(link ?? '', site(hotel)).href,
      `${site(spaOrg)}/`,
      `http://localhost:${port}/`,
      `http://localhost:${port}/faq`,
    ]) {
      const letCome = await openPainted(page, address);
      await expectAccessible(page);
      const painted = await page.evaluateHandle(() => {
        const nodes = [...document.querySelectorAll('#app *')];
        return { nodes, shapes: nodes.map(({ outerHTML }) => outerHTML) };
      });
      letCome();
      await takenOver();
      await settled(page);
      const changed = await painted.evaluate(
        ({ nodes, shapes }, personal) =>
          nodes
            .filter((node, at) => !node.isConnected || (!node.querySelector('*') && node.outerHTML !== shapes[at]))
            .filter((node) => !node.closest(personal))
            .map(({ outerHTML }) => outerHTML),
        personal,
      );
      expect(changed, address).toEqual([]);
      expect(
        await page.evaluate(() => document.querySelectorAll('#app main, #app h1, #app h3').length),
      ).toBeGreaterThan(1);
      await page.unroute(scripts);
    }
    expect(complaints).toEqual([]);
  });
}

test('without script the market, its categories and its packages are pages and links', async ({ browser }) => {
  const context = await browser.newContext({ ...phone, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(market(spaOrg));
  await expect(page.getByRole('link', { name: 'เข้าสู่ระบบ' })).toBeVisible();
  await expect(page.locator('a[data-slot=filter-pill][href*="?tag="]').first()).toBeVisible();
  await page.locator('[data-slot=package-card] a').first().click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.getByRole('link', { name: 'ย้อนกลับ' }).click();
  await expect(page).toHaveURL(market(spaOrg));
});

test('a press or an input before the app has loaded is not lost', async ({ browser }) => {
  const { page } = await open(browser, phone);
  await page.goto(market(spaOrg));
  const link = await page.locator('[data-slot=package-card] a').first().getAttribute('href');
  const letCome = await openPainted(page, new URL(link ?? '', site(spaOrg)).href);
  await page.getByRole('button', { name: 'ใส่ตะกร้า' }).click();
  letCome();
  await expect(page.getByText('ใส่ตะกร้าแล้ว', { exact: true })).toBeVisible();
  await page.unroute(scripts);

  const letSearchCome = await openPainted(page, market(spaOrg));
  await page.getByRole('searchbox').fill('นวด');
  letSearchCome();
  await expect(page).toHaveURL(/[?&]q=/);
});

test('the app loads after the largest picture, and does not wait for one that never loads', async ({ browser }) => {
  const { page, takenOver } = await openWatched(browser, phone);
  // The clock stands: a busy browser may show the picture after the app has waited for it long enough.
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1);
  await page.goto(market(spaOrg));
  await page.locator('#app-script').waitFor({ state: 'detached' });
  await page.clock.resume();
  await takenOver();
  const { picture, script } = await page.evaluate(async () => {
    const entries = (type: string) =>
      new Promise<PerformanceEntry[]>((resolve) =>
        new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type, buffered: true }),
      );
    const pictures = (await entries('largest-contentful-paint')).filter(
      (paint) => (paint as LargestContentfulPaint).url,
    );
    const scripts = (await entries('resource')).filter(({ name }) => /\/index-[^/]+\.js$/.test(name));
    return { picture: pictures.at(-1)?.startTime ?? Infinity, script: scripts[0]?.startTime ?? 0 };
  });
  expect(script).toBeGreaterThan(picture);

  await page.route('**/media/*?w=720', () => undefined);
  await page.goto(market(hotel), { waitUntil: 'commit' });
  await takenOver();
});
