import { msg } from '@lingui/core/macro';
import { amount } from '@wlv/ui/format';
import { bilingual, instant, money, text } from '../../resource/cells.tsx';
import { defineResource, type RowOf } from '../../resource/resource.ts';

/** Every use of a voucher, newest first. */
export const uses = defineResource<'activevouchertransaction'>({
  table: 'activevouchertransaction',
  module: 'activevouchertransaction',
  path: 'activevouchertransaction',
  grows: true,
  menu: { group: 'reports', place: 40 },
  title: msg`Vouchers used`,
  one: msg`use`,
  name: (row) => row,
  code: (row) => row.code,
  columns: [
    instant('at', msg`Used on`),
    text('customer_name', msg`Customer`, { sorts: false }),
    bilingual('service_point_name', msg`Service point`, { sorts: false }),
    text('staff_name', msg`Confirmed by`, { sorts: false, wide: true }),
    { name: 'items', title: msg`Used`, cell: Used },
    money('amount_satang', msg`Earned`, { sorts: false }),
  ],
  filters: [
    { name: 'at', title: msg`Used on`, kind: 'instant' },
    { name: 'service_point_id', title: msg`Service point`, kind: 'lookup', table: 'service_point' },
  ],
  empty: { title: msg`No voucher was used yet`, line: msg`Each use stands here as soon as staff confirm it.` },
});

/** How many items, or how much of a gift card's money. */
function Used({ row }: { row: RowOf<'activevouchertransaction'> }) {
  const { items = 0, kind } = row;
  return <span className="whitespace-nowrap">{kind === 'baht' ? amount(items) : items}</span>;
}
