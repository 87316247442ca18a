import { msg } from '@lingui/core/macro';
import { amount } from '@wlv/ui/format';
import { lazy } from 'react';
import { day, text } from '../../resource/cells.tsx';
import { defineResource, type RowOf } from '../../resource/resource.ts';
import { payoutStates } from './payout-states.ts';

const PayoutStory = lazy(() => import('./payout-story.tsx'));

/** What each agent was paid, or was to be, and each refund, by which run; the newest first. */
export const payouts = defineResource<'payout'>({
  table: 'payout',
  module: 'paycommissiontransaction',
  path: 'payoutlist',
  grows: true,
  menu: { group: 'agents', place: 31 },
  title: msg`Payouts one by one`,
  one: msg`payout`,
  name: (row) => row.payee_name ?? '',
  code: (row) => row.reference,
  picture: (row) => row.pictureUrl,
  shape: 'person',
  columns: [
    day('pay_day', msg`Pay day`, { sorts: false, card: 'instant' }),
    {
      name: 'net_satang',
      title: msg({ message: 'Transfer', context: 'the sum of a payout' }),
      cell: Transfer,
      numeric: true,
      card: 'amount',
    },
    { name: 'withheld_satang', title: msg`Tax withheld`, cell: Withheld, numeric: true },
    text('number', msg`Refund`, { sorts: false }),
    day('paid_on', msg({ message: 'Paid on', context: 'a payout' }), { sorts: false }),
    text('reason', msg({ message: 'Why it was not paid', context: 'a payout' }), { sorts: false, hidden: true }),
  ],
  filters: [
    {
      name: 'state',
      title: msg`State`,
      kind: 'choice',
      choices: Object.entries(payoutStates).map(([value, { title }]) => ({ value, title })),
    },
  ],
  look: (row) => (row.state ? payoutStates[row.state] : null),
  story: PayoutStory,
  empty: {
    title: msg`Nobody was paid yet`,
    line: msg`Each payout of a run stands here, with what was transferred and what became of it.`,
  },
});

/** Nothing is transferred to who was left out. */
function Transfer({ row: { state, net_satang: satang = 0 } }: { row: RowOf<'payout'> }) {
  return state === 'left_out' ? '–' : amount(satang);
}

function Withheld({ row: { state, withheld_satang: satang = 0 } }: { row: RowOf<'payout'> }) {
  return (
    <span className="font-normal text-muted-foreground">
      {state === 'left_out' || satang === 0 ? '–' : amount(-satang)}
    </span>
  );
}
