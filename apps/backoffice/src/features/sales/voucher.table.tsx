import { msg } from '@lingui/core/macro';
import { lazy } from 'react';
import { day, instant, money, text } from '../../resource/cells.tsx';
import { defineResource } from '../../resource/resource.ts';
import { Left, LeftShort, voucherStates } from '../../resource/status-labels.tsx';
import { CareForMany } from './care-for-many.tsx';

const VoucherStory = lazy(() => import('./voucher-story.tsx'));

export const voucher = defineResource<'voucher'>({
  table: 'voucher',
  module: 'voucher',
  path: 'voucherlist',
  grows: true,
  menu: { group: 'products', place: 40 },
  title: msg`Vouchers`,
  one: msg`voucher`,
  name: (row) => row,
  code: (row) => row.code,
  found: (row) => `${row.code} · ${row.holder_name}`,
  columns: [
    text('holder_name', msg`Holder`, { sorts: false }),
    { name: 'items_left', title: msg`Left`, cell: Left, card: 'amount', cardCell: LeftShort },
    day('valid_until', msg`Valid until`, { sorts: false }),
    text('order_number', msg`Order number`, { sorts: false, wide: true }),
    money('share_satang', msg`Shop's share`, { sorts: false, hidden: true }),
    instant('issued_at', msg`Issued`, { hidden: true }),
  ],
  filters: [
    {
      name: 'state',
      title: msg`State`,
      kind: 'choice',
      choices: Object.entries(voucherStates).map(([value, { title }]) => ({ value, title })),
    },
    { name: 'valid_until', title: msg`Valid until`, kind: 'day', coming: true },
    { name: 'issued_at', title: msg`Issued`, kind: 'instant' },
  ],
  look: (row) => voucherStates[row.state ?? ''] ?? null,
  story: VoucherStory,
  many: CareForMany,
  empty: { title: msg`Voucher not found`, line: msg`Vouchers are issued when a package is bought.` },
});
