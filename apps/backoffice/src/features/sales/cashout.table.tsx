import { msg } from '@lingui/core/macro';
import { lazy } from 'react';
import { instant, money, text } from '../../resource/cells.tsx';
import { defineResource, type StatusStyle } from '../../resource/resource.ts';
import { cashoutStates } from '../../resource/status-labels.tsx';

const CashoutStory = lazy(() => import('./cashout-story.tsx'));

const late: StatusStyle = { title: msg`Overdue`, tone: 'bad' };

/** What customers ask to be paid out of their wallets, newest first. */
export const cashouts = defineResource<'cashout'>({
  table: 'cashout',
  module: 'wallettransaction',
  path: 'cashout',
  grows: true,
  menu: { group: 'reports', place: 42, waiting: { state: 'asked' } },
  title: msg`Money asked for`,
  one: msg`request for money of a Wallet`,
  name: (row) => row.number ?? '',
  columns: [
    text('customer_name', msg`Customer`, { sorts: false }),
    money('amount_satang', msg`Amount`, { sorts: false }),
    instant('asked_at', msg({ message: 'Asked', context: 'a refund' })),
    instant('due_at', msg`Answer by`, { sorts: false }),
    text('number', msg`Number`, { sorts: false, hidden: true }),
    instant('answered_at', msg`Answered`, { sorts: false, hidden: true }),
    text('answered_by_name', msg`Answered by`, { sorts: false, hidden: true }),
  ],
  filters: [
    {
      name: 'state',
      title: msg`State`,
      kind: 'choice',
      choices: Object.entries(cashoutStates).map(([value, { title }]) => ({ value, title })),
    },
    { name: 'asked_at', title: msg({ message: 'Asked', context: 'a refund' }), kind: 'instant' },
  ],
  look: (row) =>
    row.state === 'asked' && row.due_at && Date.parse(row.due_at) < Date.now()
      ? late
      : (cashoutStates[row.state ?? ''] ?? null),
  story: CashoutStory,
  empty: {
    title: msg`Nobody has asked for money yet`,
    line: msg`Customers can ask for what they topped up themselves and have not spent. What they ask for stands here until you have answered.`,
  },
});
