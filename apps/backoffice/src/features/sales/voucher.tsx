import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { amount } from '@wlv/ui/format';
import { Remaining } from '@wlv/ui/meter';
import { day, instant, money, text } from '../../resource/cells.tsx';
import { defineResource, type RowOf, type StatusLook } from '../../resource/resource.ts';

const states: Record<string, StatusLook> = {
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

export const voucher = defineResource<'voucher'>({
  table: 'voucher',
  module: 'voucher',
  path: 'voucherlist',
  title: msg`Vouchers`,
  one: msg`voucher`,
  name: (row) => row,
  code: (row) => row.code,
  columns: [
    text('owner_name', msg`Held by`),
    { name: 'items_left', title: msg`Left`, cell: Left },
    day('valid_until', msg`Valid until`),
    text('order_number', msg`Order number`, { sorts: false }),
    money('share_satang', msg`Shop's share`, { hidden: true }),
    instant('issued_at', msg`Issued`, { hidden: true }),
  ],
  filters: [
    {
      name: 'state',
      title: msg`State`,
      kind: 'choice',
      choices: Object.entries(states).map(([value, { title }]) => ({ value, title })),
    },
    { name: 'valid_until', title: msg`Valid until`, kind: 'day' },
    { name: 'issued_at', title: msg`Issued`, kind: 'instant' },
  ],
  look: (row) => states[row.state ?? ''] ?? null,
  empty: { title: msg`No voucher yet`, line: msg`Vouchers are issued when a package is bought.` },
});

function Left({ row }: { row: RowOf<'voucher'> }) {
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
