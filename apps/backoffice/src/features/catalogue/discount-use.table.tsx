import { msg } from '@lingui/core/macro';
import { instant, money, text } from '../../resource/cells.tsx';
import { defineResource } from '../../resource/resource.ts';
import { orderStates } from '../../resource/status-labels.tsx';

export const discountuse = defineResource<'discountuse'>({
  table: 'discountuse',
  module: 'discount',
  path: 'discountuselist',
  grows: true,
  menu: { group: 'reports', place: 60 },
  title: msg`Discounts used`,
  one: msg`use of a discount`,
  name: (row) => ({ name_th: row.discount_name_th ?? '', name_en: row.discount_name_en ?? '' }),
  code: (row) => row.code || undefined,
  columns: [
    instant('used_at', msg`Used`),
    text('order_number', msg`Order`, { sorts: false }),
    text('customer_name', msg`Customer`, { sorts: false }),
    money('amount_satang', msg`Taken off`, { sorts: false }),
    money('order_total_satang', msg`Total`, { sorts: false }),
  ],
  filters: [
    { name: 'used_at', title: msg`Used`, kind: 'instant' },
    { name: 'discount_id', title: msg`Discount`, kind: 'lookup', table: 'discount' },
  ],
  look: (row) => (row.order_state ? orderStates[row.order_state as keyof typeof orderStates] : null),
  empty: { title: msg`No discount used yet`, line: msg`Each order that a discount made cheaper stands here.` },
});
