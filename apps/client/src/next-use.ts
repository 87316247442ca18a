import { useLingui } from '@lingui/react/macro';
import { date } from '@wlv/ui/format';
import { ApiError } from './api-error.ts';

/** When a voucher can be used next, as the server says with what refuses it. */
export interface NextUse {
  /** Empty where there is no such day before its last one. */
  next_day: string;
  use_from: string;
  use_to: string;
  reason_th?: string;
  reason_en?: string;
}

const outside = ['voucher.not_today', 'voucher.not_at_this_hour', 'voucher.closed_day'];

/** Of an error that a voucher's days and hours are the cause of. */
export function nextUseOf(error: unknown) {
  return error instanceof ApiError && outside.includes(error.fault) ? (error.detail as NextUse | null) : null;
}

/** The sentence that says when it can be used next. */
export function useNextUse() {
  const { t, i18n } = useLingui();
  const weekday = new Intl.DateTimeFormat(i18n.locale === 'th' ? 'th-TH' : 'en-GB', {
    weekday: 'long',
    timeZone: 'UTC',
  });
  return ({ next_day: next, use_from: from, use_to: to }: NextUse) => {
    if (!next) return t`There is no other day before its last one.`;
    const day = `${weekday.format(new Date(next))} ${date(next)}`;
    return from ? t`It can be used again on ${day}, ${from}–${to}.` : t`It can be used again on ${day}.`;
  };
}
