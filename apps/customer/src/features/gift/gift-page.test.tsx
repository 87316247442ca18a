import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal, spa } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const content = {
  voucher_id: 'v1',
  kind: 'item',
  name_th: 'นวด',
  name_en: 'Aroma massage',
  picture: null,
  items: 3,
  valid_until: '2027-06-30',
};

const gift = (rest: object) => ({
  id: 'g1',
  state: 'open',
  given: true,
  people: 1,
  takers: [],
  card: 'thanks',
  person: '',
  to_name: 'Mum',
  words: 'Rest well',
  digits: '',
  ref: 'REF',
  created_at: '2026-11-21T07:20:00Z',
  begins_at: '2026-11-21T07:20:00Z',
  expires_at: '2026-11-28T17:00:00Z',
  days: 7,
  may_extend: false,
  opened_at: null,
  ended_at: null,
  thanked_at: null,
  contents: [content],
  ...rest,
});

const ended = { ended_at: '2026-11-22T03:00:00Z', ref: '' };

const page = (rest: object, answers = {}, options = {}) =>
  renderPage(
    '/user/gift/g1',
    {
      '/api/user/transfer/detail': () => gift(rest),
      '/api/user/consent/open': () => ({ data: [] }),
      ...answers,
    },
    options,
  );

it('opens a link at once that would open later', async () => {
  const user = userEvent.setup();
  const server = await page(
    { state: 'scheduled', begins_at: '2026-11-25T02:00:00Z' },
    { '/api/user/transfer/begin': () => gift({}) },
  );
  await screen.findByText('Its link opens 25/11/2026 09:00');
  expect(screen.queryByRole('button', { name: 'Send in LINE' })).toBeNull();
  screen.getByRole('button', { name: 'Take it back' });
  await user.click(screen.getByRole('button', { name: 'Send it now instead' }));
  await screen.findByRole('button', { name: 'Send in LINE' });
  expect(server.calls('/api/user/transfer/begin').map(({ body }) => body)).toEqual([{ id: 'g1' }]);
});

