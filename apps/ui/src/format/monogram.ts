/** How a name begins that says what kind of business it is: most do, and two of them would look the same. */
const kinds = ['ร้าน', 'โรงแรม', 'บริษัท', 'คลินิก'];
/** Thai writes these before the consonant that the eye takes as first, or around it. */
const vowels = 'ะาำเแโใไๅ';
/** With what joins a word's parts (thai.ts) in it. */
const word = "[\\p{L}\\p{M}\\p{N}'’\u2060]+";
const letter = `[^\\P{L}${vowels}]|\\p{N}`;

const words = new RegExp(word, 'gu');
const letters = new RegExp(letter, 'gu');

/**
 * The two letters that stand for an organisation without a logo: the first of its first two words, or the first two of its only
 * one, without what kind of business it is. A name without letters gives its first sign.
 */
export function monogram(name: string) {
  const kind = kinds.find((one) => name.startsWith(one)) ?? '';
  const own = lettersOf(name.slice(kind.length));
  const [first, second] = own.length ? own : lettersOf(name);
  if (!first) return [...name][0] ?? '';
  return (second ? [first[0], second[0]] : first.slice(0, 2)).join('');
}

/** Letters of each word that has any. */
const lettersOf = (text: string) =>
  (text.match(words) ?? []).map((one) => one.match(letters) ?? []).filter((some) => some.length > 0);

/** The same rules for the server, which writes the mark as we do (api/pages). */
export const monogramRules = { kinds, word, letter };
