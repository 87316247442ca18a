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

const voucher = (rest: object) => ({
  id: 'v1',
  code: 'RL-7K42',
  kind: 'item',
  name_th: 'นวด',
  name_en: 'Aroma massage',
  picture: null,
  state: 'ready',
  frozen_because: '',
  items_total: 3,
  items_left: 3,
  valid_until: '2099-03-31',
  service_points: 0,
  use_session: null,
  conditions_th: '',
  conditions_en: '',
  transfer_rule: 'times',
  transfers_left: 2,
  alike: 1,
  transfer_together: false,
  expiry_rule: 'breakage',
  given_by: '',
  gift_id: null,
  where: [],
  uses: [],
  ...rest,
});

const gift = {
  id: 'g1',
  state: 'open',
  given: true,
  people: 1,
  takers: [],
  card: 'love',
  person: '',
  to_name: 'Mum',
  words: '',
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
  contents: [],
};

const give = (rest: object = {}, create: () => unknown = () => gift) =>
  renderPage('/user/activevoucher/v1/give', {
    '/api/user/voucher/detail': () => voucher(rest),
    '/api/user/consent/open': () => ({ data: [] }),
    '/api/user/transfer/setting': () => ({ days: 7 }),
    '/api/user/transfer/create': create,
    '/api/user/transfer/detail': () => gift,
  });

it('sends what was chosen once, and goes to the gift', async () => {
  const user = userEvent.setup();
  const server = await give();
  await screen.findByText('Who receives it may give it on 1 more time');
  await user.click(screen.getByRole('radio', { name: 'With love' }));
  await user.type(screen.getByLabelText(/Who is it for/), ' Mum ');
  await user.type(screen.getByLabelText(/Your words/), 'Rest well');
  screen.getByText('9/200');
  await user.click(screen.getByRole('button', { name: 'Wrap the gift' }));

  await screen.findByRole('heading', { name: 'Gift you gave' });
  const [sent, ...more] = server.calls('/api/user/transfer/create');
  expect(more).toEqual([]);
  expect(sent?.body).toEqual({
    voucher_id: 'v1',
    items: 3,
    card: 'love',
    to_name: 'Mum',
    words: 'Rest well',
    digits: '',
  });
  expect(sent?.headers.get('Idempotency-Key')).toBeTruthy();
  expect(location.pathname).toBe('/user/gift/g1');
});

it('asks for all four digits of a lock, and sends none when the lock is off again', async () => {
  const user = userEvent.setup();
  const server = await give();
  const lock = await screen.findByRole('switch', { name: /Lock/ });
  await user.click(lock);
  await user.type(screen.getByLabelText('Last 4 digits'), '58x1');
  await user.click(screen.getByRole('button', { name: 'Wrap the gift' }));
  await screen.findByText('Enter the last four digits of the mobile number.');
  expect(server.calls('/api/user/transfer/create')).toHaveLength(0);

  await user.type(screen.getByLabelText('Last 4 digits'), '29');
  expect(screen.getByLabelText('Last 4 digits')).toHaveProperty('value', '5812');
  await user.click(lock);
  await user.click(screen.getByRole('button', { name: 'Wrap the gift' }));
  await waitFor(() => expect(server.calls('/api/user/transfer/create')).toHaveLength(1));
  expect(server.calls('/api/user/transfer/create')[0]?.body.digits).toBe('');
});

it('sends the digits of a lock', async () => {
  const user = userEvent.setup();
  const server = await give();
  await user.click(await screen.findByRole('switch', { name: /Lock/ }));
  await user.type(screen.getByLabelText('Last 4 digits'), '5812');
  await user.click(screen.getByRole('button', { name: 'Wrap the gift' }));
  await waitFor(() => expect(server.calls('/api/user/transfer/create')).toHaveLength(1));
  expect(server.calls('/api/user/transfer/create')[0]?.body.digits).toBe('5812');
});

it('says why it was not given, and keeps what was written', async () => {
  const user = userEvent.setup();
  await give({}, () => new Refusal(409, 'voucher.together'));
  await user.type(await screen.findByLabelText(/Your words/), 'Rest well');
  await user.click(screen.getByRole('button', { name: 'Wrap the gift' }));
  await screen.findByText(/These vouchers go together/);
  expect(screen.getByLabelText(/Your words/)).toHaveProperty('value', 'Rest well');
});

it.each([
  [{ transfer_rule: 'unlimited', transfers_left: 0 }, 'Who receives it may give it on'],
  [{ transfers_left: 1 }, 'Who receives it cannot give it on'],
  [{ transfer_together: true }, 'All of its kind from the same order go along'],
  [{}, /^The link is good for 7 days, until/],
  [{ kind: 'baht', items_left: 50_000 }, 'At most ฿500.00'],
])('says the rule before anything is chosen: %o', async (rest, sentence) => {
  await give(rest);
  await screen.findByText(sentence);
});

