import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refusal, spa } from '@wlv/client/test-kit';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../test/render-page.ts';
import type { Wrapped } from './gift.ts';

const here = '/transfer?ref=abc';
const open = '/api/user/transfer/open';

const place = (name: string) => ({
  id: name,
  code: '',
  name_th: name,
  name_en: name,
  address_th: '',
  address_en: `${name} road`,
  hours_th: '',
  hours_en: '',
  phone: '',
  latitude: null,
  longitude: null,
});
const content = {
  kind: 'item',
  name_th: 'ประคบ',
  name_en: 'Herbal compress',
  picture: null,
  items: 2,
  valid_until: '2027-06-30',
  voucher_id: null,
};
const wrapped = {
  state: 'open',
  own: false,
  people: 1,
  left: 1,
  takers: [],
  locked: false,
  from: 'Nat',
  to_name: 'Mum',
  card: 'thanks',
  words: 'Rest well',
  expires_at: '2026-11-28T17:00:00Z',
  thanked_at: null,
  id: null,
  contents: [content],
  conditions_th: 'จองก่อน',
  conditions_en: 'Please book first',
  transfer_rule: 'times',
  transfers_left: 1,
  where: [place('Nimman'), place('Tha Phae')],
};
const locked = { ...wrapped, locked: true, words: '', contents: [], where: [], conditions_en: '' };
const received = {
  id: 'g1',
  state: 'claimed',
  given: false,
  people: 1,
  takers: [],
  card: 'thanks',
  person: 'Nat',
  to_name: 'Mum',
  words: 'Rest well',
  thanked_at: null as string | null,
  contents: [{ ...content, voucher_id: 'v1' }],
};

const answers = {
  '/api/user/consent/open': () => ({ data: [] }),
  [open]: (): unknown => wrapped,
};

const button = (name: string) => screen.findByRole('button', { name });
const unwrap = async (user: ReturnType<typeof userEvent.setup>) => user.click(await button('Unwrap the gift'));

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it('shows a stranger the paper, whom it is from and for, and only then what is inside', async () => {
  const user = userEvent.setup();
  const page = await renderPage(here, answers, { signedIn: false });
  await screen.findByRole('heading', { name: /Nat\s*has sent you a gift/ });
  screen.getByText('Mum');
  screen.getByText(/until the end of 28\/11\/2026/);
  expect(screen.queryByText('Herbal compress')).toBeNull();
  expect(screen.queryByRole('navigation')).toBeNull();

  await unwrap(user);
  await screen.findByRole('heading', { name: 'Herbal compress' });
  screen.getByText('Rest well');
  screen.getByText('2 times');
  screen.getByText('30/06/2027');
  screen.getByText('Use it at 2 places');
  screen.getByText('Please book first');
  screen.getByText('You can give it on once more');
  expect(page.calls(open).map(({ body }) => body)).toEqual([{ ref: 'abc', digits: '' }]);
});

it.each<[Partial<Wrapped>, string]>([
  [{ transfer_rule: 'none', transfers_left: 0 }, "It can't be given on"],
  [{ transfer_rule: 'times', transfers_left: 0 }, "It can't be given on"],
  [{ transfer_rule: 'times', transfers_left: 3 }, 'You can give it on 3 more times'],
  [{ transfer_rule: 'unlimited', transfers_left: 0 }, 'You can give it on'],
])('says of %j: %s', async (rule, sentence) => {
  const user = userEvent.setup();
  await renderPage(here, { ...answers, [open]: () => ({ ...wrapped, ...rule }) });
  await unwrap(user);
  await screen.findByText(sentence);
});

it.each([
  here,
  '/transferuser/1656565656-AbCdEfGh?ref=abc',
  '/welovevoucher/1656565656-AbCdEfGh/transferdata?ref=abc',
  '/user/transferdata?ref=abc',
])('comes back to %s from signing in, unwrapped already, and receives it there', async (address) => {
  const user = userEvent.setup();
  const visitor = await renderPage(
    address,
    { ...answers, '/api/authen/line/start': () => new Promise(() => undefined) },
    { signedIn: false },
  );
  await unwrap(user);
  await user.click(await button('Receive it with LINE'));
  await waitFor(() => expect(visitor.calls('/api/authen/line/start')[0]?.body.return).toBe(address));
  cleanup();

  const page = await renderPage(address, {
    ...answers,
    '/api/user/transfer/receive': () => received,
    '/api/user/transfer/thank': () => ({ ...received, thanked_at: '2026-11-21T08:02:00Z' }),
  });
  await user.click(await button('Receive the gift'));
  await screen.findByRole('heading', { name: 'It is yours' });
  expect(page.calls('/api/user/transfer/receive').map(({ body }) => body)).toEqual([{ ref: 'abc', digits: '' }]);
  expect(screen.getByRole('link', { name: 'Use now' }).getAttribute('href')).toMatch(/\/activevoucher\/v1$/);
  expect(screen.getByRole('link', { name: 'Keep for later' }).getAttribute('href')).toMatch(/\/activevoucher$/);

  await user.click(await button('Thank Nat'));
  await screen.findByText('You have thanked Nat');
  expect(page.calls('/api/user/transfer/thank').map(({ body }) => body)).toEqual([{ id: 'g1' }]);
});

