import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { Detail, Row } from '@wlv/client/call';
import type { ChipTone } from '@wlv/ui/chip';
import { date, daysLeft } from '@wlv/ui/format';
import { keepThaiTogether } from '@wlv/ui/thai';

export type Voucher = Row<'/api/user/voucher/list'>;
export type VoucherDetail = Detail<'/api/user/voucher/detail'>;
type VoucherState = Voucher['state'];

const soon = 7;

/** The state in one word, with its colour; a ready voucher that ends within a week says so. */
export function useVoucherState(voucher: Voucher): { word: string; tone: ChipTone } {
  const { t } = useLingui();
  const words: Record<VoucherState, { word: string; tone: ChipTone }> = {
    ready: { word: t`Ready`, tone: 'ok' },
    in_use: { word: t`In use`, tone: 'info' },
    used: { word: t`Used`, tone: 'mute' },
    expired: { word: t`Expired`, tone: 'mute' },
    on_sale: { word: t`On sale`, tone: 'info' },
    in_transfer: { word: t`Being given`, tone: 'info' },
    refunded: { word: t`Refunded`, tone: 'mute' },
    void: { word: t`Cancelled`, tone: 'bad' },
    frozen: { word: t`On hold`, tone: 'bad' },
  };
  return voucher.state === 'ready' && endsSoon(voucher) ? { word: t`Ends soon`, tone: 'warn' } : words[voucher.state];
}

export function endsSoon(voucher: Voucher) {
  const days = daysLeft(voucher.valid_until);
  return days >= 0 && days <= soon;
}

/** `ใช้ได้ถึง 31/03/2027`; within a week the days that are left stand before the date. */
export function useExpiry(voucher: Voucher) {
  const { t } = useLingui();
  const day = date(voucher.valid_until);
  const days = daysLeft(voucher.valid_until);
  if (voucher.state === 'expired') return t`Expired on ${day}`;
  const used = voucher.used_at && date(voucher.used_at);
  if (used) return t`All used on ${used}`;
  if (voucher.state !== 'ready' || !endsSoon(voucher)) return keepThaiTogether(t`Valid until ${day}`);
  return keepThaiTogether(
    days === 0 ? t`Last day today · ${day}` : t`Ends in ${plural(days, { one: '# day', other: '# days' })} · ${day}`,
  );
}

/** Vouchers that were made of one stand as one, where they are in the same state and end on the same day. What a phone kept of an earlier release says of none that it was. */
export function asOne(list: Voucher[]): [Voucher, ...Voucher[]][] {
  const groups = new Map<string, [Voucher, ...Voucher[]]>();
  for (const voucher of list) {
    const { first_sibling_id: first = voucher.id, state, valid_until, frozen_because } = voucher;
    const key = [first, state, valid_until, frozen_because].join();
    const group = groups.get(key);
    if (group) group.push(voucher);
    else groups.set(key, [voucher]);
  }
  return [...groups.values()];
}
