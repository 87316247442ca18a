import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { desk, hotel, open, phone, site, spaOrg } from './people.ts';
import { settled } from './screens.ts';
import { test } from './test.ts';

/** What has a place of its own on both pictures, the server's and React's. */
const parts = [
  'band',
  'org-mark',
  'input',
  'filter-pill',
  'ticket',
  'picture',
  'badge',
  'price',
  'package-card',
  'chip',
  'bottom-tab',
  'top-tab',
].map((name) => `[data-slot=${name}]`);

/** Where everything stands in what is seen first, and what it says. */
async function layout(page: Page, foot: boolean) {
  await page.evaluate(() => document.fonts.ready);
  return page.evaluate(
    ({ selector, foot }) =>
      [...document.querySelectorAll(selector)]
        .filter((part) => foot || !part.closest('[data-slot=action-foot]'))
        .map((part) => ({ part, box: part.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && box.top < innerHeight)
        .map(({ part, box }) => {
          const [x, y, width, height] = [box.x, box.y, box.width, box.height].map((n) => Math.round(n * 2) / 2);
          const slot = part.getAttribute('data-slot') ?? part.tagName;
          // What holds other parts says what they say.
          const text = ['band', 'input', 'ticket', 'package-card'].includes(slot) ? '' : part.textContent;
          return `${slot} ${x},${y} ${width}×${height} ${text}`;
        })
        .sort(),
    { selector: [...parts, 'h1', 'h3'].join(), foot },
  );
}

const market = (org: typeof spaOrg) => `${site(org)}/user/market`;

for (const lang of ['th', 'en'] as const) {
  for (const [name, size] of Object.entries({ phone, desk })) {
    test(`what the server paints is what React shows, on a ${name} in ${lang}`, async ({ browser }) => {
      for (const org of [spaOrg, hotel]) {
        const { page, context } = await open(browser, size, lang);
        await page.goto(market(org));
        await settled(page);
        const link = await page.locator('[data-slot=ticket] a').first().getAttribute('href');

        for (const address of [market(org), new URL(link ?? '', site(org)).href]) {
          // The pages differ only in whether a script came; the sheet's foot on a large screen follows facts that come with it.
          await page.route('**/assets/customer/assets/*.js', (route) => route.abort());
          await page.goto(address);
          const painted = await layout(page, name === 'phone');
          await expectAccessible(page);
          await page.unroute('**/assets/customer/assets/*.js');
          await page.goto(address);
          await page.getByRole('searchbox').or(page.locator('button[data-slot=icon-button]')).first().waitFor();
          await settled(page);
          expect(painted).toEqual(await layout(page, name === 'phone'));
          expect(painted.length).toBeGreaterThan(3);
        }
        await context.close();
      }
    });
  }
}

test('React takes over without a frame in between, and whoever touches the page does not wait', async ({ browser }) => {
  const { page } = await open(browser, phone);
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    const look = () => {
      const app = document.querySelector('#app');
      if (app) seen.push(app.querySelector('h2')?.textContent ?? 'nothing');
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto(market(spaOrg));
  await page.getByRole('searchbox').waitFor();
  const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
  const painted = seen.slice(seen.findIndex((title) => title !== 'nothing'));
  expect(new Set(painted).size).toBe(1);
  await expect(page.getByRole('main')).toHaveCount(1);
});

test('the app is asked for after the largest picture is seen, and does not wait for one that never comes', async ({
  browser,
}) => {
  const { page } = await open(browser, phone);
  await page.goto(market(spaOrg));
  await page.getByRole('searchbox').waitFor();
  const { picture, script } = await page.evaluate(
    () =>
      new Promise<{ picture: number; script: number }>((resolve) => {
        new PerformanceObserver((list) => {
          const pictures = list.getEntries().filter((paint) => (paint as LargestContentfulPaint).url);
          const scripts = performance
            .getEntriesByType('resource')
            .filter(({ name }) => /\/index-[^/]+\.js$/.test(name));
          resolve({ picture: pictures.at(-1)?.startTime ?? Infinity, script: scripts[0]?.startTime ?? 0 });
        }).observe({ type: 'largest-contentful-paint', buffered: true });
      }),
  );
  expect(script).toBeGreaterThan(picture);

  await page.route('**/media/*?w=720', () => undefined);
  await page.goto(market(hotel), { waitUntil: 'commit' });
  await expect(page.getByRole('searchbox')).toBeVisible();
});
