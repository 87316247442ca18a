import { i18n } from '@lingui/core';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError, errorSentence } from './api-error.ts';
import { liffErrors } from './faults/liff.ts';
import { loadFaults } from './faults.ts';

const liff = {
  init: vi.fn(async () => undefined),
  getIDToken: () => null,
  getContext: () => null,
  isInClient: () => true,
  isApiAvailable: vi.fn((_what: string) => true),
  shareTargetPicker: vi.fn(async (_messages: unknown[]): Promise<unknown> => ({ status: 'success' })),
};
vi.mock('@line/liff', () => ({ liff }));

const [text, url] = ['A gift for you', 'https://liff.line.me/1657000001-customer?ref=a&b'];
const opened = vi.fn((_address: string): { opener: unknown } | null => ({ opener: window }));
const copied = vi.fn(async (_text: string) => undefined);

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('open', opened);
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: copied } });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  for (const one of [opened, copied, liff.isApiAvailable, liff.shareTargetPicker]) one.mockClear();
  Reflect.deleteProperty(navigator, 'share');
});

/** The device of a browser that calls itself so; a LIFF id makes it one inside LINE. */
async function on(browser: string, liffId?: string) {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(browser);
  return (await import('./device.ts')).device(liffId);
}

const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)';
const insideLine = async () => on(`${iphone} Safari Line/15.0.0`, '1657000001-customer');

function shareBy(share: () => Promise<void>) {
  const sheet = vi.fn(share);
  Object.assign(navigator, { share: sheet });
  return sheet;
}

it.each([iphone, 'Mozilla/5.0 (Linux; Android 16; Pixel)'])('opens LINE on a phone: %s', async (browser) => {
  expect(await (await on(browser)).sendInLine(text, url)).toBe('opened');
  const address = new URL(opened.mock.calls[0]?.[0] ?? '');
  expect(address.origin + address.pathname).toBe('https://line.me/R/share');
  expect(address.searchParams.get('text')).toBe(`${text}\n${url}`);
});

it("opens LINE's page for links on a computer", async () => {
  expect(await (await on('Mozilla/5.0 (X11; Linux x86_64)')).sendInLine(text, url)).toBe('opened');
  const address = new URL(opened.mock.calls[0]?.[0] ?? '');
  expect(address.origin + address.pathname).toBe('https://social-plugins.line.me/lineit/share');
  expect(Object.fromEntries(address.searchParams)).toEqual({ text, url });
});

it('has no way back to us in the page that it opens', async () => {
  const page = { opener: window as unknown };
  opened.mockReturnValueOnce(page);
  await (await on(iphone)).sendInLine(text, url);
  expect(page.opener).toBeNull();
});

it("takes the phone's share sheet where no page opens, and copies where there is none", async () => {
  const phone = await on(iphone);
  opened.mockReturnValue(null);
  const sheet = shareBy(async () => undefined);
  expect(await phone.sendInLine(text, url)).toBe('shared');
  expect(sheet).toHaveBeenCalledWith({ text, url });
  shareBy(async () => Promise.reject(new DOMException('closed', 'AbortError')));
  expect(await phone.sendInLine(text, url)).toBe('cancelled');
  shareBy(async () => Promise.reject(new TypeError('no')));
  await expect(phone.sendInLine(text, url)).rejects.toThrow('no');

  Reflect.deleteProperty(navigator, 'share');
  expect(await phone.sendInLine(text, url)).toBe('copied');
  expect(copied).toHaveBeenCalledWith(`${text}\n${url}`);
  opened.mockReturnValue({ opener: window });
});

it("sends the message by LINE's picker, else the text", async () => {
  const phone = await insideLine();
  const message = { type: 'text', text: 'a card' } as const;
  expect(await phone.sendInLine(text, url, message)).toBe('shared');
  expect(await phone.share(text, url)).toBe('shared');
  expect(liff.shareTargetPicker.mock.calls.map(([messages]) => messages)).toEqual([
    [message],
    [{ type: 'text', text: `${text}\n${url}` }],
  ]);
  expect(opened).not.toHaveBeenCalled();
});

it.each([undefined, false, null])('sends nothing when the picker is closed: %o', async (answer) => {
  liff.shareTargetPicker.mockResolvedValueOnce(answer);
  expect(await (await insideLine()).sendInLine(text, url)).toBe('cancelled');
});

it('goes on as a phone does where LINE has no picker', async () => {
  liff.isApiAvailable.mockReturnValue(false);
  expect(await (await insideLine()).sendInLine(text, url, { type: 'text', text: 'a card' })).toBe('opened');
  expect(opened.mock.calls[0]?.[0]).toContain('https://line.me/R/share?text=');
  expect(liff.shareTargetPicker).not.toHaveBeenCalled();
  liff.isApiAvailable.mockReturnValue(true);
});

it("takes the phone's share sheet inside LINE too", async () => {
  const phone = await insideLine();
  const sheet = shareBy(async () => undefined);
  expect(await phone.shareSheet(text, url)).toBe('shared');
  expect(sheet).toHaveBeenCalled();
  expect(liff.shareTargetPicker).not.toHaveBeenCalled();
});

it.each([...Object.keys(liffErrors), 'toString', 'something new'])('brings an error of LINE: %s', async (message) => {
  liff.shareTargetPicker.mockRejectedValueOnce(new Error(message));
  const fault = Object.hasOwn(liffErrors, message) ? message : 'client.line_failed';
  await expect((await insideLine()).sendInLine(text, url)).rejects.toMatchObject({ fault });
});

it('has a sentence for each of its twelve errors, in both languages', async () => {
  const read = async (language: 'th' | 'en') => {
    await loadFaults(language);
    i18n.activate(language);
    return Object.keys(liffErrors).map((fault) => errorSentence(i18n, new ApiError(fault, { code: 0, fault })));
  };
  const [thai, english] = [await read('th'), await read('en')];
  expect(new Set(thai).size).toBe(12);
  expect(new Set(english).size).toBe(12);
  for (const sentence of thai) expect(sentence).toMatch(/[ก-๙]/);
  for (const sentence of english) expect(sentence).toMatch(/^[\x20-\x7e’]+\.$/);
});

it("works as a browser where LINE's kit does not start, and remembers why", async () => {
  const error = new Error('Invalid LIFF ID.');
  liff.init.mockRejectedValueOnce(error);
  const phone = await insideLine();
  expect(phone.failed).toBe(error);
  expect(phone.inLine).toBe(false);
  expect(await phone.friend()).toBeNull();
});

it('remembers nothing where it does start', async () => {
  expect((await insideLine()).failed).toBeUndefined();
  expect((await on(iphone)).failed).toBeUndefined();
});
