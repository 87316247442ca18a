import { msg } from '@lingui/core/macro';
import { instant, number } from '../../resource/cells.tsx';
import { defineResource } from '../../resource/resource.ts';

export const discountcode = defineResource<'discountcode'>({
  table: 'discountcode',
  module: 'discount',
  path: 'discountcodelist',
  grows: true,
  menu: { group: 'advanced', place: 30 },
  title: msg`Codes of discounts`,
  one: msg`code`,
  name: (row) => row.code ?? '',
  columns: [
    instant('created_at', msg`Made`),
    number('used', msg`Used`, { sorts: false }),
    number('uses', msg`Can be used`, { sorts: false }),
  ],
  filters: [{ name: 'discount_id', title: msg`Discount`, kind: 'lookup', table: 'discount' }],
  empty: { title: msg`No code yet`, line: msg`Make the codes of a discount on its page.` },
});
