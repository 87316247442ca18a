import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { session } from '@wlv/client/session';
import { Refusal } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../test/render-page.ts';

const text = (id: string, kind: string, title: string) => ({
  _id: id,
  kind,
  purpose: 'customer',
  name_th: title,
  name_en: title,
  body_th: 'เนื้อหา',
  body_en: 'What it says',
});
const both = [text('c1', 'pdpa', 'Privacy'), text('c2', 'terms', 'House rules')];
const market = {
  '/api/user/get/salepackage': () => ({ data: [], next: null, total: 0 }),
  '/api/user/get/tags': () => ({ data: [] }),
};

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it('asks for open texts, names one that is not ticked, and closes once all are accepted', async () => {
  const user = userEvent.setup();
  let open = both;
  const page = await renderPage('/user/market', {
    ...market,
    '/api/user/consent/open': () => ({ data: open }),
    '/api/user/consent/accept': () => {
      open = [];
      return {};
    },
  });
  await user.click(await screen.findByRole('checkbox', { name: 'I have read and accept “House rules”' }));
  await user.click(screen.getByRole('button', { name: 'Accept and go on' }));
  await screen.findByText('Please review PDPA');
  expect(page.calls('/api/user/consent/accept')).toHaveLength(0);

  await user.click(screen.getByRole('checkbox', { name: 'I have read and accept “Privacy”' }));
  await user.click(screen.getByRole('button', { name: 'Accept and go on' }));
  await waitFor(() => expect(screen.queryByText('Before you go on')).toBeNull());
  expect(page.calls('/api/user/consent/accept')[0]?.body).toEqual({ version_ids: ['c1', 'c2'], lang: 'en' });
});

it('shows the new version when one followed another meanwhile', async () => {
  const user = userEvent.setup();
  let open = [text('c1', 'pdpa', 'Privacy 1')];
  await renderPage('/user/market', {
    ...market,
    '/api/user/consent/open': () => ({ data: open }),
    '/api/user/consent/accept': () => {
      open = [text('c3', 'pdpa', 'Privacy 2')];
      return new Refusal(409, 'consent.inactive');
    },
  });
  await user.click(await screen.findByRole('checkbox'));
  await user.click(screen.getByRole('button', { name: 'Accept and go on' }));
  await screen.findByText('Privacy 2');
  await screen.findByText(
    "The provider's confirmation data is missing. The shop's text may have changed meanwhile; please read it again.",
  );
  expect(screen.getByRole('checkbox').getAttribute('data-state')).toBe('unchecked');
});

it('opens when the server refuses a sale for a text that came into force meanwhile', async () => {
  const user = userEvent.setup();
  localStorage.setItem('cart', '[{"package_id":"p1","total":1}]');
  let open: typeof both = [];
  await renderPage('/user/cart', {
    '/api/user/consent/open': () => ({ data: open }),
    '/api/user/order/quote': () => ({
      hash: 'h1',
      lines: [
        {
          package_id: 'p1',
          name_th: 'นวด',
          name_en: 'Massage',
          picture: null,
          quantity: 1,
          unit_satang: 100,
          amount_satang: 100,
          last_days: ['2027-04-03'],
          expiry_rules: ['breakage'],
          refund_rule: 'self',
          refund_days: 7,
          refund_fee_basis_points: 0,
          refund_until: '2027-01-10',
          transfer_rules: [{ rule: 'unlimited', times: 0, together: false }],
        },
      ],
      discounts: [],
      lost_discounts: [],
      total_satang: 100,
      balance_satang: 100,
      missing_satang: 0,
      topup_satang: 0,
      topup_is_minimum: false,
      consents: [],
    }),
    '/api/user/order/confirm': () => {
      open = both;
      return new Refusal(409, 'consent.missing');
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Pay from Wallet ฿1.00' }));
  await screen.findByRole('checkbox', { name: 'I have read and accept “Privacy”' });
  await screen.findByText("Nothing has happened yet. Please read and accept the shop's texts first.");
});

it('lets a person who declines go on as a visitor', async () => {
  const user = userEvent.setup();
  await renderPage('/user/market', {
    ...market,
    '/api/user/consent/open': () => ({ data: both }),
    '/api/authen/logout': () => ({}),
  });
  await user.click(await screen.findByRole('button', { name: 'Not now, sign out' }));
  await waitFor(() => expect(location.pathname).toBe('/user/home'));
  expect(session.token('user')).toBeNull();
});

it('asks no visitor', async () => {
  const page = await renderPage('/user/market', market, { signedIn: false });
  await waitFor(() => expect(page.calls('/api/user/get/salepackage').length).toBeGreaterThan(0));
  expect(page.calls('/api/user/consent/open')).toHaveLength(0);
});
