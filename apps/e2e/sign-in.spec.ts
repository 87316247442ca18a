import { readFile } from 'node:fs/promises';
import { type Browser, expect, type Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import {
  callAs,
  codeSentTo,
  desktop,
  freshMobile,
  open,
  phone,
  port,
  press,
  signIn,
  signInToOffice,
  site,
} from './people.ts';
import { test } from './test.ts';

/** An organisation that no other test acts in: its texts would ask their customers too. */
const shop = {
  unique: 'yimwan',
  name: 'ยิ้มหวาน ไอศกรีมกะทิ',
  liff: '1657000003-welovesu',
  agentLiff: '1657000003-weloveag',
};

async function owner(browser: Browser) {
  const { page } = await open(browser, desktop);
  await signInToOffice(page, site(shop), 'owner', 'owner', 'owner2026');
  return page;
}

const asOwner = (page: Page, path: string, body: unknown) => callAs(page, 'owner', path, body);

/** Somebody new at LINE's own page. */
async function newAtLine(page: Page, name: string) {
  await page.getByLabel(/ชื่อที่แสดง|Display name/).fill(name);
  await page.getByRole('button', { name: /เข้าด้วยชื่อนี้|with this name/i }).click();
}

/** From the profile to the code of an SMS, and back. It returns the number. */
async function verifyMobile(page: Page) {
  const mobile = freshMobile();
  await page.goto(`${site(shop)}/user/profile`);
  await press(page, /เบอร์มือถือ.*ยังไม่ได้ยืนยัน/);
  await page.getByLabel('เบอร์มือถือ').fill(mobile);
  await press(page, 'ส่งรหัสทาง SMS');
  const field = page.getByLabel('รหัส 6 หลัก');
  await expect(field).toBeFocused();
  await expectAccessible(page);

  const code = await codeSentTo(mobile);
  await field.pressSequentially(code === '000000' ? '111111' : '000000');
  await expect(page.getByText('รหัสไม่ถูก ลองได้อีก 4 ครั้ง')).toBeVisible();
  await expectAccessible(page);
  await field.pressSequentially(code);
  await expect(page.getByRole('heading', { name: 'ยืนยันเบอร์แล้ว' })).toBeVisible();
  await expectAccessible(page);
  await press(page, 'กลับไปหน้าโปรไฟล์');
  await expect(page.getByText(/^08x-xxx-\d{4} · ยืนยันแล้ว$/)).toBeVisible();
  return mobile;
}

test('a customer consents once, verifies a mobile number, sees both among his data, exports it and has it erased', async ({
  browser,
}) => {
  const office = await owner(browser);
  for (const kind of ['pdpa', 'termsandconditions']) {
    const { id } = await asOwner(office, `/api/owner/save/${kind}`, {
      purpose: 'customer',
      audience: 'customer',
      version: '1',
      name_th: kind === 'pdpa' ? 'ข้อมูลส่วนบุคคล' : 'ข้อตกลงการใช้งาน',
      name_en: kind,
      body_th: 'เราเก็บชื่อและรูปจาก LINE\n'.repeat(40),
      body_en: 'We keep your name and picture from LINE\n'.repeat(40),
    });
    await asOwner(office, `/api/owner/status/${kind}`, { ids: [id], status: 5 });
  }

  const { page } = await open(browser, phone);
  await signIn(page, shop, 'กานดา');
  await page.getByRole('heading', { name: 'ก่อนไปต่อ' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('checkbox', { name: /ข้อตกลงการใช้งาน/ }).click();
  await press(page, 'ยอมรับและไปต่อ');
  await expect(page.getByText('อ่านแล้วติ๊กยอมรับเรื่องข้อมูลส่วนบุคคลด้วย')).toBeVisible();
  await page.getByRole('checkbox', { name: /ข้อมูลส่วนบุคคล/ }).click();
  await press(page, 'ยอมรับและไปต่อ');
  await expect(page.getByRole('heading', { name: 'ก่อนไปต่อ' })).toBeHidden();

  const mobile = await verifyMobile(page);
  await page.goto(`${site(shop)}/user/mydata`);
  await expect(page.getByText(mobile.replace(/^(...)(...)/, '$1\u00a0$2\u00a0'))).toBeVisible();
  await page.getByRole('button', { name: /ข้อตกลงการใช้งาน.*ยอมรับเมื่อ/ }).waitFor();
  await expect(page.getByRole('heading', { name: 'ก่อนไปต่อ' }), 'not asked again').toBeHidden();
  await expectAccessible(page);
  const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'ดาวน์โหลดข้อมูลของฉัน')]);
  const taken = JSON.parse(await readFile(await file.path(), 'utf8'));
  expect(taken.person.displayName).toBe('กานดา');
  expect(taken.person.mobilenumber).toBe(mobile.replace(/^0/, '+66'));
  expect(taken.accepted).toHaveLength(2);
  await page.getByRole('button', { name: 'ปิด', exact: true }).click(); // the notice, which lies over the next button

  await press(page, 'ลบข้อมูลของฉัน');
  await page.getByLabel(/เพื่อยืนยัน/).fill('ลบข้อมูลของฉัน');
  await press(page, 'ลบถาวร');
  await expect(page.getByText('ลบข้อมูลของคุณแล้ว')).toBeVisible();
});

