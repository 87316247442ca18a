const noBreakSpace = '\u00a0';
const wordJoiner = '\u2060';

/** Words that ICU's dictionary breaks in the middle, cut where it would. */
const whole = ['ล้าน|นา', 'สมุนไพร|สด', 'เลือก|รส|ได้|เอง'].map(
  (word) => [word.replaceAll('|', ''), word.replaceAll('|', wordJoiner)] as const,
);

const beforeNumber = /(แพ็ก|แพ็กเกจ|สำหรับ|ซอย|เหลือ|ชั้น|ถนน) (\d)/g;
const afterNumber = /(\d[\d,.]*) (นาที|ครั้ง|ท่าน|คน|ชุด|ถ้วย|ใบ|บาท|สาขา|ร้าน|วัน|วินาที|แต้ม|รายการ|ชั่วโมง|สิทธิ์|กม\.|กรัม|มล\.|%)/g;

/** Joins what must not be parted at the end of a line: a number and its unit, and names that the dictionary splits. */
export function thai(text: string) {
  const joined = text.replace(beforeNumber, `$1${noBreakSpace}$2`).replace(afterNumber, `$1${noBreakSpace}$2`);
  return whole.reduce((result, [word, glued]) => result.replaceAll(word, glued), joined);
}