it('goes on as a visitor when the session is over', async () => {
  const page = await renderPage(here, {
    ...answers,
    '/api/user/consent/open': () => new Refusal(401, 'session.invalid_token'),
    [open]: () => (localStorage.getItem('token:user') ? new Refusal(401, 'session.invalid_token') : wrapped),
  });
  await button('Unwrap the gift');
  expect(page.calls(open).at(-1)?.headers.get('Authorization')).toBe('Bearer wc_visitor');
  expect(location.pathname + location.search).toBe(here);
});

it('shows who has received it that it is his, at each later visit', async () => {
  const claimed = { ...wrapped, state: 'claimed', id: 'g1', contents: received.contents };
  await renderPage(here, { ...answers, [open]: () => ({ ...claimed, thanked_at: '2026-11-21T08:02:00Z' }) });
  await screen.findByRole('heading', { name: 'It is yours' });
  screen.getByText('You have thanked Nat');
  cleanup();

  await renderPage(here, { ...answers, [open]: () => ({ ...claimed, contents: [content] }) });
  await screen.findByRole('heading', { name: 'You have received this gift' });
  expect(screen.queryByRole('link', { name: 'Use now' })).toBeNull();
});

it('asks for the digits that lock it, and keeps them for receiving', async () => {
  const user = userEvent.setup();
  const page = await renderPage(here, {
    ...answers,
    [open]: ({ digits }: { digits: string }) =>
      ({ '': locked, '5812': wrapped })[digits] ?? new Refusal(409, 'gift.wrong_digits'),
    '/api/user/transfer/receive': () => received,
  });
  await screen.findByRole('heading', { name: /Nat\s*has locked it for you alone/ });
  const field = screen.getByLabelText('The last 4 digits of your mobile number');
  expect((await button('Unwrap the gift')).hasAttribute('disabled')).toBe(true);

  await user.type(field, '58a11');
  await unwrap(user);
  await screen.findByText('These are not the right digits.');
  await user.type(field, '5812{Enter}');
  await screen.findByRole('heading', { name: 'Herbal compress' });
  await user.click(await button('Receive the gift'));
  await screen.findByRole('heading', { name: 'It is yours' });
  expect(page.calls('/api/user/transfer/receive')[0]?.body).toEqual({ ref: 'abc', digits: '5812' });
});

it.each([
  ['at first', () => paused],
  ['after one more try', ({ digits }: { digits: string }) => (digits ? paused : locked)],
])('says until when it takes no digits: %s', async (when, answer) => {
  const user = userEvent.setup();
  await renderPage(here, { ...answers, [open]: answer });
  const field = await screen.findByLabelText('The last 4 digits of your mobile number');
  if (when !== 'at first') await user.type(field, '1234{Enter}');
  await screen.findByText(/^The digits were wrong too many times\. Try again at \d\d:\d\d$/);
  expect(field.hasAttribute('disabled')).toBe(true);
  expect(document.body.textContent).not.toContain('Herbal');
});
const paused = new Refusal(409, 'gift.paused', { detail: { until: new Date(Date.now() + 3_600_000).toISOString() } });

it.each([
  ['scheduled', 'This gift is not open yet'],
  ['claimed', 'This gift has been received already'],
  ['withdrawn', 'Who gave it wants to keep this gift for now'],
  ['declined', 'The gift has gone back to who gave it'],
  ['returned', 'The gift has gone back to who gave it'],
  ['stopped', 'This gift cannot be received now'],
])('says that a gift is %s, and names nobody', async (state, title) => {
  const user = userEvent.setup();
  const over = new Refusal(409, 'gift.over', { detail: { state } });
  await renderPage(here, { ...answers, [open]: () => over }, { signedIn: false });
  await screen.findByRole('heading', { name: title });
  expect(document.body.textContent).not.toMatch(/Nat|Herbal/);
  cleanup();

  // Somebody was faster while this page was open.
  await renderPage(here, { ...answers, '/api/user/transfer/receive': () => over });
  await unwrap(user);
  await user.click(await button('Receive the gift'));
  await screen.findByRole('heading', { name: title });
});

