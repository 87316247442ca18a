import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import {
  callAs,
  codeSentTo,
  desktop,
  freshMobile,
  open,
  phone,
  picture,
  press,
  signInToOffice,
  site,
  spaOrg,
} from './people.ts';
import { expectInside } from './sound.ts';
import { test } from './test.ts';

test('a customer becomes an agent: he applies, mends what was refused, and sells', async ({ browser }) => {
  test.setTimeout(240_000);
  const stamp = String(Date.now()).slice(-7);
  const name = `วิภาดา ${stamp}`;
  const lastName = `กันทะวงศ์ ${stamp}`;
  const mobile = freshMobile();
  const app = `${site(spaOrg)}/weloveagent/${spaOrg.agentLiff}`;
  const { page } = await open(browser, phone);

  await test.step('fills the form in, which a reload keeps', async () => {
    await page.goto(`${app}/home`);
    await press(page, /LINE/);
    await page.getByLabel('ชื่อที่แสดง').fill(name);
    await page.getByRole('button', { name: 'เข้าด้วยชื่อนี้' }).click();
    await expect(page).toHaveURL(`${app}/register`);
    await expectAccessible(page);
    await press(page, 'กรอกใบสมัคร');
    await page.getByLabel('ชื่อ', { exact: true }).fill('วิภาดา');
    await page.getByLabel('นามสกุล').fill(lastName);
    await page.getByLabel('เลขบัตรประชาชน หรือพาสปอร์ต').fill(`AA${stamp}`);
    await page.getByLabel('วันเกิด').fill('02/08/2536');
    await page.getByLabel('เบอร์มือถือ').fill(mobile);
    await page.getByLabel('อีเมล').fill('wipada.k@example.com');
    await page.getByLabel('บ้านเลขที่ หมู่ ถนน').fill('45 หมู่ 3');
    await page.getByLabel('ตำบล/แขวง').fill('ริมใต้');
    await page.getByLabel('อำเภอ/เขต').fill('แม่ริม');
    await page.getByLabel('จังหวัด').fill('เชียงใหม่');
    await page.getByLabel('รหัสไปรษณีย์').fill('50180');
    await expect(page.getByText('เก็บที่กรอกไว้แล้ว')).toBeVisible();
    await expectAccessible(page);
    await page.waitForTimeout(1500);
    await page.reload();
    await expect(page.getByLabel('นามสกุล')).toHaveValue(lastName);
    await page.getByRole('button', { name: 'ต่อไป' }).click();
  });

  await test.step('names his own account', async () => {
    await page.getByRole('combobox', { name: 'ธนาคาร' }).click();
    await page.getByRole('option', { name: 'กสิกรไทย' }).click();
    await page.getByLabel('เลขบัญชี').fill(`041${stamp}`);
    await page.getByLabel('ชื่อบัญชี').fill('วิภาดา กัณ');
    await expect(page.getByText('ต่างที่ตัว “ณ” ในชื่อคุณเป็น “น”')).toBeVisible();
    await page.getByLabel('ชื่อบัญชี').fill(`น.ส. วิภาดา ${lastName}`);
    await expect(page.getByText('ชื่อตรงกันแล้ว')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'ต่อไป' }).click();
  });

  await test.step('sends two pictures, the texts and the code', async () => {
    await choose(page, 'ถ่ายบัตรประชาชน');
    await page.getByRole('dialog').getByRole('button', { name: 'ใช้รูปนี้' }).click();
    await choose(page, 'ถ่ายหน้าสมุดบัญชี');
    const send = page.getByRole('button', { name: 'ส่งรหัสยืนยันเบอร์' });
    await send.waitFor();
    for (const box of await page.getByRole('checkbox').all()) await box.check();
    await expectAccessible(page);
    await send.click();
    await expect(page.getByRole('heading', { name: 'ใส่รหัส 6 หลัก' })).toBeVisible();
    await expect(page.getByRole('timer')).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel('รหัส 6 หลัก').fill(await codeSentTo(mobile));
    await expect(page.getByText('ส่งใบสมัครแล้ว')).toBeVisible();
    await expectAccessible(page);
  });

  const office = (await open(browser, desktop)).page;
  await signInToOffice(office, site(spaOrg), 'owner', 'owner', 'owner2026');
  const record = async (who: Page) => {
    const { data } = await callAs(who, 'owner', '/api/owner/agent/waiting', {});
    const mine = data.find((one: { name: string; agent_id: string }) => one.name === `วิภาดา ${lastName}`);
    await who.goto(`${site(spaOrg)}/owner/agentlist/${mine.agent_id}`);
  };

  await test.step('the owner looks at the pictures, and refuses one', async () => {
    await record(office);
    for (const left of [2, 1]) {
      await expect(office.getByRole('button', { name: 'ดูรูป' })).toHaveCount(left);
      await office.getByRole('button', { name: 'ดูรูป' }).first().click();
    }
    await expect(office.getByRole('img', { name: /ขยาย/ })).toHaveCount(2);
    await expectAccessible(office);
    for (const { viewport } of [phone, desktop]) {
      await office.setViewportSize(viewport);
      await expectInside(office);
    }
    await office.getByRole('button', { name: 'ไม่อนุมัติ' }).click();
    await office.getByRole('dialog').getByText('รูปหน้าสมุดบัญชี').click();
    await office.getByLabel(/^เหตุผล/).fill('หน้าสมุดบัญชีไม่ชัด ถ่ายใหม่ส่งมาได้เลย');
    await expectAccessible(office);
    await office.getByRole('dialog').getByRole('button', { name: 'ส่งคำตอบ' }).click();
    await expect(office.getByRole('dialog')).toHaveCount(0);
  });

  await test.step('he mends that alone', async () => {
    await page.reload();
    await expect(page.getByText('เหลือแก้รูปเดียว')).toBeVisible();
    await expectAccessible(page);
    await choose(page, 'ถ่ายหน้าสมุดบัญชีใหม่');
    await page.getByRole('button', { name: 'ส่งใบสมัคร' }).click();
    await expect(page.getByText('ส่งใบสมัครแล้ว')).toBeVisible();
  });

  await test.step('another account approves', async () => {
    const user = `agents${stamp}`;
    await callAs(office, 'owner', '/api/owner/save/staff', {
      username: user,
      name: 'คนที่สอง',
      role: 'adminowner',
      permission_id: null,
      password: 'second2026',
    });
    const second = (await open(browser, desktop)).page;
    await signInToOffice(second, site(spaOrg), 'owner', user, 'second2026');
    await record(second);
    await second.getByRole('button', { name: 'อนุมัติ', exact: true }).click();
    const dialog = second.getByRole('dialog');
    await dialog.getByRole('combobox').click();
    await second.getByRole('option').first().click();
    await expectAccessible(second);
    await dialog.getByRole('button', { name: 'อนุมัติ', exact: true }).click();
    await expect(dialog).toHaveCount(0);
  });

  await test.step('he sells', async () => {
    await press(page, 'ดูว่าร้านตอบหรือยัง');
    await expect(page).toHaveURL(`${app}/home`);
    await press(page, /^แชร์ ประคบ/);
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.goto(`${app}/profile`);
    await expect(page.getByText(`····${stamp.slice(-4)}`).first()).toBeVisible();
    await expectAccessible(page);
  });
});

/** Takes a picture with what opens the phone's camera. */
async function choose(page: Page, button: string) {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ]);
  await chooser.setFiles(picture('foot.jpg'));
}
