import { expect } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { callAs, desktop, hotel, open, phone, press, signInToOffice, site } from './people.ts';
import { test } from './test.ts';

test('commission is drafted, approved by another, sent to the bank, and its answer read; the agent sees it, and what failed is paid next', async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const accountant = (await open(browser, desktop)).page;
  await signInToOffice(accountant, site(hotel), 'owner', 'account', 'account2026');
  await accountant.goto(`${site(hotel)}/owner/paycommissiontransaction`);
  await press(accountant, 'เปิดรอบใหม่');
  await accountant.getByRole('dialog').getByRole('button', { name: 'เปิดร่าง' }).click();
  await expect(accountant.getByRole('button', { name: 'ขอให้อีกคนอนุมัติ' })).toBeEnabled({ timeout: 20_000 });
  await expectAccessible(accountant);
  const run = accountant.url().split('/').at(-1);

  await press(accountant, 'ขอให้อีกคนอนุมัติ');
  const dialog = accountant.getByRole('dialog');
  await dialog.getByRole('textbox').fill('ค่าคอมสองสัปดาห์');
  await dialog.getByRole('button', { name: /^ส่งขออนุมัติ/ }).click();
  await expect(accountant.getByText('ส่งคำขอแล้ว', { exact: true })).toBeVisible();

  const owner = (await open(browser, desktop)).page;
  await signInToOffice(owner, site(hotel), 'owner', 'owner', 'owner2026');
  const asked = await callAs(owner, 'owner', '/api/owner/story/payoutrun', { id: run });
  await owner.goto(`${site(hotel)}/owner/approval/${asked.approval_id}`);
  await expectAccessible(owner);
  await owner.getByRole('button', { name: /^อนุมัติ/ }).click();
  await expect(owner.getByText('อนุมัติและดำเนินการแล้ว', { exact: true })).toBeVisible();

  await expect(accountant.getByRole('button', { name: 'ดาวน์โหลดไฟล์ให้ธนาคาร' })).toBeVisible({ timeout: 20_000 });
  await press(accountant, 'ดาวน์โหลดไฟล์ให้ธนาคาร');
  const [download] = await Promise.all([
    accountant.waitForEvent('download'),
    accountant.getByRole('dialog').getByRole('button', { name: 'ดาวน์โหลดไฟล์ให้ธนาคาร' }).click(),
  ]);
  const stream = await download.createReadStream();
  const text = (await stream.toArray()).join('');
  const rows = text
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split(','));
  expect(rows.length).toBeGreaterThan(1);

  const today = new Date(Date.now() + 7 * 3600_000).toISOString().slice(0, 10);
  const answer = ['reference,amount,outcome,day,reason'];
  rows.forEach(([reference, , , , amount], i) => {
    answer.push(`${reference},${amount},${i === 0 ? 'paid' : 'failed'},${today},${i === 0 ? '' : 'R07 ชื่อบัญชีไม่ตรง'}`);
  });
  await press(accountant, 'อ่านผลจากธนาคาร');
  await accountant
    .locator('input[type=file]')
    .setInputFiles({ name: 'result.csv', mimeType: 'text/csv', buffer: Buffer.from(answer.join('\r\n')) });
  await expect(accountant.getByRole('dialog').getByText(/result\.csv/)).toBeVisible();
  await accountant.keyboard.press('Escape');
  await expect(accountant.getByText('R07 ชื่อบัญชีไม่ตรง').first()).toBeVisible();
  await expectAccessible(accountant);
  const story = await callAs(accountant, 'owner', '/api/owner/story/payoutrun', { id: run });
  expect(story.record.state).toBe('closed');
  expect(story.record.failed_count).toBe(rows.length - 1);

  const next = await callAs(accountant, 'owner', '/api/owner/payoutrun/next', {});
  expect(next.payable_satang).toBeGreaterThanOrEqual(story.failed_satang);

  // The papers of what was paid before: a slip, and the certificate that a job has issued.
  await accountant.goto(`${site(hotel)}/owner/taxcertificatelist`);
  await accountant.locator('main a[href*="/taxcertificatelist/"]').first().click();
  await expect(accountant.getByRole('dialog')).toBeVisible();
  await expectAccessible(accountant);
  const [paper] = await Promise.all([accountant.waitForEvent('download'), press(accountant, 'ดาวน์โหลดหนังสือรับรอง')]);
  expect(paper.suggestedFilename()).toMatch(/^WT00000-\d{4}-\d{6}\.pdf$/);
  expect(
    Buffer.concat(await (await paper.createReadStream()).toArray())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');

  const agent = (await open(browser, phone)).page;
  await agent.goto(`${site(hotel)}/weloveagent/${hotel.agentLiff}`);
  await press(agent, /LINE/);
  await agent.getByText('นภัทร').first().click();
  await agent.getByRole('link', { name: 'ดูยอดโอน' }).click();
  await expect(
    agent.getByText((story.paid_satang / 100).toLocaleString('en', { minimumFractionDigits: 2 })).first(),
  ).toBeVisible();
  await expectAccessible(agent);
});
