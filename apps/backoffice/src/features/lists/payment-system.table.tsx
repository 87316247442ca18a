import { msg } from '@lingui/core/macro';
import { statusFilter } from '../../resource/actions.ts';
import { instant, word } from '../../resource/cells.tsx';
import { defineResource, type RowOf } from '../../resource/resource.ts';
import { PaymentMethods, useMethodName } from './payment-methods.tsx';

const kinds = { omise: { title: msg`Omise` }, manual: { title: msg`Checked by hand` } };

/** How the organisation is paid: the platform sets it up, the organisation says which ways to pay it offers. */
export const payment = defineResource<'payment'>({
  table: 'payment',
  module: 'payment',
  path: 'paymentoptionlist',
  menu: { group: 'settings', place: 60, names: ['payment'] },
  title: msg`Payments`,
  one: msg`payment system`,
  name: (row) => row,
  columns: [
    word('kind', msg`System`, kinds),
    { name: 'methods', title: msg`Ways to pay`, cell: Methods },
    instant('created_at', msg`Added`),
  ],
  filters: [statusFilter],
  extra: PaymentMethods,
  empty: {
    title: msg`No payment system yet`,
    line: msg`The platform sets it up for you, so that customers can pay by PromptPay and card.`,
  },
});

function Methods({ row }: { row: RowOf<'payment'> }) {
  const name = useMethodName();
  return (row.methods ?? []).map(name).join(' · ');
}
