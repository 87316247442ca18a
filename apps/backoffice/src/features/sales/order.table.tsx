import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { pictureURL } from '@wlv/client/media';
import { Mark, useTexts } from '@wlv/client/page';
import { amount } from '@wlv/ui/format';
import { Picture } from '@wlv/ui/picture';
import { lazy } from 'react';
import { instant, money, number, option, text, word } from '../../resource/cells.tsx';
import { defineResource, type RowOf } from '../../resource/resource.ts';
import { orderStates } from '../../resource/status-labels.tsx';

const OrderStory = lazy(() => import('./order-story.tsx'));

const methods = {
  wallet: { title: msg`Wallet` },
  promptpay: { title: msg`PromptPay QR` },
  card: { title: msg`Card` },
};

export const orders = defineResource<'orders'>({
  table: 'orders',
  module: 'soldtransaction',
  path: 'orderlist',
  grows: true,
  menu: { group: 'reports', place: 20, names: ['ordertracking'] },
  title: msg`Orders`,
  one: msg`order`,
  name: (row) => row.number ?? '',
  code: (row) => row.customer_name,
  found: (row) => `${row.customer_name} · ${amount(row.total_satang ?? 0)}`,
  card: { name: (row) => row.customer_name ?? '', picture: (row) => row.bought_picture_id ?? null },
  columns: [
    instant('created_at', msg`Ordered on`),
    { name: 'bought_name_th', title: msg`Bought`, cell: Bought, card: 'what', cardCell: BoughtShort },
    word('method', msg`Paid with`, methods, { sorts: false, wide: true }),
    money('total_satang', msg`Total`, { sorts: false }),
    option('sale_channel', msg`Channel`, 'salechannel', { wide: true }),
    instant('paid_at', msg`Paid on`, { sorts: false, hidden: true }),
    number('pieces', msg`Pieces`, { sorts: false, hidden: true }),
    money('commission_satang', msg`Commission`, { sorts: false, hidden: true }),
    money('platform_fee_satang', msg`Platform fee`, { sorts: false, hidden: true }),
    text('agent_name', msg`Agent`, { sorts: false, hidden: true }),
  ],
  views: [
    { title: msg`All`, filter: {} },
    { title: orderStates.awaiting.title, filter: { state: 'awaiting' } },
    { title: orderStates.paid.title, filter: { state: 'paid' } },
    { title: orderStates.expired.title, filter: { state: 'expired' } },
  ],
  filters: [
    { name: 'created_at', title: msg`Ordered on`, kind: 'instant' },
    { name: 'paid_at', title: msg`Paid on`, kind: 'instant' },
    { name: 'sale_channel', title: msg`Channel`, kind: 'option', list: 'salechannel' },
    { name: 'agent_id', title: msg`Agent`, kind: 'lookup', table: 'agent' },
  ],
  look: (row) => (row.state ? orderStates[row.state] : null),
  story: OrderStory,
  empty: { title: msg`Order not found yet`, line: msg`Each order stands here as soon as it is made.` },
});

/** The first package, and how many pieces more. */
function BoughtShort({ row }: { row: RowOf<'orders'> }) {
  const text = useTexts();
  const { bought_name_th = '', bought_name_en = '', pieces = 0 } = row;
  const more = pieces > 1 ? ` +${pieces - 1}` : '';
  return `${text({ name_th: bought_name_th, name_en: bought_name_en }, 'name')}${more}`;
}

/** The first package with its picture, how many of it, and how many pieces more. */
function Bought({ row }: { row: RowOf<'orders'> }) {
  const { t } = useLingui();
  const text = useTexts();
  const { bought_name_th = '', bought_name_en = '', bought_picture_id, bought_pieces = 0, pieces = 0 } = row;
  const more = pieces - bought_pieces;
  return (
    <span className="flex items-center gap-2.5">
      <Picture
        src={pictureURL(bought_picture_id ?? null, 400)}
        mark={<Mark size={20} />}
        className="h-9 w-11 shrink-0 rounded-chip"
      />
      <span className="min-w-0">
        <span className="line-clamp-1">{text({ name_th: bought_name_th, name_en: bought_name_en }, 'name')}</span>
        {(bought_pieces > 1 || more > 0) && (
          <span className="text-caption text-quiet">
            {[bought_pieces > 1 && `×${bought_pieces}`, more > 0 && t`and ${more} more`].filter(Boolean).join(' ')}
          </span>
        )}
      </span>
    </span>
  );
}
