import { msg } from '@lingui/core/macro';
import { lazy } from 'react';
import { instant, number, text, until } from '../../resource/cells.tsx';
import { defineResource } from '../../resource/resource.ts';
import { giftStates } from '../../resource/status-labels.tsx';

const GiftStory = lazy(() => import('./gift-story.tsx'));

/** Every gift from one customer to another, newest first. */
export const gifts = defineResource<'transfertransaction'>({
  table: 'transfertransaction',
  module: 'transfertransaction',
  path: 'transfertransaction',
  grows: true,
  menu: { group: 'reports', place: 50 },
  title: msg`Gifts`,
  one: msg`gift`,
  name: (row) => row,
  columns: [
    text('giver_name', msg`Given by`, { sorts: false }),
    text('receiver_name', msg`Received by`, { sorts: false }),
    number('people', msg`For how many`, { sorts: false, hidden: true }),
    number('taken', msg`Taken by`, { sorts: false, hidden: true }),
    instant('created_at', msg`Given on`),
    instant('begins_at', msg`Link opens`, { sorts: false, hidden: true }),
    until('expires_at', msg`Link good until`, { sorts: false, hidden: true }),
    instant('opened_at', msg`Opened`, { sorts: false, hidden: true }),
    instant('ended_at', msg`Ended`, { sorts: false, wide: true }),
  ],
  filters: [
    {
      name: 'state',
      title: msg`State`,
      kind: 'choice',
      choices: Object.entries(giftStates).map(([value, { title }]) => ({ value, title })),
    },
    { name: 'created_at', title: msg`Given on`, kind: 'instant' },
  ],
  look: (row) => giftStates[row.state ?? ''] ?? null,
  story: GiftStory,
  empty: {
    title: msg`Nothing was given yet`,
    line: msg`When a customer gives a voucher to somebody, it stands here with both of them.`,
  },
});
