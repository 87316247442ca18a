import { expect } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { desktop, open, phone, press, signInToOffice, site, spaOrg } from './people.ts';
import { test } from './test.ts';

test('an owner pays more for one package from today, sees the sale split before he saves, and the agent reads what he earns', async ({
  browser,
}) => {
  const { page: office } = await open(browser, desktop);
  await signInToOffice(office, site(spaOrg), 'owner', 'owner', 'owner2026');
  await office.goto(`${site(spaOrg)}/owner/agentsetting`);
  await office.getByRole('link', { name: 'เพิ่มอัตราเฉพาะ' }).click();
  const choose = async (label: string, option: string | RegExp) => {
    await office.getByRole('combobox', { name: label, exact: true }).click();
    await office.getByRole('option', { name: option }).click();
  };
  await choose('ประเภทตัวแทน', /^ตัวแทนทั่วไป/);
  await choose('ใช้กับอะไร', 'แพ็กเกจเดียว');
  await choose('แพ็กเกจ', /^แช่เท้า/);
  await choose('คิดเป็น', 'บาท');
  await office.getByLabel('ค่าคอม', { exact: true }).fill('60');
  const today = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Bangkok' }).format(new Date());
  await office.getByLabel('วันแรก').fill(today);
  const tester = office.getByRole('region', { name: 'ลองขาย' });
  await expect(tester.getByText('อัตราเฉพาะ ฿60.00 ต่อชิ้น')).toBeVisible();
  await expect(tester.getByText('60.00', { exact: true })).toBeVisible();
  await expectAccessible(office);
  await press(office, 'บันทึก');
  const row = office.getByRole('row', { name: /แช่เท้า/ });
  await expect(row.getByText('฿60.00 ต่อชิ้น')).toBeVisible();
  await expect(row.getByText('ใช้อยู่')).toBeVisible();

  const agent = await open(browser, phone);
  await agent.page.goto(`${site(spaOrg)}/weloveagent/${spaOrg.agentLiff}`);
  await press(agent.page, /LINE/);
  await agent.page.getByText('นภัทร').first().click();
  await expect(agent.page.getByRole('article').filter({ hasText: 'แช่เท้า' }).getByText('รับ ฿60.00')).toBeVisible();
});
