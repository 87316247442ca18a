import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { amount, date } from '@wlv/ui/format';
import { lazy } from 'react';
import { day, instant, money, number } from '../../resource/cells.tsx';
import { defineResource, type RowOf } from '../../resource/resource.ts';
import { runKinds, runLook, runStates } from './payout-states.ts';

const PayoutRunStory = lazy(() => import('./payoutrun-story.tsx'));
const DraftRun = lazy(() => import('./draft-run.tsx'));
const NextRun = lazy(() => import('./next-run.tsx'));

/** The runs by which agents are paid their commission, and refunds are transferred, newest first. */
export const payoutRuns = defineResource<'payoutrun'>({
  table: 'payoutrun',
  module: 'paycommissiontransaction',
  path: 'paycommissiontransaction',
  grows: true,
  menu: { group: 'agents', place: 30, waiting: { to_do: true } },
  title: msg`Payouts`,
  one: msg`run of payouts`,
  name: (row) => (row.pay_day ? date(row.pay_day) : ''),
  code: (row) => row.number,
  columns: [
    { name: 'kind', title: msg({ message: 'Pays', context: 'what a run of payouts pays' }), cell: Kind, card: 'what' },
    number('payees', msg({ message: 'People', context: 'who are paid' }), { sorts: false }),
    { name: 'gross_satang', title: msg`Commission`, cell: Commission, numeric: true },
    { name: 'withheld_satang', title: msg`Tax withheld`, cell: Withheld, numeric: true },
    money('net_satang', msg({ message: 'Transfer', context: 'the sum of a payout' }), { sorts: false }),
    number('left_out_count', msg({ message: 'Left out', context: 'a payout' }), { sorts: false, hidden: true }),
    day('up_to', msg({ message: 'Up to', context: 'a day' }), { sorts: false, hidden: true }),
    instant('drafted_at', msg`Drafted`, { hidden: true }),
  ],
  filters: [
    {
      name: 'state',
      title: msg`State`,
      kind: 'choice',
      choices: Object.entries(runStates).map(([value, { title }]) => ({ value, title })),
    },
    {
      name: 'kind',
      title: msg({ message: 'Pays', context: 'what a run of payouts pays' }),
      kind: 'choice',
      choices: Object.entries(runKinds).map(([value, title]) => ({ value, title })),
    },
    { name: 'to_do', title: msg({ message: 'To do', context: 'runs of payouts' }), kind: 'yes' },
    { name: 'drafted_at', title: msg`Drafted`, kind: 'instant' },
  ],
  views: [
    { title: msg({ message: 'All', context: 'runs of payouts' }), filter: {} },
    {
      title: msg({ message: 'To do', context: 'runs of payouts' }),
      filter: { to_do: true },
      empty: msg`Nothing has to be done`,
    },
    {
      title: msg({ message: 'Waits for the bank', context: 'a run of payouts' }),
      filter: { state: ['exported'] },
      empty: msg`Nothing waits for the bank`,
    },
    {
      title: msg({ message: 'Closed', context: 'a run of payouts' }),
      filter: { state: ['closed'] },
      empty: msg`No run is closed yet`,
    },
  ],
  look: runLook,
  beside: DraftRun,
  aside: NextRun,
  story: PayoutRunStory,
  empty: {
    title: msg`Nobody was paid yet`,
    line: msg`A run collects what agents and partners have earned, or refunds to bank accounts. A second person approves it, then you give your bank the file.`,
  },
});

function Kind({ row: { kind } }: { row: RowOf<'payoutrun'> }) {
  const { i18n } = useLingui();
  return kind ? i18n._(runKinds[kind]) : '';
}

function Commission({ row: { kind, gross_satang: satang } }: { row: RowOf<'payoutrun'> }) {
  if (kind === 'refund') return '–';
  return satang === undefined ? '' : amount(satang);
}

function Withheld({ row: { withheld_satang: satang } }: { row: RowOf<'payoutrun'> }) {
  if (satang === undefined) return '';
  return <span className="font-normal text-muted-foreground">{satang ? amount(-satang) : '–'}</span>;
}
