import { cleanup, waitFor } from '@testing-library/react';
import { Refusal } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const offer = '01a21be1-02c9-7b62-87b6-76ad7009a425';
const voucher = '01a21be1-05e6-7d7b-bb91-5ace8eb71661';
const liff = '1656565656-AbCdEfGh';
const unknown = new Refusal(404, 'offer.not_found');

const answers = {
  '/api/user/trade/setting': () => ({ open: true }),
  '/api/user/trade/detail': (body: object) =>
    'id' in body && body.id === offer ? new Refusal(409, 'offer.over') : unknown,
  '/api/user/trade/list': () => ({ data: [], total: 0 }),
  '/api/user/trade/own': () => ({ data: [] }),
  '/api/user/trade/check': () => new Refusal(404, 'voucher.not_found'),
  '/api/user/voucher/detail': () => new Refusal(404, 'voucher.not_found'),
  '/api/user/get/tags': () => ({ data: [] }),
  '/api/user/consent/open': () => ({ data: [] }),
};

it.each([
  [`/trade/buy/lamai-spa/${offer}`, `/user/trade/${offer}`],
  [`/trade/buy/${offer}/lamai-spa`, `/user/trade/${offer}`],
  [`/trade/buy/${voucher}/${offer}`, `/user/trade/${offer}`],
  [`/trade/buy/${offer}/${voucher}`, `/user/trade/${offer}`],
  [`/trade/sale/lamai-spa/${offer}`, `/user/trade/${offer}`],
  [`/trade/sale/lamai-spa/${voucher}`, `/user/activevoucher/${voucher}/sell`],
  [`/TRADE/Buy/lamai-spa/${offer}`, `/user/trade/${offer}`],
  ['/trade/sale/lamai-spa/x', '/user/sale'],
  [`/tradeuser/${liff}/buy/lamai-spa/${offer}`, `/welovevoucher/${liff}/trade/${offer}`],
  [`/tradeuser/${liff}/buy%2Flamai-spa%2F${offer}`, `/welovevoucher/${liff}/trade/${offer}`],
  [`/tradeuser/${liff}/sale/lamai-spa/${offer}`, `/welovevoucher/${liff}/trade/${offer}`],
  [`/welovevoucher/${liff}/trade/buy/lamai-spa/${offer}`, `/welovevoucher/${liff}/trade/${offer}`],
  [`/welovevoucher/${liff}/home/trade/buy/lamai-spa/${offer}`, `/welovevoucher/${liff}/trade/${offer}`],
  [`/user/home/tradeuser/${liff}/buy/lamai-spa/${offer}`, `/user/trade/${offer}`],
])('leads from %s to %s', async (address, ends) => {
  await renderPage(`${address}?page=a%2Fb&ref=AGENT`, answers);
  await waitFor(() => expect(location.pathname + location.search).toBe(`${ends}?page=a%2Fb&ref=AGENT`));
});

it('shows a visitor what is on sale, and asks who wants to sell to sign in', async () => {
  await renderPage(`/trade/buy/lamai-spa/${offer}`, answers, { signedIn: false });
  await waitFor(() => expect(location.pathname).toBe(`/user/trade/${offer}`));
  cleanup();
  await renderPage(`/trade/sale/lamai-spa/${voucher}`, answers, { signedIn: false });
  await waitFor(() => expect(location.pathname).toBe('/user/home'));
  expect(new URLSearchParams(location.search).get('next')).toBe(`/user/activevoucher/${voucher}/sell`);
});
