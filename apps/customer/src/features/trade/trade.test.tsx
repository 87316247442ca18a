import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal, spa } from '@wlv/client/test-kit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderPage } from '../../test/render-page.ts';
import { share } from './offer.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const setting = { open: true, royalty_basis_points: 200, cap_percent: 100, days: 30, sold_out_only: false };

const offer = {
  id: 'f1',
  state: 'open',
  own: false,
  price_satang: 1890_00,
  shop_price_satang: 2193_33,
  kind: 'item',
  name_th: 'นวด',
  name_en: 'Massage',
  picture: null,
  items: 2,
  vouchers: 1,
  valid_until: '2099-03-31',
  given: 1,
  resold: 0,
  transfer_rule: 'times',
  transfers_left: 1,
  created_at: '2026-11-21T03:00:00Z',
  expires_at: '2026-12-21T17:00:00Z',
  ended_at: null,
  stopped_by_shop: false,
  split: null,
  buyer: '',
  number: '',
  bought: false,
  payment_id: null,
};

const detail = {
  ...offer,
  seller: 'Nat',
  issued_at: '2026-11-20T03:00:00Z',
  hands: ['gift'],
  voucher_id: null,
  paid_by: '',
  reported: false,
  conditions_th: '',
  conditions_en: '',
  where: [],
  consents: [],
};

const wallet = { balance_satang: 2000_00 };

/** What the page asks for beside the offer. */
const money = {
  '/api/user/getwallet': () => wallet,
  '/api/user/wallet/payment-options': () => ({ data: [{ method: 'promptpay', public_key: '', vault_url: '' }] }),
};

const charge = {
  id: 'p1',
  amount_satang: 1890_00,
  method: 'promptpay',
  state: 'awaiting',
  qr_image_url: 'data:,',
  authorize_url: '',
  reference: 'TU000000001',
  charge_id: 'chrg',
  failure: '',
  late: false,
  credited: false,
  captured_satang: 0,
  created_at: '2026-11-22T03:00:00Z',
  expires_at: '2026-11-22T03:10:00Z',
  captured_at: null,
  server_time: '2026-11-22T03:00:00Z',
};
const payment = { id: 'p1', offer_id: 'f1', state: 'open', payment: charge, number: '', voucher_ids: [] };

it('rounds parts of a price half up, as the server does', () => {
  expect(share(900_05, 200)).toBe(18_00);
  expect(share(900_05, 300)).toBe(27_00);
  expect(share(1_01, 4700)).toBe(47);
  expect(share(25, 200)).toBe(1); // 0.5 satang
  expect(share(24, 200)).toBe(0);
});

describe('the board', () => {
  it('has each offer with how much less it costs and its hands, and says when the shop keeps none', async () => {
    await renderPage('/user/trade', {
      '/api/user/trade/setting': () => setting,
      '/api/user/trade/list': () => ({ data: [offer], total: 1 }),
      '/api/user/get/tags': () => ({ data: [] }),
    });
    const link = await screen.findByRole('link', { name: /Massage/ });
    expect(link.getAttribute('href')).toBe('/user/trade/f1');
    expect(link.textContent).toMatch(/13% below the shop.*given once/);
    cleanup();
    await renderPage('/user/trade', { '/api/user/trade/setting': () => ({ ...setting, open: false }) });
    await screen.findByText('Vouchers are not sold on here');
  });
});

