import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it('takes no tick for a text over to the version that follows it', async () => {
  const user = userEvent.setup();
  localStorage.setItem('cart', '[{"package_id":"p1","total":1}]');
  let version = 1;
  await renderPage('/user/cart', {
    '/api/user/order/quote': () => ({
      hash: 'h1',
      lines: [
        {
          package_id: 'p1',
          name_th: '',
          name_en: 'Massage',
          picture: null,
          quantity: 1,
          unit_satang: 100,
          amount_satang: 100,
          discount_satang: 0,
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
      balance_satang: 500_00,
      missing_satang: 0,
      topup_satang: 0,
      topup_is_minimum: false,
      consents: [
        {
          _id: `c${version}`,
          kind: 'terms',
          name_en: `Terms ${version}`,
          name_th: '',
          body_en: '',
          body_th: '',
        },
      ],
    }),
    '/api/user/order/confirm': () => {
      version = 2;
      return new Refusal(409, 'consent.inactive');
    },
  });
  await user.click(await screen.findByRole('checkbox'));
  await user.click(screen.getByRole('button', { name: /^Pay from Wallet/ }));
  await screen.findByText('Terms 2');
  await waitFor(() => expect(screen.getByRole('checkbox').getAttribute('data-state')).toBe('unchecked'));
  await screen.findByText(
    "The provider's confirmation data is missing. The shop's text may have changed meanwhile; please read it again.",
  );
});
