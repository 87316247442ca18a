import { msg } from '@lingui/core/macro';
import { lazy } from 'react';
import { instant, money, text } from '../../resource/cells.tsx';
import { defineResource, type StatusStyle } from '../../resource/resource.ts';
import { transferStates } from '../../resource/status-labels.tsx';

const BankTransferStory = lazy(() => import('./bank-transfer-story.tsx'));

const late: StatusStyle = { title: msg`Overdue`, tone: 'bad' };

/** What the shop transfers to bank accounts of customers, refunds and cashouts, newest first. */
export const bankTransfers = defineResource<'banktransfer'>({
  table: 'banktransfer',
  module: 'voucher',
  path: 'banktransfer',
  grows: true,
  menu: { group: 'reports', place: 57, waiting: { state: 'approved' } },
  title: msg`Bank transfers`,
  one: msg`bank transfer`,
  name: (row) => row.number ?? '',
  columns: [
    text('customer_name', msg`Customer`, { sorts: false }),
    money('amount_satang', msg`Amount`, { sorts: false }),
    instant('made_at', msg({ message: 'Refunded', context: 'when' })),
    instant('due_at', msg`Transfer by`, { sorts: false }),
    text('run_number', msg({ message: 'Run', context: 'of payouts' }), { sorts: false, hidden: true }),
    text('reference', msg`Bank reference`, { sorts: false, hidden: true }),
    text('sent_by_name', msg`Transferred by`, { sorts: false, hidden: true }),
    instant('ended_at', msg`Ended`, { sorts: false, hidden: true }),
  ],
  filters: [
    {
      name: 'state',
      title: msg`State`,
      kind: 'choice',
      choices: Object.entries(transferStates).map(([value, { title }]) => ({ value, title })),
    },
    { name: 'made_at', title: msg({ message: 'Refunded', context: 'when' }), kind: 'instant' },
  ],
  look: (row) =>
    row.state === 'approved' && row.due_at && Date.parse(row.due_at) < Date.now()
      ? late
      : (transferStates[row.state ?? ''] ?? null),
  story: BankTransferStory,
  empty: {
    title: msg`Nothing has to be transferred`,
    line: msg`Who paid by PromptPay can have a refund or the balance transferred to a bank account. It stands here until you have transferred it.`,
  },
});
