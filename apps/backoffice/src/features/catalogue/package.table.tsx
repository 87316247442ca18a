import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { count, date } from '@wlv/ui/format';
import { Meter } from '@wlv/ui/meter';
import { CirclePause, CirclePlay } from 'lucide-react';
import { remove } from '../../resource/actions.ts';
import { money, number } from '../../resource/cells.tsx';
import { defineResource, type RowOf, type StatusStyle } from '../../resource/resource.ts';
import { PackageEditor } from './package-editor.tsx';

type Package = RowOf<'salepackage'>;

export const salepackage = defineResource<'salepackage'>({
  table: 'salepackage',
  module: 'salepackage',
  path: 'packagelist',
  menu: { group: 'products', place: 10 },
  title: msg`Packages`,
  one: msg`package`,
  name: (row) => row,
  code: (row) => row.code,
  picture: (row) => row.picture_id,
  columns: [
    money('price_satang', msg`Price`),
    { name: 'quantity', title: msg`Left`, cell: Left, sorts: true },
    number('sold', msg`Sold`),
    { name: 'sale_to', title: msg`Sale period`, cell: Period, sorts: true },
    money('list_price_satang', msg`Full price`, { hidden: true }),
    { name: 'featured', title: msg`Featured`, cell: Featured, sorts: true, hidden: true },
  ],
  views: [
    { title: msg`All`, filter: {} },
    { title: msg`On sale`, filter: { status: 5 }, empty: msg`No package on sale` },
    { title: msg`Drafts`, filter: { status: 1 }, empty: msg`No package in draft` },
    { title: msg`Paused`, filter: { status: 2 }, empty: msg`No package whose sale is paused` },
  ],
  filters: [
    { name: 'price_satang', title: msg`Price`, kind: 'money' },
    { name: 'tags', title: msg`Tag`, kind: 'lookup', table: 'tags' },
    { name: 'sale_to', title: msg`Sale ends`, kind: 'instant', coming: true },
    { name: 'featured', title: msg`Featured`, kind: 'yes' },
  ],
  look,
  actions: [
    { status: 5, title: msg`Put on sale`, icon: CirclePlay },
    { status: 2, title: msg`Pause the sale`, icon: CirclePause },
    remove,
  ],
  refusals: {
    'picture_id:field.required': msg`Add a picture of the package before it goes on sale.`,
    'price_satang:field.required': msg`Enter what the customer pays.`,
    'parts:field.required': msg`Add at least one thing that the customer receives.`,
    'parts:field.no_service_point': msg`There is something in it that no open service point honours. Open one first.`,
    'parts.*.new_voucher_type.name_th:field.required': msg`Enter what the customer gets.`,
    'parts.*.new_voucher_type.service_points:field.no_service_point': msg`Add the place where customers use it.`,
    'parts.*.new_voucher_type.valid_until:field.format': msg`Either days or a last day: empty one of them.`,
    'parts:field.too_big': msg`One purchase would bring too many vouchers: take some away.`,
    'sale_to:field.too_small': msg`The last day of sale has passed: choose a later one.`,
  },
  editor: PackageEditor,
  empty: {
    title: msg`No package yet`,
    line: msg`A package is what customers buy: one price, and what they receive for it.`,
  },
});

/** Nearly gone: at most a tenth is left. */
const scarce = 0.1;

function look(row: Package): StatusStyle | null {
  const now = Date.now();
  if (row.status === 1) return { title: msg`Draft`, tone: 'mute' };
  if (row.status !== 5) return { title: msg`Paused`, tone: 'mute' };
  if (row.sale_to && new Date(row.sale_to).getTime() < now) return { title: msg`Sale is over`, tone: 'mute' };
  if (row.sale_from && new Date(row.sale_from).getTime() > now) return { title: msg`Scheduled`, tone: 'info' };
  if (row.quantity !== null && row.quantity !== undefined) {
    const left = row.quantity - (row.sold ?? 0);
    if (left <= 0) return { title: msg`Sold out`, tone: 'mute' };
    if (left / row.quantity <= scarce) return { title: msg`Nearly gone`, tone: 'warn' };
  }
  return { title: msg`On sale`, tone: 'ok' };
}

function Left({ row: { quantity, sold = 0 } }: { row: Package }) {
  const { t } = useLingui();
  if (quantity === null || quantity === undefined) return <span className="text-quiet">{t`Unlimited`}</span>;
  const left = Math.max(0, quantity - sold);
  const share = quantity ? left / quantity : 0;
  return (
    <span className="grid gap-1 sm:w-[120px]">
      <span className="flex justify-between gap-2 text-caption">
        <span className="font-medium text-foreground">{count(left)}</span>
        <span className="text-quiet">{t`of ${count(quantity)}`}</span>
      </span>
      <Meter value={share} tone={share <= scarce ? 'warn' : 'brand'} className="max-sm:hidden" />
    </span>
  );
}

function Period({ row }: { row: Package }) {
  const { t } = useLingui();
  if (!row.sale_from && !row.sale_to) return t`Always`;
  const from = row.sale_from ? date(row.sale_from) : '';
  const to = row.sale_to ? date(row.sale_to) : '';
  if (!to) return t`from ${from}`;
  return <span className="whitespace-nowrap">{from ? `${from} – ${to}` : t`up to ${to}`}</span>;
}

function Featured({ row }: { row: Package }) {
  const { t } = useLingui();
  return row.featured ? t`Yes` : t`No`;
}
