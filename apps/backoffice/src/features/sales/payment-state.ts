import { msg } from '@lingui/core/macro';
import { paymentStates } from '../../record/payment-words.ts';
import type { RowOf, StatusStyle } from '../../resource/resource.ts';

const disputes: Record<string, StatusStyle> = {
  open: { title: msg`The bank asks it back`, tone: 'bad' },
  lost: { title: msg`Taken back by the bank`, tone: 'bad' },
};

/** What happened to the money after it was paid comes before that it was paid. */
export function paymentState(row: RowOf<'depositqrtransaction'>): StatusStyle | null {
  const dispute = disputes[row.dispute ?? ''];
  if (dispute) return dispute;
  if (row.case_kind === 'wrong_sum') return { title: msg`Paid with another sum`, tone: 'bad' };
  const { refunded_satang: back = 0, amount_satang: all = 0 } = row;
  if (row.state === 'captured' && back > 0)
    return back < all
      ? { title: msg`Partly sent back`, tone: 'warn' }
      : { title: msg`Sent back to the payer`, tone: 'warn' };
  return row.state ? paymentStates[row.state] : null;
}
