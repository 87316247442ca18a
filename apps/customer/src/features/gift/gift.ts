import type { Body, Detail } from '@wlv/client/call';
import { date, daysLeft } from '@wlv/ui/format';

/** A gift as its giver, or who received it, sees it. */
export type Gift = Detail<'/api/user/transfer/detail'>;
export type Content = Gift['contents'][number];
/** What a link leads to, before it is received. */
export type Wrapped = Detail<'/api/user/transfer/open'>;
export type GiftInput = Body<'/api/user/transfer/create'>;
/** What is given. */
export type Voucher = Detail<'/api/user/voucher/detail'>;

/** The last day of a link that opens, or is extended, at a moment: no later than that of its vouchers. */
export function nextLastDay(validUntil: string, days: number, from = Date.now()) {
  const capped = daysLeft(validUntil, from) <= days;
  return { capped, day: date(capped ? validUntil : from + days * 86_400_000) };
}
