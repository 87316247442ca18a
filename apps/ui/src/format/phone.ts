/** What people write between digits. */
const between = '[ ().-]';
/** How a number's digits are grouped: Bangkok's, other landlines, mobiles. */
const numbers = ['^(02)(\\d{3})(\\d{4})$', '^(0\\d{2})(\\d{3})(\\d{3})$', '^(0\\d{2})(\\d{3})(\\d{4})$'];
const grouped = '$1\u00a0$2\u00a0$3';

/** A Thai phone number as it is read: `053 215 509`, `081 234 5678`. It returns what is no such number as it is written. */
export function phone(number: string) {
  const digits = number.replace(new RegExp(between, 'g'), '');
  const form = numbers.map((one) => new RegExp(one)).find((one) => one.test(digits));
  return form ? digits.replace(form, grouped) : number;
}

/** The address that calls a number. */
export const tel = (number: string) => `tel:${number.replace(/[^\d+]/g, '')}`;

/** The same rules for the server (api/pages). */
export const phoneRules = { between, numbers, grouped };
