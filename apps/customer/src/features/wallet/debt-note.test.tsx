import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { setLanguage } from '@wlv/client/language';
import { afterEach, expect, it, vi } from 'vitest';
import { messageCatalog } from '../../messages.ts';
import { renderPage } from '../../test/render-page.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const references = { dispute: 'TP-112194', refund: 'TP-112195' };
const owes = (reason: 'dispute' | 'refund') => ({
  reason,
  reference: references[reason],
  owed_satang: 290_00,
  paid_at: '2026-11-20T10:00:00Z',
});
const page = (debt_satang: number, reasons: ('dispute' | 'refund')[]) =>
  renderPage('/user/wallet', {
    '/api/user/getwallet': () => ({ balance_satang: 0, debt_satang, owes: reasons.map(owes) }),
    '/api/user/wallet/history': () => ({ data: [], next: null }),
    '/api/user/consent/open': () => ({ data: [] }),
  });
const inThai = () => act(() => setLanguage('th', messageCatalog));

it('shows the debt, the reason of each payment, and what the debt stops', async () => {
  await page(580_00, ['dispute', 'refund']);
  await screen.findByText('You owe ฿580.00');
  screen.getByText('Your bank asked back the payment TP-112194 of 20/11/2026. ฿290.00 of it had been spent.');
  screen.getByText('Of the payment TP-112195 of 20/11/2026, money was sent back to you. ฿290.00 of it had been spent.');
  screen.getByText(/^Whatever comes into your Wallet pays this first\./);

  await inThai();
  screen.getByText('ค้างชำระ ฿580.00');
  screen.getByText(/^ธนาคารของคุณเรียกเงินที่ชำระคืน \(TP-112194 วันที่ 20/);
  screen.getByText(/^เงินที่ชำระ \(TP-112195 วันที่ 20.*ถูกคืนให้คุณแล้ว/);
  screen.getByText(/^เงินที่เข้า Wallet จะชำระยอดนี้ก่อน/);
});

it('shows only the reason where frozen vouchers stand for all of the debt', async () => {
  await page(0, ['dispute']);
  await screen.findByText('Some of your vouchers are on hold');
  screen.getByText(/^Your bank asked back the payment TP-112194/);
  expect(screen.queryByText(/You owe|pays this first/)).toBeNull();

  await inThai();
  screen.getByText('เวาเชอร์บางใบถูกอายัดไว้');
  expect(screen.queryByText(/ค้างชำระ|จะชำระยอดนี้ก่อน/)).toBeNull();
});

it('shows nothing without a debt', async () => {
  await page(0, []);
  await waitFor(() => expect(screen.getByText('Balance you can spend').parentElement?.textContent).toContain('฿0.00'));
  expect(screen.queryByText(/owe|on hold/)).toBeNull();
});