test('an owner invites a person, who joins by LINE, once', async ({ browser }) => {
  const office = await owner(browser);
  await office.goto(`${site(shop)}/owner/stafflist`);
  await press(office, 'เชิญผ่าน LINE');
  await office.getByLabel('ชื่อ', { exact: true }).fill('สมชาย');
  await office.getByLabel('สิทธิ์', { exact: true }).click();
  await office.getByRole('option', { name: /ผู้ดูแล/ }).click();
  await office.getByText('หน้าร้าน', { exact: true }).click();
  await expectAccessible(office);
  await press(office, 'สร้างลิงก์');
  const link = (await office.getByText('/owner/register/staff#').textContent()) ?? '';

  const { page } = await open(browser, phone);
  await page.goto(link);
  await page.getByText('สวัสดีคุณ สมชาย').waitFor();
  expect(page.url(), 'the token has left the address').not.toContain('#');
  await expectAccessible(page);
  await press(page, 'เข้าร่วมด้วย LINE');
  await newAtLine(page, 'สมชาย');
  await expect(page).toHaveURL(/\/staff\/scanqrcode/);

  const { page: second } = await open(browser, phone);
  await second.goto(link);
  await expect(second.getByText('คำเชิญนี้ใช้ไปแล้ว ถ้าเป็นคุณ เข้าสู่ระบบด้วย LINE ได้เลย')).toBeVisible();
  await office.keyboard.press('Escape');
  await expect(office.getByRole('cell', { name: 'LINE หรือรหัสผ่าน' })).toBeVisible();
});

test('an admin links LINE after a password, and then signs in by it', async ({ browser }) => {
  const platform = `http://localhost:${port}`;
  const { page } = await open(browser, desktop);
  await signInToOffice(page, platform, 'advwsadmin', 'admin', 'welovevoucher');
  await page.getByRole('button', { name: /เมนู/ }).click();
  await page.getByRole('menuitem', { name: 'ใช้ LINE เข้าสู่ระบบด้วย' }).click();
  await newAtLine(page, 'ผู้ดูแลแพลตฟอร์ม');
  await expect(page).toHaveURL(/organize_list/);

  const { page: another } = await open(browser, desktop);
  await another.goto(`${platform}/advwsadmin`);
  await press(another, /LINE/);
  await another.getByRole('button', { name: 'ผู้ดูแลแพลตฟอร์ม' }).click();
  await expect(another).toHaveURL(/advwsadmin\/main/);

  await page.getByRole('button', { name: /เมนู/ }).click();
  await page.getByRole('menuitem', { name: 'เลิกใช้ LINE เข้าสู่ระบบ' }).click();
  await expect(page.getByText('ต่อไปนี้ใช้รหัสผ่านอย่างเดียว').first()).toBeVisible();
});

/** The link of a gift that somebody of the demo gives. */
async function giftOf(browser: Browser, person: string) {
  const { page } = await open(browser, phone);
  await page.goto(`${site(shop)}/user/profile`);
  await press(page, /LINE/);
  await page.getByText(person, { exact: true }).first().click();
  await page.getByRole('heading', { name: 'ก่อนไปต่อ' }).waitFor();
  const api = (path: string, body: unknown) => callAs(page, 'user', path, body);

  const { data: texts } = await api('/api/user/consent/open', {});
  await api('/api/user/consent/accept', { version_ids: texts.map(({ _id }: { _id: string }) => _id), lang: 'th' });
  const { data: vouchers } = await api('/api/user/voucher/list', { filter: { state: 'ready' } });
  for (const { id, items_left: items } of vouchers) {
    const { name_th: name, transfer_rule, state } = await api('/api/user/voucher/detail', { id });
    if (transfer_rule === 'none' || state !== 'ready') continue; // what is on sale is usable, too
    const gift = { voucher_id: id, items, card: 'because', to_name: 'แบม', words: 'กินให้อร่อยนะ', digits: '' };
    const { ref } = await api('/api/user/transfer/create', gift);
    return { link: `${site(shop)}/transfer?ref=${ref}`, name };
  }
  throw new Error(`${person} has nothing to give`);
}

