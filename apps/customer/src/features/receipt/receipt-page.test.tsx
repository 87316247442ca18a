import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

const phone = vi.hoisted(() => ({ openOutside: null as ((url: string) => void) | null }));
vi.mock('@wlv/client/device', () => ({ device: async () => phone }));

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
  phone.openOutside = null;
});

const receipt = (rest: object) => ({
  kind: 'order',
  id: 'o1',
  number: 'ABCDE12345',
  at: '2026-11-21T07:05:00Z',
  seller: {
    name_th: 'บริษัท ละไม จำกัด',
    name_en: 'Lamai Co., Ltd.',
    address_th: 'เชียงใหม่',
    address_en: 'Chiang Mai',
    tax_id: '0105536000313',
    branch: '00000',
    phone: '053 215 509',
  },
  customer: 'Nid',
  lines: [{ name_th: 'นวด', name_en: 'Massage', quantity: 2, unit_satang: 49_000, amount_satang: 98_000 }],
  reductions: [{ name_th: 'ลด', name_en: 'Welcome', amount_satang: 8_000 }],
  total_satang: 90_000,
  total_words_th: 'เก้าร้อยบาทถ้วน',
  method: 'promptpay',
  reference: 'PAYREF',
  refunded: '',
  mail: true,
  ...rest,
});

const page = (detail: object, answers: object = {}, address = '/user/receipts/order/o1') =>
  renderPage(address, {
    '/api/user/receipt/get': () => detail,
    '/api/user/consent/open': () => ({ data: [] }),
    '/api/user/profile/customer': () => ({ emailaddress: 'nid@example.org' }),
    ...answers,
  });

it('says who sold what to whom, how it was paid, and prints it on either paper', async () => {
  const print = vi.fn();
  vi.stubGlobal('print', print);
  const user = userEvent.setup();
  await page(receipt({ refunded: 'some' }));
  const sheet = within(await screen.findByRole('article', { name: 'Receipt' }));
  for (const text of [
    'Lamai Co., Ltd.',
    'Chiang Mai',
    /Tax ID 0105536000313.*Head office/,
    'This receipt is not a tax invoice',
    'ABCDE12345',
    '21/11/2026 14:05',
    'Nid',
    'PromptPay',
    'PAYREF',
    '2 × 490.00',
    '980.00',
    '−80.00',
    '900.00 baht',
    'Some of this was taken back afterwards.',
  ])
    sheet.getByText(text);
  expect(screen.getByRole('article').getAttribute('data-print')).toBe('a4');
  await user.click(await screen.findByRole('radio', { name: '80 mm' }));
  expect(screen.getByRole('article').getAttribute('data-print')).toBe('roll');
  await user.click(screen.getByRole('button', { name: 'Print or save' }));
  expect(print).toHaveBeenCalledOnce();
});

it('says of a refund where the money went, and what the shop kept', async () => {
  const detail = receipt({
    kind: 'refund',
    method: 'wallet',
    reference: 'ORDER1',
    lines: [{ name_th: 'นวด', name_en: 'Massage', quantity: 2, unit_satang: 0, amount_satang: 98_000 }],
    reductions: [{ name_th: 'ค่าธรรมเนียม', name_en: 'Fee of the shop', amount_satang: 8_000 }],
  });
  await page(detail, {}, '/user/receipts/refund/r1');
  const sheet = within(await screen.findByRole('article'));
  sheet.getByRole('heading', { name: 'Receipt of a refund' });
  for (const text of ['Refunded to', 'Wallet', 'Of the order', 'ORDER1', 'Fee of the shop', /Massage × 2/])
    sheet.getByText(text);
});

it('goes by e-mail to the own address or another', async () => {
  const user = userEvent.setup();
  const sent: object[] = [];
  await page(receipt({}), {
    '/api/user/receipt/send': (body: object) => {
      sent.push(body);
      return { to: 'm•••@example.org' };
    },
  });
  const field = await screen.findByRole('textbox', { name: 'Send it by e-mail' });
  await vi.waitFor(() => expect(field).toHaveProperty('value', 'nid@example.org'));
  await user.clear(field);
  await user.type(field, 'mum@example');
  await user.click(screen.getByRole('button', { name: 'Send the receipt' }));
  screen.getByText('Please enter a valid email address.');
  expect(sent).toEqual([]);
  await user.type(field, '.org');
  await user.click(screen.getByRole('button', { name: 'Send the receipt' }));
  await screen.findByText(/It is on its way to m•••@example.org/);
  expect(sent).toEqual([{ kind: 'order', id: 'o1', email: 'mum@example.org', lang: 'en' }]);
});

it('offers no e-mail where none can be sent', async () => {
  await page(receipt({ mail: false }));
  await screen.findByRole('article');
  expect(screen.queryByRole('textbox')).toBeNull();
});

it("opens in the phone's own browser inside LINE, whose browser cannot save", async () => {
  const user = userEvent.setup();
  const open = vi.fn();
  phone.openOutside = open;
  await page(receipt({}), { '/api/user/receipt/link': () => ({ secret: 'one-time-secret', expires_at: '' }) });
  await user.click(await screen.findByRole('button', { name: 'Open in the browser to save it' }));
  await vi.waitFor(() => expect(open).toHaveBeenCalledWith(`${location.origin}/receipt#one-time-secret`));
  expect(screen.queryByRole('button', { name: 'Print or save' })).toBeNull();
});

it('says that there is none, and that one did not load', async () => {
  await page(receipt({}), {}, '/user/receipts/nothing/o1');
  await screen.findByText('There is no such receipt');
  cleanup();
  await page(receipt({}), { '/api/user/receipt/get': () => new Refusal(500, 'internal') });
  await screen.findByText('The receipt did not load');
});