it('ends the link with the last day of the voucher', async () => {
  const tomorrow = new Date(Date.now() + 86_400_000);
  const day = tomorrow.toLocaleDateString('en-CA', { timeZone: 'Asia/Bangkok' });
  await give({ valid_until: day });
  await screen.findByText(`The link is good until ${day.split('-').reverse().join('/')}, the last day of the voucher`);
});

it.each([
  [{ transfer_rule: 'none' }, 'It is for you alone.'],
  [{ transfers_left: 0 }, 'It has been given on as often as it may be.'],
  [{ state: 'in_use' }, 'Only a voucher that is ready to use can be given.'],
  [{ state: 'in_transfer', gift_id: 'g1' }, 'Its gift has the link, and there you can take it back.'],
])('offers nothing to give where nothing may be given: %o', async (rest, sentence) => {
  await give(rest);
  await screen.findByText(sentence);
  expect(screen.queryByRole('button', { name: 'Wrap the gift' })).toBeNull();
});

it('gives some of the times, and says how many are left to give', async () => {
  const user = userEvent.setup();
  const server = await give();
  const fewer = await screen.findByRole('button', { name: 'One less' });
  await user.click(fewer);
  await user.click(screen.getByRole('button', { name: 'Wrap the gift' }));
  await waitFor(() => expect(server.calls('/api/user/transfer/create')).toHaveLength(1));
  expect(server.calls('/api/user/transfer/create')[0]?.body.items).toBe(2);
});

it('gives some of a sum, and nothing that is more than there is', async () => {
  const user = userEvent.setup();
  const server = await give({ kind: 'baht', items_total: 500_00, items_left: 500_00 });
  const sum = await screen.findByLabelText('Amount to give');
  await user.clear(sum);
  await user.type(sum, '500.01');
  await user.click(screen.getByRole('button', { name: 'Wrap the gift' }));
  expect(server.calls('/api/user/transfer/create')).toHaveLength(0);
  expect(document.activeElement).toBe(sum);
  await user.clear(sum);
  await user.type(sum, '120.50');
  await user.click(screen.getByRole('button', { name: 'Wrap the gift' }));
  await waitFor(() => expect(server.calls('/api/user/transfer/create')).toHaveLength(1));
  expect(server.calls('/api/user/transfer/create')[0]?.body.items).toBe(120_50);
});

it('sends a gift for a day and an hour, and none for a time that has passed', async () => {
  const user = userEvent.setup();
  const server = await give();
  await user.click(await screen.findByRole('switch', { name: /Send it later/ }));
  const day = screen.getByLabelText('Day');
  await user.clear(day);
  await user.type(day, '01/01/2020');
  await user.click(screen.getByRole('button', { name: 'Wrap the gift' }));
  await screen.findByText(/^Choose a time from now until/);
  expect(document.activeElement).toBe(day);
  expect(server.calls('/api/user/transfer/create')).toHaveLength(0);

  const later = new Date(Date.now() + 5 * 86_400_000).toLocaleDateString('en-CA', { timeZone: 'Asia/Bangkok' });
  await user.clear(day);
  await user.type(day, later.split('-').reverse().join('/'));
  await user.click(screen.getByRole('button', { name: 'Wrap the gift' }));
  await waitFor(() => expect(server.calls('/api/user/transfer/create')).toHaveLength(1));
  expect(server.calls('/api/user/transfer/create')[0]?.body.begins_at).toBe(`${later}T09:00:00+07:00`);
});

it('offers no part of what goes together', async () => {
  await give({ transfer_together: true });
  await screen.findByText('All of its kind from the same order go along');
  expect(screen.queryByRole('button', { name: 'One less' })).toBeNull();
});

it.each([
  [{ alike: 3, items_left: 2, items_total: 2 }, '2 people, 2 times each', 'You keep 1', { items: 2, people: 2 }],
  [{ items_left: 2, items_total: 2 }, '2 people, 1 time each', 'You give away all of them', { items: 1, people: 2 }],
])('gives to a group: %o', async (rest, sentence, kept, sent) => {
  const user = userEvent.setup();
  const server = await give(rest);
  await user.click(await screen.findByRole('radio', { name: 'A group, as ang-pao' }));
  if ('alike' in rest) await user.click(screen.getByRole('button', { name: 'One less' }));
  screen.getByText(sentence);
  screen.getByText(kept);
  expect(screen.queryByRole('switch', { name: /Lock/ })).toBeNull();
  await user.type(screen.getByLabelText(/Name of the group/), 'The team');
  await user.click(screen.getByRole('button', { name: 'Prepare the ang-pao' }));
  await waitFor(() => expect(server.calls('/api/user/transfer/create')).toHaveLength(1));
  expect(server.calls('/api/user/transfer/create')[0]?.body).toMatchObject({
    ...sent,
    to_name: 'The team',
    digits: '',
  });
});

it.each([
  { alike: 3, transfer_together: true },
  { items_left: 1, items_total: 1 },
])('offers no group where there is nothing to share: %o', async (rest) => {
  await give(rest);
  await screen.findByRole('button', { name: 'Wrap the gift' });
  expect(screen.queryByRole('radio', { name: 'A group, as ang-pao' })).toBeNull();
});
