import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { pictureURL } from '@wlv/client/media';
import { Mark, useTexts } from '@wlv/client/page';
import { amount, baht, date, dateTime } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Picture } from '@wlv/ui/picture';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@wlv/ui/table';
import { CircleAlert } from 'lucide-react';
import { instant, money, number, option, text, word } from '../../resource/cells.tsx';
import { Facts } from '../../resource/facts.tsx';
import { useOptions } from '../../resource/names.ts';
import { defineResource, type RecordOf, type RowOf } from '../../resource/resource.ts';
import { orderStates } from '../../resource/status-labels.tsx';

const methods = {
  wallet: { title: msg`Wallet` },
  promptpay: { title: msg`PromptPay QR` },
  card: { title: msg`Card` },
};

export const orders = defineResource<'orders'>({
  table: 'orders',
  module: 'soldtransaction',
  path: 'soldtransaction',
  grows: true,
  menu: { group: 'reports', place: 20, names: ['order', 'ordertracking'] },
  title: msg`Orders`,
  one: msg`order`,
  name: (row) => row.number ?? '',
  code: (row) => row.customer_name,
  found: (row) => `${row.customer_name} · ${amount(row.total_satang ?? 0)}`,
  columns: [
    instant('created_at', msg`Ordered on`),
    { name: 'bought_name_th', title: msg`Bought`, cell: Bought },
    word('method', msg`Paid with`, methods, { sorts: false }),
    money('total_satang', msg`Total`, { sorts: false }),
    option('sale_channel', msg`Channel`, 'salechannel'),
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
  facts: OrderFacts,
  empty: { title: msg`Order not found yet`, line: msg`Each order stands here as soon as it is made.` },
});

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

function OrderFacts({ record }: { record: RecordOf<'orders'> }) {
  const { t } = useLingui();
  const text = useTexts();
  const channel = useOptions('salechannel');
  const facts: [string, string | undefined][] = [
    [t`Customer`, record.customer_name],
    [t`Ordered on`, dateTime(record.created_at)],
    [t`Paid on`, record.paid_at ? dateTime(record.paid_at) : undefined],
    [t`Channel`, channel.label(record.sale_channel)],
    [t`Agent`, record.agent_name ?? undefined],
    [t`Platform fee`, amount(record.platform_fee_satang)],
    [t`Commission`, amount(record.commission_satang)],
    [t`Went back, not covered yet`, record.owed_satang ? amount(record.owed_satang) : undefined],
  ];
  return (
    <>
      <div className="overflow-clip rounded-touch shadow-[inset_0_0_0_1px_var(--line)]">
        <Table>
          <TableHead>
            <tr>
              <TableHeader>{t`Package`}</TableHeader>
              <TableHeader numeric>{t`Pieces`}</TableHeader>
              <TableHeader numeric>{t`Price`}</TableHeader>
              <TableHeader numeric>{t`Amount`}</TableHeader>
            </tr>
          </TableHead>
          <TableBody>
            {record.lines?.map((line) => (
              <TableRow key={line.package_id}>
                <TableCell className="py-2 font-medium">{text(line, 'name')}</TableCell>
                <TableCell numeric>{line.quantity}</TableCell>
                <TableCell numeric>{amount(line.unit_satang)}</TableCell>
                <TableCell numeric>{amount(line.amount_satang)}</TableCell>
              </TableRow>
            ))}
            <tr>
              <TableCell className="font-semibold" colSpan={3}>{t`Total`}</TableCell>
              <TableCell numeric className="font-semibold">
                {amount(record.total_satang)}
              </TableCell>
            </tr>
          </TableBody>
        </Table>
      </div>
      <Cases record={record} />
      <div className="mt-5">
        <Facts of={facts} />
      </div>
    </>
  );
}

/** What the shop has to decide about the money of this order, or had to. */
function Cases({ record }: { record: RecordOf<'orders'> }) {
  return (
    <>
      {record.cases?.map((one) => (
        <CaseNote key={one.id} of={one} />
      ))}
    </>
  );
}

function CaseNote({ of }: { of: NonNullable<RecordOf<'orders'>['cases']>[number] }) {
  const { t } = useLingui();
  const sum = baht(of.amount_satang);
  const due = of.due_at ? dateTime(of.due_at) : '';
  const ended = of.closed_at ? date(of.closed_at) : '';
  const icon = <CircleAlert aria-hidden />;
  if (of.kind === 'wrong_sum') {
    return (
      <Note tone="warn" className="mt-4" icon={icon} title={t`Paid with another sum`}>
        {t`${sum} was paid at the payment company instead of what was asked for. Nothing was credited; ask the payment company.`}
      </Note>
    );
  }
  if (of.outcome) {
    return (
      <Note tone="mute" className="mt-4" icon={icon} title={t`Sent back: settled on ${ended}`}>
        {of.outcome === 'borne' ? t`The shop bore ${sum}.` : t`${sum} was covered.`}
      </Note>
    );
  }
  return (
    <Note tone="warn" className="mt-4" icon={icon} title={t`Sent back: ${sum} is not covered`}>
      {t`The payment company sent money back that no whole unused item covers. A voucher is frozen for it. On ${due} the shop bears it by itself, from what it has earned.`}
    </Note>
  );
}
