const noBreakSpace = '\u00a0';
const wordJoiner = '\u2060';

/** What ICU's dictionary breaks in the middle, cut where it would. */
const cut = (...texts: string[]) =>
  texts.map((text) => [text.replaceAll('|', ''), text.replaceAll('|', wordJoiner)] as const);

const names = cut('ล้าน|นา', 'สมุนไพร|สด', 'เลือก|รส|ได้|เอง', 'สุ|เทพ', 'แบ่ง|กัน|ได้', 'วัน|ธรรมดา');
const words = cut('เวา|เชอ|ร์', 'แพ็ก|เก|จ', 'แด|ช|บอร์ด', 'ลอง|อีก|ครั้ง');

const glue = (text: string, cuts: typeof names) =>
  cuts.reduce((result, [whole, glued]) => result.replaceAll(whole, glued), text);

/** The parts of an address, and the name behind each. */
const beforeName = /(^|[ ,(])(ต|อ|จ|ซ|ถ|ม)\. ([ก-๙\d])/g;
const beforeNumber = /(แพ็ก|แพ็กเกจ|สำหรับ|ซอย|เหลือ|ชั้น|ถนน) (\d)/g;
const afterNumber = /(\d[\d,.]*) (นาที|ครั้ง|ท่าน|คน|ชุด|ถ้วย|ใบ|บาท|สาขา|ร้าน|วัน|วินาที|แต้ม|รายการ|ชั่วโมง|สิทธิ์|กม\.|กรัม|มล\.|%)/g;

/** Joins what must not be parted at the end of a line: a number and its unit, and words that the dictionary splits. */
export function keepThaiTogether(text: string) {
  return wholeWords(glue(text, names));
}

/** What fits a phone's line may be the name of a button: its words stay as they are written, so that it is found by them. */
const line = 45;

/** Keeps units with their numbers, and in a text longer than a line everyday words whole; `length` is of the whole text. */
export function wholeWords(text: string, length = text.length) {
  const joined = text
    .replace(beforeName, `$1$2.${noBreakSpace}$3`)
    .replace(beforeNumber, `$1${noBreakSpace}$2`)
    .replace(afterNumber, `$1${noBreakSpace}$2`);
  return length < line ? joined : glue(joined, words);
}

/** The same rules for the server, which writes the names of what is sold as we do (api/pages). */
export const thaiRules = {
  names,
  words,
  beforeName: beforeName.source,
  beforeNumber: beforeNumber.source,
  afterNumber: afterNumber.source,
  line,
};
