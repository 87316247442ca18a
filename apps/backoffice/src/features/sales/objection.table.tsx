import { msg } from '@lingui/core/macro';
import { lazy } from 'react';
import { bilingual, instant, money, text } from '../../resource/cells.tsx';
import { defineResource } from '../../resource/resource.ts';
import { objectionStates } from '../../resource/status-labels.tsx';

const ObjectionStory = lazy(() => import('./objection-story.tsx'));

/** Every use of which its holder says that it was not he, newest first. */
export const objections = defineResource<'objection'>({
  table: 'objection',
  module: 'voucher',
  path: 'objection',
  grows: true,
  menu: { group: 'reports', place: 57 },
  title: msg`“It was not me”`,
  one: msg`objection`,
  name: (row) => row,
  columns: [
    text('customer_name', msg`Customer`, { sorts: false }),
    bilingual('service_point_name', msg`Service point`, { sorts: false }),
    text('staff_name', msg`Confirmed by`, { sorts: false }),
    instant('used_at', msg`Used`, { sorts: false }),
    money('share_satang', msg`Held`, { sorts: false }),
    instant('made_at', msg`Objected`),
    instant('due_at', msg`Decide by`, { sorts: false }),
    text('code', msg`Voucher`, { sorts: false, hidden: true }),
    instant('decided_at', msg`Decided`, { sorts: false, hidden: true }),
    text('decided_by_name', msg`Decided by`, { sorts: false, hidden: true }),
  ],
  filters: [
    {
      name: 'state',
      title: msg`State`,
      kind: 'choice',
      choices: Object.entries(objectionStates).map(([value, { title }]) => ({ value, title })),
    },
    { name: 'made_at', title: msg`Objected`, kind: 'instant' },
  ],
  look: (row) => objectionStates[row.state ?? ''] ?? null,
  story: ObjectionStory,
  empty: {
    title: msg`Nobody has objected yet`,
    line: msg`When a customer says that a use was not his, it stands here until you have decided.`,
  },
});
