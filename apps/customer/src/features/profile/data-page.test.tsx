import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { session } from '@wlv/client/session';
import { Refusal } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

const held = {
  person: {
    displayName: 'Nattakan',
    pictureUrl: '',
    firstname: 'Nat',
    lastname: '',
    emailaddress: '',
    mobilenumber: '+66812345678',
    gender: '',
    birth_date: null,
    referercode: 'ABC',
    since: '2026-11-01T03:00:00Z',
  },
  orders: 2,
  vouchers: 5,
  uses: 1,
  payments: 3,
  accepted: [
    {
      _id: 'c1',
      kind: 'pdpa',
      purpose: 'customer',
      audience: 'customer',
      version: '2',
      name_en: 'Privacy',
      name_th: '',
      body_en: 'What it says',
      body_th: '',
      lang: 'th',
      channel: 'consent.accept',
      address: '192.0.2.1',
      at: '2026-11-02T03:00:00Z',
    },
  ],
  obstacles: [],
};

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it('shows the mobile number as people write it', async () => {
  await renderPage('/user/mydata', { '/api/user/privacy/get': () => held });
  await screen.findByText('081 234 5678');
});

it('shows the accepted texts, to be read again', async () => {
  const user = userEvent.setup();
  await renderPage('/user/mydata', { '/api/user/privacy/get': () => held });
  await user.click(await screen.findByRole('button', { name: /Privacy.*Version 2, accepted/ }));
  await screen.findByText('What it says');
});

it('erases only when the words are typed, and then signs out', async () => {
  const user = userEvent.setup();
  const page = await renderPage('/user/mydata', {
    '/api/user/privacy/get': () => held,
    '/api/user/privacy/erase': () => ({}),
  });
  await user.click(await screen.findByRole('button', { name: 'Erase my data' }));
  await user.type(await screen.findByLabelText('Type “ERASE MY DATA” to confirm'), 'erase');
  await user.click(screen.getByRole('button', { name: 'Erase for ever' }));
  await screen.findByText('Type exactly: ERASE MY DATA');
  expect(page.calls('/api/user/privacy/erase')).toHaveLength(0);

  await user.clear(screen.getByLabelText('Type “ERASE MY DATA” to confirm'));
  await user.type(screen.getByLabelText('Type “ERASE MY DATA” to confirm'), 'ERASE MY DATA');
  await user.click(screen.getByRole('button', { name: 'Erase for ever' }));
  await screen.findByText('Your data has been erased.');
  expect(session.token('user')).toBeNull();
});

it('shows what stands in the way instead of asking for the words', async () => {
  await renderPage('/user/mydata', {
    '/api/user/privacy/get': () => ({
      ...held,
      obstacles: [{ fault: 'privacy.wallet_not_empty', count: 0, amount_satang: 120_50 }],
    }),
  });
  await screen.findByText(
    '฿120.50 is still in your Wallet. Spend it, or ask the shop for it, before you erase your account.',
  );
  expect(screen.queryByRole('button', { name: 'Erase my data' })).toBeNull();
});

it('shows an obstacle that came meanwhile', async () => {
  const user = userEvent.setup();
  let obstacles: unknown[] = [];
  await renderPage('/user/mydata', {
    '/api/user/privacy/get': () => ({ ...held, obstacles }),
    '/api/user/privacy/erase': () => {
      obstacles = [{ fault: 'privacy.payment_under_way', count: 1, amount_satang: 0 }];
      return new Refusal(409, 'privacy.payment_under_way');
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Erase my data' }));
  await user.type(await screen.findByLabelText('Type “ERASE MY DATA” to confirm'), 'ERASE MY DATA');
  await user.click(screen.getByRole('button', { name: 'Erase for ever' }));
  await waitFor(() => expect(screen.getByText(/A payment may still arrive. Try again/)).toBeTruthy());
});
