import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { amount } from '@wlv/ui/format';
import { Remaining } from '@wlv/ui/meter';
import type { RowOf, StatusStyle } from './resource.ts';

// How orders and vouchers look wherever they stand: in their own lists, and with the customer who has them.

export const voucherStates: Record<string, StatusStyle> = {
  ready: { title: msg`Ready`, tone: 'ok' },
  in_use: { title: msg`Being used`, tone: 'info' },
  used: { title: msg`Used`, tone: 'mute' },
  on_sale: { title: msg`Offered for resale`, tone: 'info' },
  in_transfer: { title: msg`Being given on`, tone: 'info' },
  expired: { title: msg`Expired`, tone: 'mute' },
  refunded: { title: msg`Refunded`, tone: 'mute' },
  void: { title: msg`Void`, tone: 'bad' },
  frozen: { title: msg`Frozen`, tone: 'warn' },
};

export const orderStates = {
  awaiting: { title: msg`Waiting for payment`, tone: 'warn' },
  expired: { title: msg`Not paid`, tone: 'mute' },
  paid: { title: msg`Paid`, tone: 'ok' },
  part_refunded: { title: msg`Partly refunded`, tone: 'warn' },
  refunded: { title: msg`Refunded`, tone: 'mute' },
} as const;

export const giftStates: Record<string, StatusStyle> = {
  scheduled: { title: msg({ message: 'Waiting for its day', context: 'a gift' }), tone: 'info' },
  open: { title: msg`Waits for its receiver`, tone: 'info' },
  claimed: { title: msg({ message: 'Received', context: 'a gift' }), tone: 'ok' },
  withdrawn: { title: msg`Taken back by the giver`, tone: 'mute' },
  declined: { title: msg`Declined`, tone: 'mute' },
  returned: { title: msg`Came back by itself`, tone: 'mute' },
  stopped: { title: msg`Stopped`, tone: 'bad' },
};

export const objectionStates: Record<string, StatusStyle> = {
  open: { title: msg`Waits for you`, tone: 'warn' },
  stands: { title: msg`The use stands`, tone: 'mute' },
  undone: { title: msg`Undone`, tone: 'info' },
};

/** Why money was asked back. */
export const caseKinds: Record<string, StatusStyle> = {
  dispute: { title: msg`The bank takes it back`, tone: 'bad' },
  refund: { title: msg`Sent back by the payment company`, tone: 'warn' },
  wrong_sum: { title: msg`Paid with another sum`, tone: 'warn' },
};

export const caseStates: Record<string, StatusStyle> = {
  open: { title: msg({ message: 'Open', context: 'money asked back' }), tone: 'warn' },
  won: { title: msg`Decided for the shop`, tone: 'ok' },
  lost: { title: msg`Decided against the shop`, tone: 'bad' },
  covered: { title: msg`Covered`, tone: 'ok' },
  borne: { title: msg`Borne by the shop`, tone: 'mute' },
  written_off: { title: msg`Written off`, tone: 'mute' },
};

export const refundRequestStates: Record<string, StatusStyle> = {
  asked: { title: msg`Waits for you`, tone: 'warn' },
  done: { title: msg`Refunded`, tone: 'ok' },
  refused: { title: msg({ message: 'Refused', context: 'an approval' }), tone: 'bad' },
  changed: { title: msg`Asked the customer again`, tone: 'info' },
  withdrawn: { title: msg({ message: 'Withdrawn', context: 'an approval' }), tone: 'mute' },
};

export const cashoutStates: Record<string, StatusStyle> = {
  asked: { title: msg`Waits for an answer`, tone: 'warn' },
  approved: { title: msg({ message: 'Approved', context: 'money of the Wallet' }), tone: 'ok' },
  refused: { title: msg`Refused`, tone: 'bad' },
  withdrawn: { title: msg`Withdrawn`, tone: 'mute' },
};

export const agentStates = {
  draft: { title: msg({ message: 'Fills the form in', context: 'an agent' }), tone: 'mute' },
  pending: { title: msg({ message: 'Waits for you', context: 'an agent' }), tone: 'warn' },
  approved: { title: msg({ message: 'Sells', context: 'an agent' }), tone: 'ok' },
  refused: { title: msg({ message: 'Not approved', context: 'an agent' }), tone: 'bad' },
  suspended: { title: msg({ message: 'Suspended', context: 'an agent' }), tone: 'warn' },
  left: { title: msg({ message: 'Has left', context: 'an agent' }), tone: 'mute' },
  erased: { title: msg({ message: 'Erased', context: 'an agent' }), tone: 'mute' },
} as const satisfies Record<string, StatusStyle>;

export const transferStates: Record<string, StatusStyle> = {
  approved: { title: msg`To be transferred`, tone: 'warn' },
  sent: { title: msg`Waits to be confirmed`, tone: 'info' },
  done: { title: msg`Transferred`, tone: 'ok' },
  failed: { title: msg`Back in the Wallet`, tone: 'mute' },
};

export const offerStates: Record<string, StatusStyle> = {
  open: { title: msg`On sale`, tone: 'info' },
  reserved: { title: msg`Being paid`, tone: 'warn' },
  sold: { title: msg`Sold`, tone: 'ok' },
  cancelled: { title: msg`Cancelled by the seller`, tone: 'mute' },
  ended: { title: msg`Ended by itself`, tone: 'mute' },
  stopped: { title: msg`Stopped`, tone: 'bad' },
};

/** Why customers reported an offer. */
export const reportReasons: Record<string, { title: MessageDescriptor } | undefined> = {
  outside: { title: msg`The seller wants to be paid elsewhere` },
  not_theirs: { title: msg`It may not be the seller's to sell` },
  price: { title: msg`The price is misleading` },
  other: { title: msg({ message: 'Something else', context: 'a report' }) },
};

/** How an offer stands: one whose days are over has ended, also before a worker has written that down. */
export const offerStateOf = ({ state, expires_at }: Partial<RowOf<'boardtransaction'>>) =>
  state === 'open' && expires_at && Date.parse(expires_at) <= Date.now() ? 'ended' : (state ?? '');

/** How much of a voucher is left to use. */
export function Left({ row }: { row: RowOf<'voucher'> }) {
  const { t } = useLingui();
  const { items_left = 0, items_total = 0, kind = 'item' } = row;
  const [left, total] = kind === 'baht' ? [amount(items_left), amount(items_total)] : [items_left, items_total];
  return (
    <span className="flex items-center gap-2.5 whitespace-nowrap">
      <Remaining left={items_left} total={items_total} kind={kind} />
      <span className="text-caption">{t`${left} of ${total}`}</span>
    </span>
  );
}

/** The same in few letters. */
export function LeftShort({ row }: { row: RowOf<'voucher'> }) {
  const { t } = useLingui();
  const { items_left = 0, items_total = 0, kind } = row;
  return kind === 'baht' ? amount(items_left) : t`${items_left} of ${items_total}`;
}

/** What a voucher's chip says of it in a line: how much is left of one that can be used, else its state. */
export function useVoucherState() {
  const { t, i18n } = useLingui();
  return ({
    state,
    kind,
    items_left,
    items_total,
  }: {
    state: string;
    kind: 'item' | 'baht';
    items_left: number;
    items_total: number;
  }) => {
    const [left, total] = kind === 'baht' ? [amount(items_left), amount(items_total)] : [items_left, items_total];
    if (state === 'ready') return t`${left} of ${total} left`;
    const known = voucherStates[state];
    return known ? i18n._(known.title) : state;
  };
}