describe('an offer', () => {
  it('is sent to friends under the address that opens with their login', async () => {
    const user = userEvent.setup();
    const copied = vi.spyOn(navigator.clipboard, 'writeText');
    const at = async (liff: object) => {
      await renderPage(
        '/user/trade/f1',
        { '/api/user/trade/detail': () => detail, ...money },
        { org: { ...spa, liff: { ...spa.liff, ...liff } }, line: { liff_base: 'https://liff.line.me' } },
      );
      await user.click(await screen.findByRole('button', { name: 'Share' }));
      await waitFor(() => expect(copied).toHaveBeenCalled());
      const [text] = copied.mock.lastCall ?? [];
      copied.mockClear();
      cleanup();
      return text;
    };
    expect(await at({ lifftrade: '1-t', liffuser: '1-u' })).toMatch(
      /^Massage for ฿1,890.00 at .*\nhttps:\/\/liff.line.me\/1-t\/buy\/.+\/f1$/,
    );
    expect(await at({ liffuser: '1-u' })).toMatch(/\nhttps:\/\/liff.line.me\/1-u\/trade\/f1$/);
    expect(await at({})).toMatch(new RegExp(`\\n${location.origin}/trade/buy/.+/f1$`));
  });

  it('is paid from the wallet, under its texts', async () => {
    const user = userEvent.setup();
    let bought = false;
    const text = { _id: 'c1', name_en: 'Resale', name_th: '', body_en: 'What holds', body_th: '' };
    const page = await renderPage('/user/trade/f1', {
      '/api/user/trade/detail': () =>
        bought
          ? {
              ...detail,
              state: 'sold',
              bought: true,
              number: 'RCPT',
              voucher_id: 'v1',
              ended_at: '2026-11-22T03:00:00Z',
            }
          : { ...detail, consents: [text] },
      ...money,
      '/api/user/trade/buy': () => {
        bought = true;
        return {
          id: 'r1',
          number: 'RCPT',
          offer_id: 'f1',
          price_satang: 1890_00,
          sold_at: '2026-11-22T03:00:00Z',
          voucher_ids: ['v1'],
        };
      },
    });
    await screen.findByText('You have ฿2,000.00, ฿110.00 stays after this');
    await user.click(screen.getByRole('button', { name: /^Pay/ }));
    await screen.findByText('Please read and accept before you pay.');
    expect(page.calls('/api/user/trade/buy')).toHaveLength(0);
    await user.click(screen.getByRole('checkbox'));
    await user.click(screen.getByRole('button', { name: /^Pay/ }));
    await screen.findByText('It is yours');
    expect(page.calls('/api/user/trade/buy').map(({ body }) => body)).toEqual([
      { id: 'f1', accepted: ['c1'], lang: 'en' },
    ]);
    expect(screen.getByRole('link', { name: 'Open the voucher' }).getAttribute('href')).toBe('/user/activevoucher/v1');
  });

  it('leads to a top-up of what is missing, and of no less than the least', async () => {
    await renderPage('/user/trade/f1', {
      '/api/user/trade/detail': () => detail,
      '/api/user/getwallet': () => ({ balance_satang: 1850_00 }),
      '/api/user/wallet/payment-options': () => ({ data: [] }),
    });
    await screen.findByText('You have ฿1,850.00, ฿40.00 short');
    await screen.findByRole('button', { name: /^Top up.*100/ });
  });

  it('is paid by PromptPay: kept meanwhile, given up, or his', async () => {
    const user = userEvent.setup();
    let now: object = payment;
    const page = await renderPage('/user/trade/f1', {
      '/api/user/trade/detail': () => detail,
      ...money,
      '/api/user/getwallet': () => ({ balance_satang: 0 }),
      '/api/user/trade/pay': () => payment,
      '/api/user/trade/payment': () => now,
      '/api/user/trade/giveup': () => {
        now = { ...payment, state: 'ended', payment: { ...charge, state: 'expired', failure: 'cancelled' } };
        return now;
      },
    });
    await user.click(await screen.findByRole('button', { name: /^Pay.*PromptPay/ }));
    await screen.findByText('The voucher is kept for you');
    expect(page.calls('/api/user/trade/pay').map(({ body }) => body)).toEqual([
      { id: 'f1', accepted: [], lang: 'en', method: 'promptpay' },
    ]);
    await user.click(screen.getByRole('button', { name: 'Do not buy it' }));
    await screen.findByText('You gave it up');
    expect(screen.getByRole('link', { name: 'Back to the offer' }).getAttribute('href')).toBe('/user/trade/f1');
    cleanup();

    const paid = { ...payment, state: 'paid', number: 'RCPT', voucher_ids: ['v1'] };
    const at = (answer: object) =>
      renderPage('/user/pay/p1', {
        '/api/user/trade/payment': () => answer,
        '/api/user/trade/detail': () => ({ ...detail, state: 'sold', bought: true, voucher_id: 'v1' }),
      });
    await at({ ...paid, payment: { ...charge, state: 'captured', captured_satang: 1890_00 } });
    await screen.findByRole('heading', { name: 'It is yours' });
    expect(location.pathname, 'with the ticket').toBe('/user/trade/f1');
    expect(screen.getByText('You').parentElement?.textContent).toBe('Youbought from the one before');
    cleanup();
    await at({ ...payment, state: 'stopped' });
    await screen.findByText(/^Do not pay for it any more/);
    cleanup();
    const kept = { ...charge, state: 'captured', credited: true, captured_satang: 1890_00 };
    await at({ ...payment, state: 'stopped', payment: kept });
    await screen.findByText('฿1,890.00 is in your Wallet');
  });

  it('is reported once, for a reason from a list', async () => {
    const user = userEvent.setup();
    let reported = false;
    const page = await renderPage('/user/trade/f1', {
      '/api/user/trade/detail': () => ({ ...detail, reported }),
      ...money,
      '/api/user/trade/report': () => {
        reported = true;
        return { ...detail, reported };
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Report this offer' }));
    await user.click(await screen.findByRole('button', { name: 'The price is misleading' }));
    await screen.findByText('You have reported this offer.');
    expect(page.calls('/api/user/trade/report').map(({ body }) => body)).toEqual([{ id: 'f1', reason: 'price' }]);
  });

  it('that somebody is paying is sold to nobody else, and leads who pays back to it', async () => {
    const reserved = { ...detail, state: 'reserved' };
    await renderPage('/user/trade/f1', { '/api/user/trade/detail': () => reserved, ...money });
    await screen.findByText('Somebody is paying for it just now');
    expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull();
    cleanup();
    await renderPage('/user/trade/f1', {
      '/api/user/trade/detail': () => ({ ...reserved, payment_id: 'p1' }),
      ...money,
    });
    expect((await screen.findByRole('link', { name: 'Go on paying' })).getAttribute('href')).toBe('/user/pay/p1');
    cleanup();
    const split = { royalty_satang: 37_80, fee_satang: 56_70, net_satang: 1795_50 };
    await renderPage('/user/trade/f1', { '/api/user/trade/detail': () => ({ ...reserved, own: true, split }) });
    await screen.findByText(/^You cannot take it off sale meanwhile/);
    expect(screen.queryByRole('button', { name: 'Take it off sale' })).toBeNull();
  });

  it('says that somebody was faster', async () => {
    const user = userEvent.setup();
    let gone = false;
    await renderPage('/user/trade/f1', {
      '/api/user/trade/detail': () => (gone ? new Refusal(409, 'offer.over', { detail: { state: 'sold' } }) : detail),
      ...money,
      '/api/user/trade/buy': () => {
        gone = true;
        return new Refusal(409, 'offer.over', { detail: { state: 'sold' } });
      },
    });
    await user.click(await screen.findByRole('button', { name: /^Pay/ }));
    await screen.findByText('Somebody was faster, or the offer has ended. You were not charged.');
  });

  it('shows its seller what came, and who bought it', async () => {
    const split = { royalty_satang: 37_80, fee_satang: 56_70, net_satang: 1795_50 };
    await renderPage('/user/trade/f1', {
      '/api/user/trade/detail': () => ({
        ...detail,
        own: true,
        state: 'sold',
        split,
        buyer: 'Thee',
        number: 'RCPT',
        ended_at: '2026-11-23T08:42:00Z',
      }),
      '/api/user/getwallet': () => ({ balance_satang: 3645_50 }),
    });
    await screen.findByText('Came into your Wallet');
    expect((await screen.findByText('In your Wallet now')).nextSibling?.textContent).toBe('3,645.50');
    await screen.findByText(/Thee bought it on/);
    expect(screen.queryByRole('button', { name: /^Pay|off sale/ })).toBeNull();
  });
});

describe('selling', () => {
  const voucher = {
    id: 'v1',
    code: 'AB',
    kind: 'item',
    name_th: 'นวด',
    name_en: 'Massage',
    picture: null,
    state: 'ready',
    items_total: 3,
    items_left: 2,
    valid_until: '2099-03-31',
    transfer_rule: 'times',
    transfers_left: 1,
    transfer_together: false,
  };
  const terms = {
    paid_satang: 2193_33,
    least_satang: 100,
    most_satang: 1973_99,
    cap_percent: 90,
    royalty_basis_points: 200,
    fee_basis_points: 300,
    expires_at: '2026-12-21T17:00:00Z',
    vouchers: 1,
  };

  it('shows what arrives, refuses a price above the most, and offers', async () => {
    const user = userEvent.setup();
    const page = await renderPage('/user/activevoucher/v1/sell', {
      '/api/user/voucher/detail': () => voucher,
      '/api/user/trade/check': () => terms,
      '/api/user/trade/create': () => ({
        ...detail,
        own: true,
        split: { royalty_satang: 0, fee_satang: 0, net_satang: 0 },
      }),
      '/api/user/trade/detail': () => ({ ...detail, own: true }),
    });
    const price = await screen.findByRole('textbox', { name: 'Your price' });
    await screen.findByText('The shop allows at most 90% of what was paid for it: ฿2,193.33');
    await user.clear(price);
    await user.type(price, '1973.99');
    await waitFor(() => expect(screen.getByText('−59.22')).toBeTruthy());
    expect(screen.getByText('−39.48')).toBeTruthy();
    await user.clear(price);
    await user.type(price, '1974');
    await screen.findByText('Enter a price from ฿1.00 to ฿1,973.99.');
    await user.click(screen.getByRole('button', { name: /^Offer it for/ }));
    expect(page.calls('/api/user/trade/create')).toHaveLength(0);
    await user.clear(price);
    await user.type(price, '1890');
    await user.click(screen.getByRole('button', { name: /^Offer it for/ }));
    await waitFor(() =>
      expect(page.calls('/api/user/trade/create').map(({ body }) => body)).toEqual([
        { voucher_id: 'v1', items: 2, price_satang: 1890_00 },
      ]),
    );
  });

  it('leads to the mobile number and back, and says from when a card lets it', async () => {
    await renderPage('/user/activevoucher/v1/sell', {
      '/api/user/voucher/detail': () => voucher,
      '/api/user/trade/check': () => new Refusal(409, 'offer.phone_first'),
    });
    const link = await screen.findByRole('link', { name: 'Verify the number' });
    expect(link.getAttribute('href')).toBe(
      `/user/profile/mobile?return=${encodeURIComponent('/user/activevoucher/v1/sell')}`,
    );
    cleanup();
    await renderPage('/user/activevoucher/v1/sell', {
      '/api/user/voucher/detail': () => voucher,
      '/api/user/trade/check': () => new Refusal(409, 'offer.too_early', { detail: { until: '2026-12-05T03:00:00Z' } }),
    });
    await screen.findByText('It can be sold on from 05/12/2026');
  });

  it('says that what came for nothing cannot be sold', async () => {
    await renderPage('/user/activevoucher/v1/sell', {
      '/api/user/voucher/detail': () => voucher,
      '/api/user/trade/check': () => ({ ...terms, paid_satang: 0, most_satang: 0 }),
    });
    await screen.findByText('It cannot be sold on');
  });
});
