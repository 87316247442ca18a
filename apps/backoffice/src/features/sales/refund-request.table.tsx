import { msg } from '@lingui/core/macro';
import { lazy } from 'react';
import { instant, money, text } from '../../resource/cells.tsx';
import { defineResource, type StatusStyle } from '../../resource/resource.ts';
import { refundRequestStates } from '../../resource/status-labels.tsx';

const RefundRequestStory = lazy(() => import('./refund-request-story.tsx'));

const late: StatusStyle = { title: msg`Overdue`, tone: 'bad' };

/** What payers ask the shop to refund, newest first. */
export const refundRequests = defineResource<'refundrequest'>({
  table: 'refundrequest',
  module: 'voucher',
  path: 'refundrequest',
  grows: true,
  menu: { group: 'reports', place: 56, waiting: { state: 'asked' } },
  title: msg`Refunds asked for`,
  one: msg`request for a refund`,
  name: (row) => row.number ?? '',
  columns: [
    text('customer_name', msg`Customer`, { sorts: false }),
    text('number', msg`Order`, { sorts: false }),
    money('amount_satang', msg`Amount`, { sorts: false }),
    instant('asked_at', msg({ message: 'Asked', context: 'a refund' })),
    instant('due_at', msg`Answer by`, { sorts: false }),
    instant('answered_at', msg`Answered`, { sorts: false, hidden: true }),
    text('answered_by_name', msg`Answered by`, { sorts: false, hidden: true }),
  ],
  filters: [
    {
      name: 'state',
      title: msg`State`,
      kind: 'choice',
      choices: Object.entries(refundRequestStates).map(([value, { title }]) => ({ value, title })),
    },
    { name: 'asked_at', title: msg({ message: 'Asked', context: 'a refund' }), kind: 'instant' },
  ],
  look: (row) =>
    row.state === 'asked' && row.due_at && Date.parse(row.due_at) < Date.now()
      ? late
      : (refundRequestStates[row.state ?? ''] ?? null),
  story: RefundRequestStory,
  empty: {
    title: msg`Nobody has asked for a refund yet`,
    line: msg`Where a package is refunded by asking, what its buyers ask for stands here until you have answered.`,
  },
});
