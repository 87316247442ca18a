import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Answers, Refusal } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const draft = {
  firstname: 'พิมพ์ชนก',
  lastname: '',
  mobilenumber: '',
  emailaddress: '',
  idcard: '',
  gender: '',
  birthdate: '',
  nationality: 'TH',
  address: '',
  subdistrict: '',
  district: '',
  province: '',
  postcode: '',
  name_on_card: '',
  issued_name: '',
  office_type: '',
  tax_id: '',
  taxpayer_type: '',
};
const noPoints = { points: 0, owed: 0, coming: 0, comes_on: null, baht: 0, lots: [], history: [] };
const nothing = { card: null, application: null, draft, texts: [], purchase_texts: [], renews_from: null };
const gold = {
  id: 'c1',
  name_th: 'โกลด์',
  name_en: 'Gold',
  picture_id: null,
  position: 1,
  version: 1,
  validity: 'months',
  length: 12,
  approval: 'first',
  level: 3,
  price_satang: 0,
  class: 'ordinary',
  least_age: 0,
  asks_email: 'off',
  asks_idcard: 'off',
  asks_gender: 'off',
  asks_birthdate: 'off',
  asks_address: 'off',
  asks_nationality: 'off',
  asks_receipt: 'off',
  status: 5,
};
const waiting = {
  id: 'a1',
  state: 'pending',
  type_name_th: 'โกลด์',
  type_name_en: 'Gold',
  sent_at: '2026-11-21T04:52:00Z',
  decided_at: null,
  reason: '',
  lapsed: false,
  paid_satang: 0,
};

const card = {
  number: 'LAM00482216',
  name: 'พิมพ์ชนก สุขใจ',
  state: 'active',
  since: '2026-11-21',
  card_type_id: 'c1',
  type_name_th: 'โกลด์',
  type_name_en: 'Gold',
  picture_id: null,
  level: 3,
  ends_on: null,
  next_ends_on: null,
  next: false,
  next_paid_satang: 0,
  credit_satang: 0,
  regret_until: null,
};

it('asks for what the card asks, says what is wrong at its field, and waits for the shop', async () => {
  const user = userEvent.setup();
  let tries = 0;
  let standing: object = nothing;
  const answers: Answers = {
    '/api/user/get/membercardtype': () => ({ data: [gold], total: 1 }),
    '/api/user/member/get': () => standing,
    '/api/user/member/save': () => ({}),
    '/api/user/member/apply': () => {
      tries++;
      if (tries === 1) {
        return new Refusal(422, 'input.invalid', { fields: [{ path: 'form.lastname', fault: 'field.required' }] });
      }
      standing = { ...nothing, application: waiting };
      return standing;
    },
  };
  const { calls } = await renderPage('/user/registermember', answers);
  await user.click(await screen.findByRole('link', { name: 'Apply for Gold' }));
  expect(screen.queryByLabelText('E-mail')).toBeNull();
  await user.type(screen.getByLabelText('Mobile number'), '0895550146');
  await user.click(screen.getByRole('button', { name: 'Apply' }));
  await screen.findByText('Please fill this in');
  await user.type(screen.getByLabelText('Last name'), 'สุขใจ');
  await waitFor(() => expect(calls('/api/user/member/save').length).toBeGreaterThan(0));
  await user.click(screen.getByRole('button', { name: 'Apply' }));
  await screen.findByText('The shop is looking at your application');
  expect(calls('/api/user/member/apply').at(-1)?.body).toMatchObject({
    card_type_id: 'c1',
    form: { firstname: 'พิมพ์ชนก', lastname: 'สุขใจ', mobilenumber: '0895550146' },
    version_ids: [],
  });
  screen.getByRole('button', { name: 'Take the application back' });
});

it('shows a card with its number and last day, and the words by which another was refused', async () => {
  await renderPage('/user/member', {
    '/api/user/member/get': () => ({
      ...nothing,
      card: { ...card, ends_on: '2999-11-20' },
      renews_from: '2999-09-21',
      application: { ...waiting, state: 'refused', reason: 'Another name' },
    }),
    '/api/user/member/points': () => noPoints,
  });
  await screen.findByText('LAM 0048 2216');
  screen.getByText('Your card is valid until 20/11/2999.');
  screen.getByText('“Another name”');
  screen.getByRole('link', { name: 'Other cards' });
});