test('a gift is unwrapped by a stranger, who signs in, consents, receives it and gives thanks', async ({ browser }) => {
  const office = await owner(browser);
  const { id } = await asOwner(office, '/api/owner/save/termsandconditions', {
    purpose: 'customer',
    audience: 'customer',
    version: 'gift',
    name_th: 'ข้อตกลงเรื่องของขวัญ',
    name_en: 'About gifts',
    body_th: 'ของขวัญใช้ได้เหมือนเวาเชอร์ที่ซื้อเอง',
    body_en: 'A gift is used as a voucher that was bought',
  });
  await asOwner(office, '/api/owner/status/termsandconditions', { ids: [id], status: 5 });
  const { link, name } = await giftOf(browser, 'ณัฐกานต์');

  const { page } = await open(browser, phone);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: /ณัฐกานต์\s*ส่งของขวัญให้คุณ/ })).toBeVisible();
  await expect(page.getByText('แบม')).toBeVisible();
  await expect(page.getByText(name)).toHaveCount(0);
  await expectAccessible(page);
  await press(page, 'แกะของขวัญ');
  await expect(page.getByRole('heading', { name })).toBeVisible();
  await expect(page.getByText('กินให้อร่อยนะ')).toBeVisible();
  await expectAccessible(page);

  await press(page, 'รับด้วย LINE');
  await newAtLine(page, 'แบม ผู้รับ');
  await expect(page).toHaveURL(link);
  await page.getByRole('heading', { name: 'ก่อนไปต่อ' }).waitFor();
  for (const box of await page.getByRole('checkbox').all()) await box.click();
  await press(page, 'ยอมรับและไปต่อ');
  await expect(page.getByRole('heading', { name: 'ก่อนไปต่อ' })).toBeHidden();
  await press(page, 'รับของขวัญ');
  await expect(page.getByRole('heading', { name: 'เป็นของคุณแล้ว' })).toBeVisible();
  await expectAccessible(page);
  await press(page, 'ขอบคุณ ณัฐกานต์');
  await expect(page.getByText('ขอบคุณ ณัฐกานต์ แล้ว')).toBeVisible();

  await page.reload();
  await expect(page.getByText('ขอบคุณ ณัฐกานต์ แล้ว')).toBeVisible();

  await test.step('a link of the board brings somebody new to its page, once he has consented', async () => {
    const newcomer = (await open(browser, phone)).page;
    const voucher = '01a21be1-05e6-7d7b-bb91-5ace8eb71661';
    await newcomer.goto(`${site(shop)}/trade/sale%2F${shop.unique}%2F${voucher}?page=a%2Fb`);
    await press(newcomer, /LINE/);
    await newAtLine(newcomer, 'ลิงก์ คนใหม่');
    await newcomer.getByRole('heading', { name: 'ก่อนไปต่อ' }).waitFor();
    for (const box of await newcomer.getByRole('checkbox').all()) await box.click();
    await press(newcomer, 'ยอมรับและไปต่อ');
    await expect(newcomer.getByRole('heading', { name: 'ก่อนไปต่อ' })).toBeHidden();
    await expect(newcomer).toHaveURL(`${site(shop)}/user/activevoucher/${voucher}/sell?page=a%2Fb`);
  });

  await press(page, 'ใช้เลย');
  await expect(page.getByRole('heading', { name })).toBeVisible();
  await expect(page).toHaveURL(/\/user\/activevoucher\/[^/]+$/);

  const third = await open(browser, phone);
  await third.page.goto(link);
  await expect(third.page.getByRole('heading', { name: 'ของขวัญชิ้นนี้มีคนรับไปแล้ว' })).toBeVisible();
  await expect(third.page.getByText('ณัฐกานต์')).toHaveCount(0);
  await expectAccessible(third.page);
});
