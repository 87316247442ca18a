import { expect, type Page } from '@playwright/test';
import { officeNames, staffAddresses } from '../client/src/addresses.ts';
import { desktop, open, port, signInToOffice, site, spaOrg } from './people.ts';
import { test } from './test.ts';

const platform = `http://localhost:${port}`;

async function ends(page: Page, from: string, to: string) {
  await page.goto(from);
  await expect(page, from).toHaveURL(to);
}

test('the platform and a shop lead to each other where only one of them has the page', async ({ browser }) => {
  const { page } = await open(browser, desktop, 'en');
  await ends(page, `${site(spaOrg)}/advwsadmin`, `${platform}/advwsadmin/loginpage?next=%2Fadvwsadmin`);

  await page.goto(`${platform}/loginpage`);
  await expect(page.getByRole('link', { name: 'PARTNER', exact: true }).first()).toBeVisible();
  const find = page.getByRole('button', { name: 'Find the shop' });
  await page.getByLabel('Your shop').fill('nobody-at-all');
  await find.click();
  await expect(page.getByText('No shop is called so. Try a shorter part of its name.')).toBeVisible();
  await page.getByLabel('Your shop').fill(spaOrg.unique);
  await find.click();
  await page.getByRole('status').getByRole('link').click();
  await expect(page).toHaveURL(`${site(spaOrg)}/user/home`);
  await expect(page.getByRole('button', { name: 'Sign in with LINE' })).toBeVisible();
  await ends(page, `${site(spaOrg)}/loginpage`, `${site(spaOrg)}/user/home`);

  await ends(
    page,
    `${site(spaOrg)}/user/market?q=nothing+like+this`,
    `${site(spaOrg)}/user/market?q=nothing+like+this`,
  );
  await expect(page.getByText('Package not found')).toBeVisible();
  await expect(page.getByRole('link', { name: 'My Voucher & Ticket' }).first()).toBeVisible();
});

// In thirds, each signed in anew: a session may ask 600 times a minute, and every address starts the app.
const screens = [...new Map(officeNames.flatMap((one) => (one.heading ? [[one.screen, one]] : []))).values()];
for (const third of [0, 1, 2]) {
  test(`each name of the owner’s office leads to its screen, ${third + 1} of 3`, async ({ browser }) => {
    test.setTimeout(60_000 + officeNames.length * 1_000);
    const { page } = await open(browser, desktop, 'en');
    await signInToOffice(page, site(spaOrg), 'owner', 'account', 'account2026');
    for (const { name, screen, heading } of screens.filter((_, i) => i % 3 === third)) {
      await ends(page, `${site(spaOrg)}/owner/${name}`, `${site(spaOrg)}/owner/${screen}`);
      await expect(page.getByRole('heading', { level: 1, name: heading ?? '', exact: true })).toBeVisible();
    }
  });
}

test('a record of the owner’s office has addresses', async ({ browser }) => {
  const { page } = await open(browser, desktop, 'en');
  await signInToOffice(page, site(spaOrg), 'owner', 'account', 'account2026');
  await page.goto(`${site(spaOrg)}/owner/package`);
  await page.getByRole('table').getByRole('link').first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  const id = new URL(page.url()).pathname.split('/').at(-1);
  await ends(page, `${site(spaOrg)}/owner/packageedit?id=${id}`, `${site(spaOrg)}/owner/packagelist/${id}`);
  await expect(page.getByRole('dialog').getByText('Edit package')).toBeVisible();
  await ends(page, `${site(spaOrg)}/owner/packageadd`, `${site(spaOrg)}/owner/packagelist/new`);
  await expect(page.getByRole('dialog').getByText('New package')).toBeVisible();
  await ends(page, `${site(spaOrg)}/owner/settingcontent1`, `${site(spaOrg)}/owner/main`);
});

test('each name of the staff’s area ends at scanning', async ({ browser }) => {
  const { page } = await open(browser, desktop, 'en');
  await signInToOffice(page, site(spaOrg), 'staff', 'door', 'door2026');
  for (const { address, ends: to } of staffAddresses) await ends(page, site(spaOrg) + address, site(spaOrg) + to);
});
