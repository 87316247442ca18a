/** `พ.ย. 2026`, `Nov 2026`: Gregorian, as dates are written here. */
export function monthName(month: string, locale: string) {
  const name = new Intl.DateTimeFormat(locale === 'th' ? 'th-TH' : 'en-GB', { month: 'short', timeZone: 'UTC' });
  return `${name.format(new Date(`${month}-01T00:00:00Z`))} ${month.slice(0, 4)}`;
}
