import { useLingui } from '@lingui/react/macro';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Detail, query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useTexts } from '@wlv/client/page';
import { Avatar } from '@wlv/ui/avatar';
import { Chip } from '@wlv/ui/chip';
import { amount, baht, date, dateTime } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Price } from '@wlv/ui/price';
import { Skeleton } from '@wlv/ui/skeleton';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { usePerson } from '../../access/person.ts';
import { listQuery } from '../../resource/calls.ts';
import { Facts } from '../../resource/facts.tsx';
import { useOptions } from '../../resource/names.ts';
import type { AnyRow, RecordOf, RowOf, StatusStyle } from '../../resource/resource.ts';
import { Left, orderStates, voucherStates } from '../../resource/status-labels.tsx';

/** So many stand in the drawer; the lists have them all. */
const shown = 20;

/** What one needs to know with this customer on the phone: his money, his vouchers, what he bought, who he is. */
export function CustomerFacts({ record }: { record: RecordOf<'customer'> }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const { id = '', created_at = '' } = record;
  const type = useOptions('customertype');
  const gender: Record<string, string> = { male: t`Male`, female: t`Female`, other: t`Other` };
  const facts = [
    [t`Full name`, [record.firstname, record.lastname].filter(Boolean).join(' ')],
    [t`E-mail`, record.emailaddress],
    [t`Gender`, gender[record.gender] ?? ''],
    [t`First came`, dateTime(created_at)],
    [t`Came by`, type.label(record.customer_type)],
    [t`Signs in`, record.status === 5 ? t`With LINE` : t`Not while suspended`],
    [t`Referral code`, record.referercode],
    [t`Agent`, record.agent ? t`Yes, sells for commission` : t`No`],
  ] as const;
  return (
    <div className="grid grid-cols-1 gap-6">
      <div className="flex items-center gap-4 rounded-touch bg-muted p-4">
        <Avatar src={record.pictureUrl} size={52} />
        <p className="min-w-0 flex-1 truncate text-h2 font-semibold">{record.displayName || '–'}</p>
        {can('wallettransaction', 'v') && <Balance customer={id} />}
      </div>
      {can('wallettransaction', 'v') && <Debt customer={id} />}
      {can('voucher', 'v') && <Vouchers customer={id} />}
      {can('soldtransaction', 'v') && <Orders customer={id} />}
      <section>
        <h3 className="text-base font-semibold">{t`About this customer`}</h3>
        <Facts of={facts} />
      </section>
    </div>
  );
}

function Balance({ customer }: { customer: string }) {
  const { t } = useLingui();
  const wallet = useQuery(query('/api/owner/customer/wallet', { id: customer }));
  return (
    <div className="shrink-0 text-right">
      <p className="text-caption text-quiet">{t`In the wallet`}</p>
      <div className="text-h2 font-semibold">
        {wallet.isPending && <Skeleton className="ml-auto h-6 w-24" />}
        {wallet.isError && '–'}
        {wallet.data && <Price satang={wallet.data.balance_satang} />}
      </div>
      {wallet.isError && <p className="text-caption text-bad-text">{t`This did not load`}</p>}
    </div>
  );
}

/** What this customer owes after money went back to him, and why. */
function Debt({ customer }: { customer: string }) {
  const { t } = useLingui();
  const wallet = useQuery(query('/api/owner/customer/wallet', { id: customer }));
  const { owes = [], debt_satang = 0 } = wallet.data ?? {};
  if (!owes.length) return null;
  const debt = baht(debt_satang);
  return (
    <Note
      tone="warn"
      icon={<CircleAlert aria-hidden />}
      title={debt_satang > 0 ? t`Owes ${debt}` : t`Vouchers are frozen for money that went back`}
    >
      <ul className="mt-1 grid gap-1">
        {owes.map((one) => (
          <li key={one.reference}>
            <Owes of={one} />
          </li>
        ))}
      </ul>
      {debt_satang > 0 && (
        <p className="mt-1">{t`Until it is paid, this customer cannot buy. The next money that comes into the wallet pays it.`}</p>
      )}
    </Note>
  );
}

function Owes({ of }: { of: Detail<'/api/owner/customer/wallet'>['owes'][number] }) {
  const { t } = useLingui();
  const sum = baht(of.owed_satang);
  const { reference } = of;
  return of.reason === 'dispute'
    ? t`${reference}: the bank holds the payment back, ${sum} of it is not covered.`
    : t`${reference}: the payment company sent money back, ${sum} of it is not covered.`;
}

function Vouchers({ customer }: { customer: string }) {
  const { t } = useLingui();
  const text = useTexts();
  const list = useQuery(listQuery('voucher', { filter: { holder_id: customer }, sort: '-issued_at', limit: shown }));
  return (
    <Section screen="voucherlist" list={list} title={t`Vouchers`} empty={t`No voucher in hand yet`}>
      {(row) => {
        const one = row as RowOf<'voucher'>;
        return {
          title: text(one, 'name'),
          line: one.valid_until ? t`${one.code} · until ${date(one.valid_until)}` : (one.code ?? ''),
          end: <Left row={one} />,
          look: voucherStates[one.state ?? ''],
        };
      }}
    </Section>
  );
}

function Orders({ customer }: { customer: string }) {
  const { t } = useLingui();
  const list = useQuery(listQuery('orders', { filter: { customer_id: customer }, sort: '-created_at', limit: shown }));
  return (
    <Section screen="soldtransaction" list={list} title={t`Orders`} empty={t`Nothing bought yet`}>
      {(row) => {
        const one = row as RowOf<'orders'>;
        return {
          title: one.number ?? '',
          line: one.created_at ? dateTime(one.created_at) : '',
          end: <span className="font-medium">{amount(one.total_satang ?? 0)}</span>,
          look: one.state && orderStates[one.state],
        };
      }}
    </Section>
  );
}

/** The newest of a list that belong to this customer, each a way to its record. */
function Section({
  screen,
  list,
  title,
  empty,
  children,
}: {
  screen: string;
  list: UseQueryResult<{ data: AnyRow[]; total: number }>;
  title: string;
  empty: string;
  children: (row: AnyRow) => { title: string; line: string; end: ReactNode; look: StatusStyle | undefined };
}) {
  const { t, i18n } = useLingui();
  const rows = list.data?.data ?? [];
  const total = list.data?.total ?? 0;
  return (
    <section>
      <h3 className="mb-1 flex items-baseline gap-2 text-base font-semibold">
        {title}
        {list.data && (
          <span className="text-caption font-normal text-quiet">
            {total > rows.length ? t`The newest ${rows.length} of ${total}` : total}
          </span>
        )}
      </h3>
      {list.isPending && <Skeleton className="h-24" />}
      {list.isError && <Failure title={t`This did not load`} error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && !rows.length && <p className="py-2 text-quiet">{empty}</p>}
      <ul className="divide-y">
        {rows.map((row) => {
          const { title: name, line, end, look } = children(row);
          return (
            <li key={row.id} className="relative flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
              <div className="min-w-0 flex-1 basis-44">
                <Link
                  to="/owner/$screen/$id"
                  params={{ screen, id: String(row.id) }}
                  className="block truncate font-medium text-foreground after:absolute after:inset-0"
                >
                  {name}
                </Link>
                <p className="truncate text-caption text-quiet">{line}</p>
              </div>
              {end}
              {look && <Chip tone={look.tone}>{i18n._(look.title)}</Chip>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
