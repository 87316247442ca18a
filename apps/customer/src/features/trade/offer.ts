import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { Detail } from '@wlv/client/call';
import type { ChipTone } from '@wlv/ui/chip';
import { baht, date, daysLeft } from '@wlv/ui/format';
import { keepThaiTogether } from '@wlv/ui/thai';

/** An offer as it stands in a list. */
export type Offer = Detail<'/api/user/trade/own'>['data'][number];
export type OfferDetail = Detail<'/api/user/trade/detail'>;

/** By how much it costs less than from the shop, in satang and in whole percent; 0 if it does not. */
export function saving({ price_satang: price, shop_price_satang: shop }: Offer) {
  if (!shop || shop <= price) return { satang: 0, percent: 0 };
  return { satang: shop - price, percent: Math.floor(((shop - price) * 100) / shop) };
}

/** What is offered: `2 times`, or an amount. */
export function useHowMuch({ kind, items }: Pick<Offer, 'kind' | 'items'>) {
  const { t } = useLingui();
  return kind === 'baht' ? baht(items) : t`${plural(items, { one: '# time', other: '# times' })}`;
}

/** How often it went from hand to hand, as the shop knows it. */
export function useHands({ given, resold }: Offer) {
  const { t } = useLingui();
  const parts = [
    given > 0 && plural(given, { one: 'given once', other: 'given # times' }),
    resold > 0 && plural(resold, { one: 'sold on once', other: 'sold on # times' }),
  ].filter(Boolean);
  return parts.length ? parts.join(', ') : t`First hand`;
}

/** `Valid until 31/03/2027`; within a week, how many days are left. */
export function useValidity({ valid_until }: Pick<Offer, 'valid_until'>) {
  const { t } = useLingui();
  const day = date(valid_until);
  const days = daysLeft(valid_until);
  const soon = days <= 7;
  const left = plural(days, { one: '# day left', other: '# days left' });
  return { soon, text: keepThaiTogether(soon ? t`${left}, until ${day}` : t`until ${day}`) };
}

/** How an offer stands, in one word with its colour. */
export function useOfferState({ state }: Pick<Offer, 'state'>) {
  const { t } = useLingui();
  const words: Record<Offer['state'], { word: string; tone: ChipTone }> = {
    open: { word: t`On sale`, tone: 'info' },
    reserved: { word: t`Being paid`, tone: 'warn' },
    sold: { word: t({ message: 'Sold', context: 'an offer' }), tone: 'ok' },
    cancelled: { word: t`Cancelled`, tone: 'mute' },
    ended: { word: t({ message: 'Ended', context: 'an offer' }), tone: 'mute' },
    stopped: { word: t`Stopped`, tone: 'warn' },
  };
  return words[state];
}

/** What a part of a price comes to, as the server rounds it: half up. */
export const share = (satang: number, basisPoints: number) => Math.floor((satang * basisPoints * 2 + 10_000) / 20_000);