it('asks before it takes a gift back', async () => {
  const user = userEvent.setup();
  const server = await page({}, { '/api/user/transfer/withdraw': () => gift({ state: 'withdrawn', ...ended }) });
  await user.click(await screen.findByRole('button', { name: 'Take it back' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Leave it' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.calls('/api/user/transfer/withdraw')).toHaveLength(0);

  await user.click(screen.getByRole('button', { name: 'Take it back' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Take it back' }));
  await screen.findByText('The voucher came back to you; the link is closed');
  expect(server.calls('/api/user/transfer/withdraw').map(({ body }) => body)).toEqual([{ id: 'g1' }]);
  expect(screen.queryByRole('button', { name: 'Take it back' })).toBeNull();
});

it.each([
  [{}, 'Nobody has opened it yet', 'If nobody receives it, it comes back after 28/11/2026'],
  [{ opened_at: '2026-11-21T07:26:00Z' }, 'Opened, not received yet', '21/11/2026 14:26'],
  [{ state: 'claimed', person: 'Nok', ...ended }, 'Nok has received it', '22/11/2026 10:00'],
  [{ state: 'claimed', person: '', ...ended }, 'It has been received', '22/11/2026 10:00'],
  [
    { state: 'claimed', person: 'Nok', thanked_at: '2026-11-22T04:00:00Z', ...ended },
    'Nok says thank you',
    '22/11/2026 11:00',
  ],
  [{ state: 'withdrawn', ...ended }, 'You took it back', 'The voucher came back to you; the link is closed'],
  [{ state: 'declined', ...ended }, 'It was declined', 'The voucher came back to you; the link is closed'],
  [{ state: 'returned', ...ended }, 'Nobody received it in time', 'The voucher came back to you by itself'],
  [
    { state: 'stopped', stopped_by_shop: true, ...ended },
    'The shop stopped the gift',
    'The voucher came back to you; the link is closed',
  ],
  [{ state: 'stopped', ...ended }, 'The gift was stopped', 'Something happened to the voucher; its page says what'],
])('says how it stands: %o', async (rest, title, line) => {
  await page(rest);
  expect(await screen.findAllByText(title)).not.toHaveLength(0);
  expect(screen.getAllByText(line)).not.toHaveLength(0);
});

it.each(['claimed', 'withdrawn', 'declined', 'returned', 'stopped'])(
  'offers no link of a gift that is %s',
  async (state) => {
    await page({ state, ...ended });
    await screen.findByRole('heading', { name: 'Gift you gave' });
    await screen.findByText('Aroma massage');
    for (const name of ['Send in LINE', 'Show QR', 'Copy link', 'Take it back']) {
      expect(screen.queryByRole('button', { name })).toBeNull();
    }
  },
);

it('copies the link of the shop, and shows it as a QR', async () => {
  const user = userEvent.setup();
  await page({});
  await user.click(await screen.findByRole('button', { name: 'Copy link' }));
  expect(await navigator.clipboard.readText()).toBe(`${location.origin}/transfer?ref=REF`);
  await user.click(screen.getByRole('button', { name: 'Show QR' }));
  await screen.findByRole('img', { name: "QR of the gift's link" });
});

it.each([
  [{ lifftransfer: '1657000001-giftgift' }, '/1657000001-giftgift?ref=REF'],
  [{ liffuser: '1657000001-customer' }, '/1657000001-customer/transferdata?ref=REF'],
])('shares an address that opens inside LINE where the shop has an app for it: %o', async (apps, path) => {
  const user = userEvent.setup();
  const line = { liff_base: 'https://liff.line.me' };
  await page({}, {}, { org: { ...spa, liff: { ...spa.liff, ...apps } }, line });
  await user.click(await screen.findByRole('button', { name: 'Copy link' }));
  expect(await navigator.clipboard.readText()).toBe(`https://liff.line.me${path}`);
});

it('keeps the link open for longer on its last day, no longer than the voucher', async () => {
  const user = userEvent.setup();
  const day = (days: number) =>
    new Date(Date.now() + days * 86_400_000).toLocaleDateString('en-CA', { timeZone: 'Asia/Bangkok' });
  const last = {
    may_extend: true,
    expires_at: `${day(0)}T17:00:00Z`,
    contents: [{ ...content, valid_until: day(3) }],
  };
  const server = await page(last, { '/api/user/transfer/extend': () => gift({}) });
  const until = day(3).split('-').reverse().join('/');
  await user.click(await screen.findByRole('button', { name: `Keep it open until ${until}` }));
  await waitFor(() => expect(screen.queryByText('Today is the last day of the link')).toBeNull());
  expect(server.calls('/api/user/transfer/extend').map(({ body }) => body)).toEqual([{ id: 'g1' }]);
});

it('shows the digits of a lock', async () => {
  await page({ digits: '5812' });
  await screen.findByText('Locked with 4 digits');
  screen.getByText('5 8 1 2');
});

it('counts vouchers that are the same', async () => {
  await page({ contents: [content, { ...content, voucher_id: 'v2' }] });
  await screen.findByText('2 vouchers · 6 times · until 30/06/2027');
});

it('shows who gave what was received, and leads to its voucher', async () => {
  await page({ given: false, state: 'claimed', person: 'Nattakan', ...ended });
  await screen.findByText('Nattakan gave you this');
  screen.getByText('“Rest well”');
  expect(screen.getByRole('link', { name: 'Open the voucher' }).getAttribute('href')).toBe('/user/activevoucher/v1');
});

it('says that what was received is with somebody else', async () => {
  await page({
    given: false,
    state: 'claimed',
    person: 'Nattakan',
    contents: [{ ...content, voucher_id: null }],
    ...ended,
  });
  await screen.findByText('This voucher is with somebody else now.');
  expect(screen.queryByRole('link', { name: 'Open the voucher' })).toBeNull();
});

it('says that it knows no such gift', async () => {
  await page({}, { '/api/user/transfer/detail': () => new Refusal(404, 'gift.not_found') });
  await screen.findByRole('heading', { name: 'Gift not found' });
});

const taker = (name: string, rest = {}) => ({ name, at: '2026-11-21T08:00:00Z', own: false, thanked: false, ...rest });

it('shows the envelopes of an ang-pao, who has opened which, and takes back what is left', async () => {
  const user = userEvent.setup();
  const takers = [taker('Pla', { thanked: true }), taker('Keng'), taker('Nun'), taker('Beam'), taker('Fon')];
  const server = await page(
    { people: 7, takers, to_name: 'The team' },
    {
      '/api/user/transfer/withdraw': () =>
        gift({ people: 7, takers, to_name: 'The team', state: 'withdrawn', ...ended }),
    },
  );
  await screen.findByRole('heading', { name: 'Ang-pao The team' });
  screen.getByText('2 left');
  expect(screen.getAllByText('Closed')).toHaveLength(2);
  screen.getByText('What is left comes back after 28/11/2026');
  const list = within(screen.getByRole('list', { name: 'Who has taken one' }));
  expect(list.getAllByRole('listitem')).toHaveLength(4);
  list.getByRole('img', { name: 'Says thank you' });
  await user.click(screen.getByRole('button', { name: 'See all 5 people' }));
  expect(list.getAllByRole('listitem')).toHaveLength(5);

  await user.click(screen.getByRole('button', { name: 'Take 2 envelopes back' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Take it back' }));
  await screen.findByText('What was left came back to you');
  expect(server.calls('/api/user/transfer/withdraw')).toHaveLength(1);
});

it('draws no envelopes of more than ten', async () => {
  await page({ people: 30, takers: [taker('')] });
  await screen.findByText('1 of 30 envelopes taken');
  expect(screen.queryByText('Closed')).toBeNull();
  screen.getByText('Somebody');
});

it('shows who has one of an ang-pao who else has one', async () => {
  await page({
    state: 'claimed',
    given: false,
    person: 'Nat',
    people: 3,
    takers: [taker('Me', { own: true }), taker('Fon')],
    ...ended,
  });
  await screen.findByText('Fon');
  screen.getByText('You');
});
