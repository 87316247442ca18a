import { msg } from '@lingui/core/macro';
import { amount } from '@wlv/ui/format';
import { lazy } from 'react';
import { instant, text } from '../../resource/cells.tsx';
import { defineResource, type RowOf } from '../../resource/resource.ts';
import { holdStates, signals } from './hold-signals.ts';
import { SignalName } from './signal-name.tsx';

const HoldStory = lazy(() => import('./hold-story.tsx'));

/** Commission that is held for a look, newest first. */
export const holds = defineResource<'commissionhold'>({
  table: 'commissionhold',
  module: 'agent',
  path: 'commissionholdlist',
  grows: true,
  menu: { group: 'agents', place: 33, waiting: { state: 'held' } },
  title: msg`Commission on hold`,
  one: msg`hold`,
  name: (row) => row.payee_name ?? '',
  code: (row) => row.order_number ?? '',
  picture: (row) => row.pictureUrl,
  shape: 'person',
  columns: [
    {
      name: 'signal',
      title: msg({ message: 'Why', context: 'commission on hold' }),
      cell: ({ row }: { row: RowOf<'commissionhold'> }) => <SignalName of={row.signal} />,
      card: 'what',
    },
    {
      name: 'amount_satang',
      title: msg`Commission`,
      cell: ({ row: { order_id, amount_satang: satang = 0 } }: { row: RowOf<'commissionhold'> }) =>
        order_id ? amount(satang) : '–',
      numeric: true,
      card: 'amount',
    },
    instant('held_at', msg({ message: 'Since', context: 'commission on hold' })),
    text('customer_name', msg({ message: 'Buyer', context: 'of an order' }), { sorts: false, hidden: true }),
    instant('ends_at', msg`Free by itself`, { sorts: false, hidden: true }),
    instant('ended_at', msg({ message: 'Decided', context: 'commission on hold' }), { sorts: false, hidden: true }),
    text('ended_by_name', msg`Decided by`, { sorts: false, hidden: true }),
  ],
  filters: [
    {
      name: 'state',
      title: msg`State`,
      kind: 'choice',
      choices: Object.entries(holdStates).map(([value, { title }]) => ({ value, title })),
    },
    {
      name: 'signal',
      title: msg({ message: 'Why', context: 'commission on hold' }),
      kind: 'choice',
      choices: Object.entries(signals).map(([value, title]) => ({ value, title })),
    },
    { name: 'held_at', title: msg({ message: 'Since', context: 'commission on hold' }), kind: 'instant' },
  ],
  look: (row) => (row.state ? holdStates[row.state] : null),
  story: HoldStory,
  empty: {
    title: msg`No commission is on hold`,
    line: msg`Each night sales and agents are looked at. What is odd stands here and is in no payout until you have decided, or for 30 days.`,
  },
});
