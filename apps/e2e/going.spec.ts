import { expect, type Page } from '@playwright/test';
import { desktop, open, phone, press, site, spaOrg } from './people.ts';
import { settled } from './screens.ts';
import { test } from './test.ts';

const market = `${site(spaOrg)}/user/market`;
const home = /\/user\/home$/;
const homeScript = '**/assets/customer/assets/home-page-*.js';
const scrolled = (page: Page) => page.evaluate(() => Math.round(scrollY));

/** The market, once everything that it asks for has come. */
async function openMarket(page: Page) {
  await page.goto(market);
  await settled(page);
}

test('a new page begins at its top, and going back finds the market where it was left', async ({ browser }) => {
  const { page } = await open(browser, phone);
  await openMarket(page);
  await page.locator('[data-slot=package-card] a').last().scrollIntoViewIfNeeded();
  await page.evaluate(() => addEventListener('click', () => sessionStorage.setItem('left', `${scrollY}`), true));
  await page.locator('[data-slot=package-card] a').last().click();
  await expect(page).toHaveURL(/market\/.+/);
  await expect(page.locator('[data-slot=package-card]')).toHaveCount(0);
  const left = Math.round(Number(await page.evaluate(() => sessionStorage.getItem('left'))));
  expect(left).toBeGreaterThan(100);
  expect(await scrolled(page)).toBe(0);

  await page.goBack();
  await expect(page).toHaveURL(market);
  await expect.poll(() => scrolled(page)).toBe(left);
});

test('what is said covers no button of a foot', async ({ browser }) => {
  const { page } = await open(browser, phone, 'en');
  await openMarket(page);
  await page.locator('[data-slot=package-card] a').last().click();
  await press(page, 'Add to cart');
  await expect(async () => {
    const toast = await page.locator('[data-slot=toast]').boundingBox();
    const foot = await page.locator('[data-slot=action-foot]').boundingBox();
    expect(toast && foot && toast.y + toast.height <= foot.y).toBe(true);
  }).toPass();
});

test('a link opens another page with the middle button, and leads without a script', async ({ browser }) => {
  const { page, context } = await open(browser, desktop, 'en');
  await openMarket(page);
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Cart' }).first().click({ button: 'middle' });
  await expect(await opened).toHaveURL(/\/user\/home\?next=%2Fuser%2Fcart$/);
  await expect(page).toHaveURL(market);

  await page.route('**/assets/customer/assets/*.js', (route) => route.abort());
  await page.goto(market);
  await page.locator('[data-slot=package-card] a').first().click();
  await expect(page).toHaveURL(/market\/.+/);
});

test('a page that does not load without a connection says so, and loads with it', async ({ browser }) => {
  const { page, context } = await open(browser, phone, 'en');
  await openMarket(page);
  await context.setOffline(true);
  await press(page, 'Sign in');
  await expect(page.getByText('This page did not load')).toBeVisible();
  await expect(page).toHaveURL(home);
  await expect(page.getByText('It may only be the signal', { exact: false })).toBeVisible();
  // A browser may remember that a script did not come, and not ask for it again: then the page asks whether the server is there.
  const asked = page.waitForEvent(
    'requestfailed',
    (request) => request.method() === 'HEAD' && home.test(request.url()),
  );
  await press(page, 'Try again');
  await asked; // else it would be answered once there is a connection
  await expect(page.getByText('This page did not load')).toBeVisible();

  await context.setOffline(false);
  await press(page, 'Try again');
  await expect(page.getByRole('button', { name: 'Sign in with LINE' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('searchbox')).toBeVisible();
});

test('a page whose script a new version has taken away is loaded anew', async ({ browser }) => {
  const { page } = await open(browser, phone, 'en');
  await openMarket(page);
  await page.route(homeScript, (route) => route.fulfill({ status: 404 }));
  page.once('load', () => page.unroute(homeScript));
  await press(page, 'Sign in');
  await expect(page.getByRole('button', { name: 'Sign in with LINE' })).toBeVisible();
  await expect(page).toHaveURL(home);
});
