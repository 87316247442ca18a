import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Detail, query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useTexts, useTitle } from '@wlv/client/page';
import { Card } from '@wlv/ui/card';
import { Chip } from '@wlv/ui/chip';
import { amount, count, date, dateTime } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Select } from '@wlv/ui/select';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@wlv/ui/table';
import { CreditCard, type LucideIcon, QrCode } from 'lucide-react';
import { paymentMethods } from '../../record/payment-words.ts';
import { useNarrowed } from './list-of-all.tsx';

type Systems = Detail<'/api/admin/paymentsystem/list'>;
type Payments = Pick<Systems['own'][number], 'begun' | 'paid' | 'failed' | 'test' | 'last_at' | 'waits_since'>;

const spans = ['24', '168', '720'] as const;

/** The accounts through which organisations are paid, and how payments through them went lately. */
export function PaymentSystemsPage() {
  const { t } = useLingui();
  useTitle(t`Payment systems`);
  const { asked, narrow } = useNarrowed<{ hours: string }>();
  const hours = spans.find((one) => one === asked.hours) ?? '24';
  const { data, error, isPending, refetch } = useQuery({
    ...query('/api/admin/paymentsystem/list', { hours: Number(hours) }),
    refetchInterval: 60_000,
  });
  return (
    <div className="mx-auto w-full max-w-[1200px] px-4 pb-16 pt-2 sm:px-7">
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <div className="min-w-0 flex-1 basis-72">
          <h1 className="text-h1-office font-semibold">{t`Payment systems`}</h1>
          {data?.seen.oldest_at && (
            <p className="text-caption text-quiet">{t`As of ${dateTime(data.seen.oldest_at)} or later`}</p>
          )}
        </div>
        <span className="w-56">
          <Select<(typeof spans)[number]>
            size="office"
            label={t`Begun in the last`}
            value={hours}
            onChange={(next) => narrow({ hours: next === '24' ? '' : next })}
            options={[
              { value: '24', label: t`24 hours` },
              { value: '168', label: t`7 days` },
              { value: '720', label: t`30 days` },
            ]}
          />
        </span>
      </div>
      {isPending && <Skeleton className="h-96 rounded-office" />}
      {error && <Failure title={t`This did not load`} error={error} onRetry={() => void refetch()} />}
      {data && (
        <div className="grid gap-4">
          <OfPlatform of={data} />
          <OwnAccounts rows={data.own} />
          <p className="text-caption text-quiet">
            {t`Keys are sealed for each organisation and nobody reads them, not even here. They are replaced and tried on the organisation’s page.`}
          </p>
        </div>
      )}
    </div>
  );
}

function OfPlatform({ of }: { of: Systems }) {
  const { t, i18n } = useLingui();
  const icons: Record<Systems['platform'][number]['method'], LucideIcon> = { promptpay: QrCode, card: CreditCard };
  return (
    <section className="grid gap-3">
      <h2 className="font-semibold">{t`Through the platform’s account`}</h2>
      {!of.platform_account && (
        <Note tone="warn" title={t`The platform has no account at a gateway`}>
          {t`Only organisations with an account of their own are paid.`}
        </Note>
      )}
      <p className="text-quiet">
        {t`It collects for ${count(of.by_platform)} organisations.`}{' '}
        {of.without_any > 0 && t`Nobody collects for ${count(of.without_any)} organisations: they cannot be paid.`}
      </p>
      <div className="grid gap-3 sm:grid-cols-2">
        {of.platform.map((one) => {
          const Icon = icons[one.method];
          return (
            <Card office key={one.method} className="p-[18px]">
              <p className="flex flex-wrap items-center gap-2 font-semibold">
                <Icon aria-hidden className="size-5" />
                {i18n._(paymentMethods[one.method].title)}
                <Standing of={one} />
              </p>
              <p className="mt-2 text-h2-office font-semibold">{amount(one.amount_satang)}</p>
              <p className="text-caption text-quiet">
                {t`From ${count(one.organisations)} organisations`} · <Went of={one} />
              </p>
              <p className="text-caption text-quiet">
                {one.last_at ? t`Last paid ${dateTime(one.last_at)}` : t`Nothing was paid`}
              </p>
            </Card>
          );
        })}
        {of.platform.length === 0 && <p className="text-quiet">{t`Nothing was begun in this time.`}</p>}
      </div>
    </section>
  );
}

function OwnAccounts({ rows }: { rows: Systems['own'] }) {
  const { t } = useLingui();
  const text = useTexts();
  return (
    <section className="grid gap-3">
      <h2 className="font-semibold">{t`Through accounts of organisations`}</h2>
      <Card office className="overflow-clip">
        {rows.length > 0 ? (
          <Table>
            <TableHead>
              <tr>
                <TableHeader className="pl-[18px]">{t`Organisation`}</TableHeader>
                <TableHeader className="max-sm:hidden">{t`Connected`}</TableHeader>
                <TableHeader>{t({ message: 'Payments', context: 'of customers' })}</TableHeader>
                <TableHeader className="text-right max-sm:hidden">{t`Received`}</TableHeader>
                <TableHeader className="max-sm:hidden">{t`Last paid`}</TableHeader>
              </tr>
            </TableHead>
            <TableBody>
              {rows.map((row) => (
                <TableRow key={row.org_id}>
                  <TableCell className="py-2 pl-[18px]">
                    <span className="flex flex-wrap items-center gap-2">
                      <Link
                        to="/advwsadmin/organize_edit/$id"
                        params={{ id: row.org_id }}
                        className="font-medium hover:underline"
                      >
                        {text(row, 'org_name')}
                      </Link>
                      <Standing of={row} />
                    </span>
                  </TableCell>
                  <TableCell className="max-sm:hidden">{date(row.since)}</TableCell>
                  <TableCell>
                    <Went of={row} />
                  </TableCell>
                  <TableCell className="text-right max-sm:hidden">{amount(row.amount_satang)}</TableCell>
                  <TableCell className="max-sm:hidden">{row.last_at ? dateTime(row.last_at) : '–'}</TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        ) : (
          <EmptyState
            title={t`No organisation collects itself`}
            line={t`An organisation that is paid through its own account at a gateway stands here.`}
          />
        )}
      </Card>
    </section>
  );
}

/** How many payments were paid, of those that were begun. */
function Went({ of: { begun, paid, failed } }: { of: Payments }) {
  const { t } = useLingui();
  if (begun === 0) return t`Nothing begun`;
  return failed > 0
    ? t`${count(paid)} of ${count(begun)} paid, ${count(failed)} failed`
    : t`${count(paid)} of ${count(begun)} paid`;
}

/** What has to be looked at: nothing was paid of what was begun more than a quarter of an hour ago. */
function Standing({ of }: { of: Payments }) {
  const { t } = useLingui();
  const stuck =
    of.paid === 0 && (of.failed > 0 || (of.waits_since && Date.parse(of.waits_since) < Date.now() - 900_000));
  return (
    <>
      {stuck && <Chip tone="bad">{t`Nothing gets paid`}</Chip>}
      {of.test > 0 && <Chip tone="info">{t`Test mode`}</Chip>}
    </>
  );
}
