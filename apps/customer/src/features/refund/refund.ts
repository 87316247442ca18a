import { useLingui } from '@lingui/react/macro';
import type { Detail } from '@wlv/client/call';
import type { ChipTone } from '@wlv/ui/chip';

export type Options = Detail<'/api/user/refund/options'>;
export type Made = Detail<'/api/user/refund/make'>;
export type Option = Options['vouchers'][number];
export type Request = Options['requests'][number];

/** Whether it is refunded by the payer himself, or the shop is asked. */
export type How = 'self' | 'asking';

/** Where it goes: to the wallet, back to the card that paid, or by a transfer to a bank account. */
export type Method = 'wallet' | 'card' | 'bank';

/** The card that paid, by its last digits where they are known. */
export function useCardName() {
  const { t } = useLingui();
  return (digits: string) => (digits ? t`Your card ····${digits}` : t`The card that you paid with`);
}

/** A refund, or asking for one, changes what an order, its vouchers and the wallet say. */
export const changed = /^\/api\/user\/(refund|order|voucher|wallet|getwallet|history)/;

export function useRequestStates(): Record<Request['state'], { title: string; tone: ChipTone }> {
  const { t } = useLingui();
  return {
    asked: { title: t`Waits for the shop`, tone: 'warn' },
    done: { title: t`Refunded`, tone: 'ok' },
    refused: { title: t`Refused`, tone: 'bad' },
    changed: { title: t`Please look again`, tone: 'warn' },
    withdrawn: { title: t`Withdrawn`, tone: 'mute' },
  };
}

/** How many items of each voucher are refunded, by its id; none of those that are not named. */
export type Chosen = Record<string, number>;

/** What so many items of a voucher come to. */
export const sliceOf = ({ slices }: Option, items: number) => slices.find((slice) => slice.items === items);

/** What is chosen comes to. */
export function sumsOf(vouchers: Option[], chosen: Chosen) {
  const sums = { paid: 0, fee: 0, amount: 0 };
  for (const voucher of vouchers) {
    const slice = sliceOf(voucher, chosen[voucher.voucher_id] ?? 0);
    if (!slice) continue;
    sums.paid += slice.paid_satang;
    sums.fee += slice.fee_satang;
    sums.amount += slice.amount_satang;
  }
  return sums;
}
