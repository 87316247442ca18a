const minus = '\u2212';

const twoDecimals = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const whole = new Intl.NumberFormat('en-US');

/** Satang as baht with two decimals: 129050 → `1,290.50`; the minus is U+2212. */
export function amount(satang: number) {
  const text = twoDecimals.format(Math.abs(satang) / 100);
  return satang < 0 ? `${minus}${text}` : text;
}

/** Satang with the sign: 129050 → `฿1,290.50`. */
export function baht(satang: number) {
  return satang < 0 ? `${minus}฿${amount(-satang)}` : `฿${amount(satang)}`;
}

/** A movement, whose credits carry a plus: `+1,000.00`, `−490.00`. */
export function signed(satang: number) {
  return satang > 0 ? `+${amount(satang)}` : amount(satang);
}

export function count(n: number) {
  return whole.format(n);
}

/** Basis points as people write a rate: 500 → `5%`, 1250 → `12.5%`. */
export function percent(basisPoints: number) {
  return `${basisPoints / 100}%`;
}

/** How much less than the list price, whole percents; 0 where there is nothing to show. */
export function discountPercent(priceSatang: number, listPriceSatang: number) {
  return listPriceSatang > priceSatang ? Math.round((1 - priceSatang / listPriceSatang) * 100) : 0;
}

const bangkok = { timeZone: 'Asia/Bangkok' } as const;
const day = new Intl.DateTimeFormat('en-GB', { ...bangkok, day: '2-digit', month: '2-digit', year: 'numeric' });
const clock = new Intl.DateTimeFormat('en-GB', { ...bangkok, hour: '2-digit', minute: '2-digit' });
// Pure: an app that shows no seconds and writes no plain days is built without these.
const second = /* @__PURE__ */ new Intl.DateTimeFormat('en-GB', { ...bangkok, timeStyle: 'medium' });
const plainDay = /* @__PURE__ */ new Intl.DateTimeFormat('en-CA', bangkok);

type Instant = string | number | Date;

/** `31/03/2027`, Gregorian, in Asia/Bangkok. Takes an instant or a plain `YYYY-MM-DD`. */
export function date(at: Instant) {
  const plain = typeof at === 'string' && /^(\d{4})-(\d{2})-(\d{2})$/.exec(at);
  return plain ? `${plain[3]}/${plain[2]}/${plain[1]}` : day.format(new Date(at));
}

/** `2027-03-31`: the day of an instant in Asia/Bangkok, as calls and addresses write it. */
export function calendarDay(at: Instant) {
  return plainDay.format(new Date(at));
}

/** `14:32`, in Asia/Bangkok. */
export function time(at: Instant) {
  return clock.format(new Date(at));
}

/** The last day of what ends with a day, as a link does or an offer: its end is the first moment of the next one. */
export const lastDay = (end: string) => date(Date.parse(end) - 1);

export function dateTime(at: Instant) {
  return `${date(at)} ${time(at)}`;
}

/** `14:32:06`, in Asia/Bangkok: what two people compare at a counter. */
export function timeToSecond(at: Instant) {
  return second.format(new Date(at));
}

/** Whole days from now to the end of that day in Asia/Bangkok; 0 is today, negative is past. */
export function daysLeft(at: Instant, now: Instant = Date.now()) {
  const midnight = (instant: Instant) => {
    const [d, m, y] = date(instant).split('/').map(Number) as [number, number, number];
    return Date.UTC(y, m - 1, d);
  };
  return Math.round((midnight(at) - midnight(now)) / 86_400_000);
}

/** `09:42` from seconds. */
export function countdown(seconds: number) {
  const left = Math.max(0, Math.ceil(seconds));
  return `${String(Math.floor(left / 60)).padStart(2, '0')}:${String(left % 60).padStart(2, '0')}`;
}