it('asks before it is given back, and says where it went', async () => {
  const user = userEvent.setup();
  const page = await renderPage(here, { ...answers, '/api/user/transfer/decline': () => ({}) });
  await unwrap(user);
  await user.click(await button('I would rather not receive it'));
  const dialog = await screen.findByRole('dialog', { name: 'Give the gift back?' });
  expect(page.calls('/api/user/transfer/decline')).toHaveLength(0);
  await user.click(within(dialog).getByRole('button', { name: 'Give it back' }));
  await screen.findByRole('heading', { name: 'Thank you for answering' });
  expect(page.calls('/api/user/transfer/decline').map(({ body }) => body)).toEqual([{ ref: 'abc', digits: '' }]);
});

it('leads who gave it to his gift', async () => {
  await renderPage(here, { ...answers, [open]: () => ({ ...wrapped, own: true, id: 'g1' }) });
  await screen.findByRole('heading', { name: 'This is your gift for Mum' });
  expect(screen.getByRole('link', { name: 'See my gift' }).getAttribute('href')).toBe('/user/gift/g1');
  expect(screen.queryByRole('button', { name: 'Receive the gift' })).toBeNull();
});

it.each([
  ['is none', here, new Refusal(404, 'gift.not_found')],
  ['was cut off', here, new Refusal(422, 'input.invalid')],
  ['carries nothing', '/transfer', new Refusal(500, 'internal')],
])('does not know a link that %s', async (_, address, answer) => {
  await renderPage(address, { ...answers, [open]: () => answer }, { signedIn: false });
  await screen.findByRole('heading', { name: "We don't know this gift" });
});

it('tries again where it could not be read', async () => {
  const user = userEvent.setup();
  let answer: unknown = new Refusal(429, 'rate.limited');
  await renderPage(here, { ...answers, [open]: () => answer }, { signedIn: false });
  await screen.findByText('The gift did not load');
  answer = wrapped;
  await user.click(await button('Try again'));
  await button('Unwrap the gift');
});

it('opens an ang-pao for a group: one each, and then who else has one', async () => {
  const user = userEvent.setup();
  const group = { ...wrapped, people: 5, left: 3 };
  const takers = [
    { name: 'Me', at: '2026-11-21T08:00:00Z', own: true, thanked: false },
    { name: 'Fon', at: '2026-11-21T07:59:00Z', own: false, thanked: false },
  ];
  await renderPage(here, {
    ...answers,
    [open]: () => group,
    '/api/user/transfer/receive': () => ({ ...received, people: 5, takers }),
  });
  await screen.findByText(/3 of 5 are left, one each/);
  await user.click(await button('Open an envelope'));
  expect(screen.queryByRole('button', { name: 'I would rather not receive it' })).toBeNull();
  await user.click(await button('Take one'));
  await screen.findByRole('heading', { name: 'Who has one' });
  screen.getByText('Fon');
});

it('says that all of an ang-pao is taken', async () => {
  const over = new Refusal(409, 'gift.over', { detail: { state: 'claimed', people: 5 } });
  await renderPage(here, { ...answers, [open]: () => over }, { signedIn: false });
  await screen.findByRole('heading', { name: 'All envelopes are taken' });
});

it('shows what somebody has who took one on another screen', async () => {
  const user = userEvent.setup();
  let answer: object = { ...wrapped, people: 5, left: 3 };
  await renderPage(here, {
    ...answers,
    [open]: () => answer,
    '/api/user/transfer/receive': () => {
      answer = { ...wrapped, state: 'claimed', people: 5, left: 3, id: 'g1' };
      return new Refusal(409, 'gift.had_one');
    },
  });
  await user.click(await button('Open an envelope'));
  await user.click(await button('Take one'));
  await button('Thank Nat');
});

it('says that a gift waits while the shop is suspended, and takes nothing', async () => {
  const page = await renderPage(here, { [open]: () => wrapped }, { org: { ...spa, suspended: true } });
  await screen.findByText(/^The gift can be received when the shop is back/);
  expect(screen.queryByText('Herbal compress')).toBeNull();
  expect(page.calls('/api/user/transfer/receive')).toHaveLength(0);
});
