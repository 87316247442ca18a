import { expect, it } from 'vitest';
import { giftMessage } from './message.ts';

const parts = {
  title: 'Ann has sent you a gift',
  words: 'Rest well\nand come back',
  brand: 'Ruean Lamai Spa',
  logo: 'https://spa.example/media/1',
  picture: 'https://spa.example/image/gift/o1/v1/thanks.jpg',
  button: 'Unwrap the gift',
  until: 'It can be received until the end of 28/11/2026',
  link: 'https://liff.line.me/1657000001-customer/transferdata?ref=REF',
  colours: { brand: '#1f5c4d', onBrand: '#ffffff' },
};

/** Everything in a message that has a type, from the outside inwards. */
function all(part: unknown): Record<string, unknown>[] {
  if (Array.isArray(part)) return part.flatMap(all);
  if (!part || typeof part !== 'object') return [];
  const own = part as Record<string, unknown>;
  return [...('type' in own ? [own] : []), ...Object.values(own).flatMap(all)];
}

const texts = (message: object) =>
  all(message)
    .filter(({ type }) => type === 'text')
    .map(({ text }) => text);

it('looks like the card: its picture, who sends it, his words, the shop, the button', () => {
  const message = giftMessage(parts);
  expect(message).toMatchObject({
    type: 'flex',
    altText: 'Ann has sent you a gift - Ruean Lamai Spa',
    contents: { type: 'bubble', size: 'mega', hero: { url: parts.picture, aspectRatio: '4:3', size: 'full' } },
  });
  expect(texts(message)).toEqual([parts.title, parts.words, parts.brand, parts.button, parts.until]);
  const buttons = all(message).filter(({ type }) => type === 'uri');
  expect(buttons).toHaveLength(2);
  for (const one of buttons) expect(one).toEqual({ type: 'uri', label: parts.button, uri: parts.link });
  const box = all(message).find(({ backgroundColor }) => backgroundColor === parts.colours.brand);
  expect(box).toMatchObject({ contents: [{ text: parts.button, color: parts.colours.onBrand }] });
});

it('has no empty text, which LINE refuses, and no picture of a logo that is not there', () => {
  const message = giftMessage({ ...parts, words: '', logo: null });
  expect(texts(message)).toEqual([parts.title, parts.brand, parts.button, parts.until]);
  expect(all(message).filter(({ type }) => type === 'image')).toHaveLength(1);
});

it.each(['ก', 'a', '🎁'])('keeps to what LINE takes, whatever somebody is called: %s', (letter) => {
  const long = letter.repeat(500);
  const message = giftMessage({ ...parts, title: long, words: letter.repeat(200), brand: letter.repeat(80) });
  const { altText } = message as { altText: string };
  expect(altText.length).toBeLessThanOrEqual(400);
  expect(altText.length).toBeGreaterThan(397);
  expect(altText).toMatch(/…$/);
  expect(() => encodeURIComponent(altText)).not.toThrow();
  expect(new Blob([JSON.stringify(message)]).size).toBeLessThan(30_000);
});
