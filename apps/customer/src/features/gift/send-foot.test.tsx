import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { spa } from '@wlv/client/test-kit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../test/render-page.ts';

const liff = {
  init: async () => undefined,
  getIDToken: () => null,
  getContext: () => null,
  isInClient: () => true,
  isApiAvailable: () => true,
  shareTargetPicker: vi.fn(async (_messages: unknown[]): Promise<unknown> => ({ status: 'success' })),
};
vi.mock('@line/liff', () => ({ liff }));

beforeEach(() => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone) Line/15.0.0');
});

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  liff.shareTargetPicker.mockClear();
});

const gift = (rest: object) => ({
  id: 'g1',
  state: 'open',
  given: true,
  people: 1,
  takers: [],
  card: 'love',
  person: '',
  to_name: 'Mum',
  words: 'Rest well',
  digits: '',
  ref: 'REF',
  created_at: '2026-11-21T07:20:00Z',
  expires_at: '2026-11-28T17:00:00Z',
  days: 7,
  may_extend: false,
  opened_at: null,
  ended_at: null,
  thanked_at: null,
  contents: [],
  ...rest,
});

/** Presses the button that sends the gift in LINE's own browser. */
async function send(rest: object = {}) {
  const org = { ...spa, liff: { ...spa.liff, liffuser: '1657000001-customer' } };
  await renderPage(
    '/welovevoucher/1657000001-customer/gift/g1',
    { '/api/user/transfer/detail': () => gift(rest), '/api/user/consent/open': () => ({ data: [] }) },
    { org, line: { liff_base: 'https://liff.line.me' } },
  );
  await userEvent.setup().click(await screen.findByRole('button', { name: 'Send in LINE' }));
}

it("sends the gift as a card in the shop's colours, with a link that opens inside LINE", async () => {
  await send();
  await screen.findByText('Link sent');
  const [messages] = liff.shareTargetPicker.mock.calls[0] ?? [];
  expect(messages).toMatchObject([
    {
      altText: 'Ann has sent you a gift - Ruean Lamai Spa',
      contents: { hero: { url: `${location.origin}/image/gift/org/v1/love.jpg` } },
    },
  ]);
  const text = JSON.stringify(messages);
  expect(text).toContain('Rest well');
  expect(text).toContain('https://liff.line.me/1657000001-customer/transferdata?ref=REF');
  expect(text).toContain('It can be received until the end of 28/11/2026');
  expect(text).toContain(spa.primary);
});

it('says nothing of the words behind a lock, and never its digits', async () => {
  await send({ digits: '5812' });
  await vi.waitFor(() => expect(liff.shareTargetPicker).toHaveBeenCalled());
  const text = JSON.stringify(liff.shareTargetPicker.mock.calls);
  expect(text).not.toContain('Rest well');
  expect(text).not.toContain('5812');
});

it('says that nothing was sent when the picker is closed', async () => {
  liff.shareTargetPicker.mockResolvedValueOnce(undefined);
  await send();
  await screen.findByText('Nothing was sent');
});

it.each([
  ['Timeout: not finished within 10min', 'Nothing was sent: nobody was chosen within 10 minutes. Try again.'],
  ['Invalid LIFF ID.', "LINE does not know the shop's app. Please contact the shop."],
  ['something new', 'LINE could not do this. Copy the link and paste it into a chat.'],
])('says why LINE did not send it: %s', async (error, sentence) => {
  liff.shareTargetPicker.mockRejectedValueOnce(new Error(error));
  await send();
  await screen.findByText(sentence);
});
