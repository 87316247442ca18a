import { expect, type Page } from '@playwright/test';
import { press, readQR, site, type spaOrg } from './people.ts';

/** Opens the QR of the first voucher at a service point. */
export async function showQR(page: Page, org: typeof spaOrg, point: RegExp) {
  await page.goto(`${site(org)}/user/activevoucher`);
  await press(page, /^ใช้$/);
  await page.getByText(point).filter({ visible: true }).first().click();
  await press(page, 'เปิด QR');
  await expect(page.getByText('ยื่นให้พนักงานสแกน')).toBeVisible();
}

/** Types a code on the scan screen, as a wedge scanner does. */
export async function scan(page: Page, code: string) {
  const field = page.getByPlaceholder(/พิมพ์รหัส|code/i);
  await field.fill(code);
  await field.press('Enter');
}

/** Uses one item of the first voucher at the counter, where a staff member has chosen his place. */
export async function useAtCounter(page: Page, org: typeof spaOrg, staff: Page, point: RegExp) {
  await showQR(page, org, point);
  await scan(staff, await readQR(page));
  await press(staff, /^ยืนยัน/);
  await expect(page.getByRole('heading', { name: /^(ใช้แล้ว|ใช้ครบแล้ว)/ })).toBeVisible();
  await expect(staff.getByRole('heading', { name: 'ใช้แล้ว' })).toBeHidden();
}
