import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { statusFilter } from '../../resource/actions.ts';
import { instant, word } from '../../resource/cells.tsx';
import { defineResource, type RowOf } from '../../resource/resource.ts';

const kinds = { omise: { title: msg`Omise` }, manual: { title: msg`Checked by hand` } };

/** How the organisation is paid; the platform sets it up. */
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
  empty: {
    title: msg`No payment system yet`,
    line: msg`The platform sets it up for you, so that customers can pay by PromptPay and card.`,
  },
});

function Methods({ row }: { row: RowOf<'payment'> }) {
  const { t } = useLingui();
  const names: Record<string, string> = { promptpay: t`PromptPay QR`, card: t`Card` };
  return (row.methods ?? []).map((method) => names[method] ?? method).join(' · ');
}
