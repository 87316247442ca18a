const normal = (text: string) => text.normalize('NFKC');

/** Stand before a person's name, and say nothing of whose it is. The longest come first. The server has the same list (tenants/payee/name.go). */
const titles = [
  'ว่าที่ร้อยตรีหญิง',
  'ว่าที่ร้อยตรี',
  'ว่าที่ ร.ต.',
  'เด็กหญิง',
  'เด็กชาย',
  'นางสาว',
  'น.ส.',
  'ด.ญ.',
  'ด.ช.',
  'นาง',
  'นาย',
  'คุณ',
  'ดร.',
  'miss',
  'mrs.',
  'mrs',
  'mr.',
  'mr',
  'ms.',
  'ms',
  'dr.',
].map(normal);

/** Words and signs of the kind of a company. */
const companies = [
  'ห้างหุ้นส่วนสามัญนิติบุคคล',
  'ห้างหุ้นส่วนจำกัด',
  'ห้างหุ้นส่วน',
  'บริษัท',
  'บจก.',
  'บจก',
  'บมจ.',
  'บมจ',
  'หจก.',
  'หจก',
  'หสน.',
  '(มหาชน)',
  'มหาชน',
  'จำกัด',
  '(ประเทศไทย)',
  'public company limited',
  'company limited',
  'co., ltd.',
  'co.,ltd.',
  'co.,ltd',
  'co. ltd.',
  'co ltd',
  'limited partnership',
  'limited',
  'ltd.',
  'ltd',
  'plc.',
  'plc',
  '(thailand)',
].map(normal);

const isLatin = (word: string) => /^[a-z]/.test(word);
const tidy = (name: string) => normal(name).split(/\s+/).filter(Boolean).join(' ');

/** Letters, marks and digits alone. */
const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{M}\p{Nd}]/gu, '');

/** A name without a title and words of the kind of a company. */
function bare(name: string) {
  let rest = tidy(name);
  const begins = (word: string) => rest.toLowerCase().startsWith(word);
  const title = titles.find(
    (word) => begins(word) && (!isLatin(word) || word.endsWith('.') || rest[word.length] === ' '),
  );
  if (title && rest.slice(title.length).trim()) rest = rest.slice(title.length).trim();
  for (const word of companies) {
    const whole = isLatin(word);
    const after = rest.slice(word.length);
    if (begins(word) && after.trim() && (!whole || after.startsWith(' '))) rest = after.trim();
    const before = rest.slice(0, -word.length);
    if (rest.toLowerCase().endsWith(word) && before.trim() && (!whole || /[ ,]$/.test(before))) rest = before.trim();
  }
  return rest;
}

/** Whether the name of a bank account is that of its payee. The server has the same rule, and both are tested by names.json. */
export function sameName(account: string, name: string) {
  const own = [letters(tidy(name)), letters(bare(name))];
  const typed = [letters(tidy(account)), letters(bare(account))];
  return own[0] !== '' && own.some((one) => typed.includes(one));
}

/** What a person reads as one letter: in Thai with the vowels and tones above and below it. */
function graphemes(text: string): string[] {
  return Array.from(new Intl.Segmenter('th', { granularity: 'grapheme' }).segment(text), ({ segment }) => segment);
}

export interface NameMatch {
  /** The name, letter by letter. */
  parts: { text: string; right: boolean }[];
  /** How many letters are still to be typed. */
  left: number;
  /** The first letter that is another one. */
  wrong: { own: string; typed: string } | null;
}

/** How far the name of an account, while it is typed, is the payee's own. */
export function matchName(account: string, name: string): NameMatch {
  const shown = [tidy(name), bare(name)].map(graphemes);
  const typed = [tidy(account), bare(account)].map((one) => graphemes(one).filter(letters));
  const tries = shown.flatMap((own) => typed.map((by) => compare(own, by)));
  return tries.reduce((best, one) => (one.left < best.left || (one.left === best.left && !one.wrong) ? one : best));
}

function compare(own: string[], typed: string[]): NameMatch {
  let right = 0;
  let broken = false;
  const parts = own.map((text) => {
    const counts = letters(text) !== '';
    const is = !broken && (!counts || letters(text) === letters(typed[right] ?? ''));
    if (counts) {
      if (is) right++;
      else broken = true;
    }
    return { text, right: is };
  });
  const counted = own.filter(letters);
  const more = typed[right];
  return {
    parts,
    left: counted.length - right,
    wrong: more === undefined ? null : { own: counted[right] ?? '', typed: more },
  };
}
