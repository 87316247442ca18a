import { msg } from '@lingui/core/macro';
import { lazy } from 'react';
import { instant, money, number, text, until } from '../../resource/cells.tsx';
import { defineResource } from '../../resource/resource.ts';
import { offerStates } from '../../resource/status-labels.tsx';
import { ClosedBoard } from './closed-board.tsx';

const OfferStory = lazy(() => import('./offer-story.tsx'));

/** Every voucher that one customer offered to others, newest first. */
export const offers = defineResource<'boardtransaction'>({
  table: 'boardtransaction',
  module: 'boardtransaction',
  path: 'boardtransaction',
  grows: true,
  menu: { group: 'reports', place: 55 },
  title: msg`Resale`,
  one: msg`offer`,
  name: (row) => row,
  columns: [
    money('price_satang', msg`Price`, { sorts: false }),
    text('seller_name', msg`Sold by`, { sorts: false }),
    text('buyer_name', msg`Bought by`, { sorts: false }),
    money('royalty_satang', msg`To the shop when sold`, { sorts: false }),
    money('fee_satang', msg`Service fee when sold`, { sorts: false, hidden: true }),
    number('reports', msg`Reports`, { sorts: false }),
    text('number', msg`Number`, { sorts: false, hidden: true }),
    instant('created_at', msg`Offered on`),
    until('expires_at', msg`Offered until`, { sorts: false, hidden: true }),
    instant('ended_at', msg`Ended`, { sorts: false, wide: true }),
  ],
  filters: [
    {
      name: 'state',
      title: msg`State`,
      kind: 'choice',
      choices: Object.entries(offerStates).map(([value, { title }]) => ({ value, title })),
    },
    { name: 'reported', title: msg`Reported`, kind: 'yes' },
    { name: 'created_at', title: msg`Offered on`, kind: 'instant' },
  ],
  look: ({ state }) => offerStates[state ?? ''] ?? null,
  story: OfferStory,
  empty: {
    title: msg`Nothing was offered yet`,
    line: msg`When a customer offers a voucher to others, it stands here with its price and who bought it.`,
    action: ClosedBoard,
  },
});
