import { msg } from '@lingui/core/macro';
import { lazy } from 'react';
import { instant, money, text } from '../../resource/cells.tsx';
import { defineResource } from '../../resource/resource.ts';
import { caseKinds, caseStates } from '../../resource/status-labels.tsx';

const CaseStory = lazy(() => import('./case-story.tsx'));

/** All money that was asked back after it was spent, by banks or by the payment company, newest first. */
export const cases = defineResource<'case'>({
  table: 'case',
  module: 'depositqrtransaction',
  path: 'caselist',
  grows: true,
  menu: { group: 'reports', place: 47, waiting: { state: 'open' } },
  title: msg`Money asked back`,
  one: msg`case`,
  name: (row) => row.reference ?? '',
  columns: [
    text('customer_name', msg`Customer`, { sorts: false }),
    money('amount_satang', msg`Asked back`, { sorts: false }),
    money('owed_satang', msg`Still owed`, { sorts: false }),
    instant('opened_at', msg`Since`),
    instant('due_at', msg`The shop bears it on`, { sorts: false }),
    instant('closed_at', msg`Ended`, { sorts: false, hidden: true }),
    text('decided_by_name', msg`Decided by`, { sorts: false, hidden: true }),
  ],
  filters: [
    {
      name: 'kind',
      title: msg`What it is`,
      kind: 'choice',
      choices: Object.entries(caseKinds).map(([value, { title }]) => ({ value, title })),
    },
    {
      name: 'state',
      title: msg`State`,
      kind: 'choice',
      choices: Object.entries(caseStates).map(([value, { title }]) => ({ value, title })),
    },
    { name: 'opened_at', title: msg`Since`, kind: 'instant' },
  ],
  look: (row) => caseStates[row.state ?? ''] ?? null,
  story: CaseStory,
  empty: {
    title: msg`Nobody has asked for money back`,
    line: msg`When a bank or the payment company takes a payment back, it stands here with what is on hold for it.`,
  },
});