const silver = { ...gold, price_satang: 149000 };
const priced = (balance_satang: number, pay: () => unknown = () => nothing): Answers => ({
  '/api/user/get/membercardtype': () => ({ data: [silver], total: 1 }),
  '/api/user/member/get': () => nothing,
  '/api/user/member/save': () => ({}),
  '/api/user/getwallet': () => ({ balance_satang, debt_satang: 0 }),
  '/api/user/member/buy': pay as () => object,
});

it('pays a card that has a price from the wallet, once, and shows what comes back', async () => {
  const user = userEvent.setup();
  const paid = { ...nothing, application: { ...waiting, paid_satang: 149000 } };
  const { calls } = await renderPage(
    '/user/registermember?card=c1',
    priced(200000, () => paid),
  );
  await user.click(await screen.findByRole('button', { name: /Pay from Wallet/ }));
  await screen.findByText(/You have paid ฿1,490.00, which comes back to your Wallet/);
  const [call] = calls('/api/user/member/buy');
  expect(call?.body).toMatchObject({ card_type_id: 'c1', price_satang: 149000, version_ids: [], accepted: [] });
  expect(call?.headers.get('Idempotency-Key')).toBeTruthy();
  screen.getByText('If you take it back, ฿1,490.00 goes to your Wallet.');
});

it('offers to top up what a card costs more than the wallet has, and pays nothing', async () => {
  const user = userEvent.setup();
  const { calls } = await renderPage('/user/registermember?card=c1', priced(140000));
  await user.click(await screen.findByRole('button', { name: /Top up/ }));
  expect(calls('/api/user/member/buy')).toHaveLength(0);
});

it('says first that the money is there again when the shop did not approve', async () => {
  await renderPage('/user/member', {
    '/api/user/member/get': () => ({
      ...nothing,
      application: { ...waiting, state: 'refused', reason: 'Another name', paid_satang: 149000 },
    }),
  });
  await screen.findByText('฿1,490.00 is in your Wallet again. The shop did not approve Gold.');
});

it('ends the membership only after it has asked', async () => {
  const user = userEvent.setup();
  const { calls } = await renderPage('/user/member', {
    '/api/user/member/get': () => ({ ...nothing, card }),
    '/api/user/member/points': () => noPoints,
    '/api/user/member/leave': () => ({ ...nothing, card: { ...card, state: 'left' } }),
  });
  await user.click(await screen.findByRole('button', { name: 'Stop being a member' }));
  expect(calls('/api/user/member/leave')).toHaveLength(0);
  screen.getByText(/nothing is paid back for the days that are left/);
  await user.click(screen.getByRole('button', { name: 'Stop being a member' }));
  await screen.findByText('You are not a member any more. You can apply again and keep your number.');
});

it('turns the card over to a code that changes, which goes on without a connection', async () => {
  const user = userEvent.setup();
  let connected = true;
  const { calls } = await renderPage('/user/member', {
    '/api/user/member/get': () => ({ ...nothing, card, renews_from: null }),
    '/api/user/member/key': () => {
      if (!connected) throw new Error('no connection');
      return {
        id: '0190a0c8-0000-7000-8000-000000000002',
        secret: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8',
        organisation_tag: 'P53Zko',
        expires_at: '2999-11-28T00:00:00Z',
        server_time: new Date().toISOString(),
      };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Show the code to the staff' }));
  await screen.findByRole('img', { name: 'QR of your member card; it changes every 30 seconds' });
  screen.getByText('LAM 0048 2216');
  screen.getByText(/^\d{3} \d{3}$/);
  await user.click(screen.getByRole('button', { name: 'Turn to the front' }));
  expect(screen.queryByRole('timer')).toBeNull();

  connected = false;
  await user.click(screen.getByRole('button', { name: 'Show the code to the staff' }));
  await waitFor(() => expect(calls('/api/user/member/key').length).toBeGreaterThan(1));
  await screen.findByRole('img', { name: 'QR of your member card; it changes every 30 seconds' });
});

it('shows no code of a card that is suspended', async () => {
  await renderPage('/user/member', {
    '/api/user/member/get': () => ({ ...nothing, card: { ...card, state: 'suspended' }, renews_from: null }),
  });
  await screen.findByText('LAM 0048 2216');
  expect(screen.queryByRole('button', { name: 'Show the code to the staff' })).toBeNull();
});
