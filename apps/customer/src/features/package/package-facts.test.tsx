import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const part = (name_en: string, rest: object = {}) => ({
  name_th: name_en,
  name_en,
  kind: 'item',
  quantity: 1,
  count: 3,
  valid_days: 90,
  valid_until: null,
  transfer_rule: 'times',
  transfer_times: 2,
  transfer_together: false,
  conditions_th: '',
  conditions_en: '',
  expiry_rule: 'breakage',
  ...rest,
});
const open = (parts: object[]) =>
  renderPage('/user/market/p1', {
    '/api/user/salepackage/detail': () => ({
      id: 'p1',
      name_th: 'สปา',
      name_en: 'Spa day',
      picture: null,
      price_satang: 329000,
      list_price_satang: null,
      remaining: null,
      sold: 0,
      description_th: '',
      description_en: '',
      parts,
      where: [],
      protected: true,
    }),
    '/api/user/consent/open': () => ({ data: [] }),
  });

it('says beside the protection whose the rest is at expiry, and promises no refund and no gift', async () => {
  await open([part('Aroma massage')]);
  await screen.findByText('Your money is safe until you use it');
  screen.getByText('After it expires, what is left belongs to the shop');
  expect(screen.queryByText(/refund/)).toBeNull();
  expect(screen.queryByText(/given to others/)).toBeNull();
});

it('says each rule of a package whose parts differ in it, with the part it is of', async () => {
  await open([part('Aroma massage'), part('Gift card', { expiry_rule: 'wallet' })]);
  const kept = await screen.findByText('After it expires, what is left belongs to the shop');
  expect(kept.nextSibling?.textContent).toBe('Aroma massage');
  const back = screen.getByText('After it expires, what is left goes back to your Wallet');
  expect(back.nextSibling?.textContent).toBe('Gift card');
});
