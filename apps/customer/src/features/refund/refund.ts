import type { Detail } from '@wlv/client/call';

export type Options = Detail<'/api/user/refund/options'>;
export type Made = Detail<'/api/user/refund/make'>;
export type Option = Options['vouchers'][number];

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
