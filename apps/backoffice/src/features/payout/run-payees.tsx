import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useBankName } from '@wlv/client/bank';
import { pages } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { FaultNote } from '@wlv/client/fault-note';
import { Card } from '@wlv/ui/card';
import { Chip } from '@wlv/ui/chip';
import { amount, count, date } from '@wlv/ui/format';
import { Skeleton } from '@wlv/ui/skeleton';
import { clsx } from 'clsx';
import { CircleX, Pause, Undo2 } from 'lucide-react';
import { useMemo } from 'react';
import { RecordLink } from '../../record/record-link.tsx';
import { listQuery } from '../../resource/calls.ts';
import { text } from '../../resource/cells.tsx';
import { ListCards } from '../../resource/list-cards.tsx';
import { Views } from '../../resource/list-screen.tsx';
import { ListTable } from '../../resource/list-table.tsx';
import { useListing } from '../../resource/listing.ts';
import { Paging } from '../../resource/paging.tsx';
import type { AnyResource, Column } from '../../resource/resource.ts';
import { MoreButton } from '../../shell/more-button.tsx';
import { payouts } from './payout.table.tsx';
import { isAnswered, type Payout, payoutStates, type RunKind, type RunStory, useLeftOut } from './payout-states.ts';
import { SayOf } from './say-payout.tsx';

const paid = ['ready', 'booked', 'sent', 'paid', 'failed', 'returned'];

/** The payouts of one run as a list: what each is made of before it is sent, what became of each afterwards. */
function payeesOf(run: string, kind: RunKind, answered: boolean): AnyResource {
  const refunds = kind === 'refund';
  const money: Column<Payout>[] = [
    { name: 'gross_satang', title: msg`Commission`, cell: Earned, numeric: true },
    { name: 'taken_back_satang', title: msg`Carried over`, cell: TakenBack, numeric: true },
    { name: 'withheld_satang', title: msg`Tax withheld`, cell: Withheld, numeric: true },
  ];
  const answer: Column<Payout>[] = [
    { name: 'id', title: msg({ message: 'By hand', context: 'what is said of a payout' }), cell: SayOf },
  ];
  return {
    ...payouts,
    title: refunds ? msg`Customer` : msg({ message: 'Payee', context: 'who is paid' }),
    columns: [
      {
        name: 'account_digits',
        title: msg({ message: 'Account', context: 'of a bank' }),
        cell: Account,
        card: 'what',
      },
      ...(refunds ? [text<Payout>('number', msg`Refund`, { sorts: false })] : answered ? [] : money),
      {
        name: 'net_satang',
        title: msg({ message: 'Transfer', context: 'the sum of a payout' }),
        cell: answered ? NetAndDay : Net,
        cardCell: Net,
        numeric: true,
        card: 'amount',
      },
      ...(answered ? answer : []),
    ],
    filters: [],
    look: answered ? payouts.look : undefined,
    views: [
      { title: msg({ message: 'All', context: 'payouts' }), filter: { run_id: run, state: paid } },
      ...(answered
        ? [
            {
              title: msg({ message: 'Paid', context: 'a payout' }),
              filter: { run_id: run, state: ['paid'] },
            },
            {
              title: msg({ message: 'Not paid', context: 'a payout' }),
              filter: { run_id: run, state: ['failed', 'returned'] },
            },
            {
              title: msg({ message: 'No answer yet', context: 'payouts' }),
              filter: { run_id: run, state: ['booked', 'sent'] },
            },
          ]
        : []),
    ],
  } as AnyResource;
}

/** Whom a run pays, page by page. */
export function RunPayees({ story: { record } }: { story: RunStory }) {
  const { t } = useLingui();
  const answered = isAnswered(record);
  const resource = useMemo(() => payeesOf(record.id, record.kind, answered), [record.id, record.kind, answered]);
  const listing = useListing(resource);
  // In the order in which they were computed, which is that of the bank's file. The first tab has no name in the address.
  const filter = listing.body.filter ?? resource.views?.[0]?.filter ?? {};
  const list = useQuery({
    ...listQuery('payout', { ...listing.body, filter, sort: 'id' }),
    placeholderData: keepPreviousData,
  });
  const rows = list.data?.data ?? [];
  return (
    <Card office className={clsx('min-w-0 overflow-clip', list.isPlaceholderData && 'opacity-60')}>
      <h2 className="sr-only">{t`Who is paid`}</h2>
      {answered && (
        <div className="px-[18px] pt-1 [&>*]:mb-0">
          <Views resource={resource} listing={listing} />
        </div>
      )}
      {list.isError ? (
        <Failure title={t`The list did not load`} error={list.error} onRetry={() => void list.refetch()} />
      ) : list.isPending ? (
        <Skeleton className="m-4 h-40" />
      ) : rows.length ? (
        <>
          <ListTable resource={resource} listing={listing} rows={rows} />
          <ListCards resource={resource} listing={listing} rows={rows} />
          <Paging
            listing={listing}
            shown={rows.length}
            next={list.data.next}
            total={list.data.total}
            at={list.dataUpdatedAt}
          />
        </>
      ) : (
        <p className="px-[18px] py-6 text-quiet">
          {listing.params.view ? t`Nobody here` : t`Nobody can be paid by this run.`}
        </p>
      )}
    </Card>
  );
}

function Account({ row: { bank = '', account_digits: digits } }: { row: Payout }) {
  const name = useBankName()(bank);
  return <span className="whitespace-nowrap">{digits ? `${name} x-${digits}` : '–'}</span>;
}

/** What was earned, before what was taken back. */
function Earned({ row: { gross_satang: gross = 0, taken_back_satang: back = 0 } }: { row: Payout }) {
  return <span className="font-normal">{amount(gross - back)}</span>;
}

function TakenBack({ row: { taken_back_satang: satang = 0 } }: { row: Payout }) {
  return satang ? amount(satang) : <span className="text-quiet">–</span>;
}

function Withheld({ row: { withheld_satang: satang = 0 } }: { row: Payout }) {
  return <span className="font-normal text-muted-foreground">{satang ? amount(-satang) : '–'}</span>;
}

function Net({ row: { net_satang: satang = 0 } }: { row: Payout }) {
  return <span className="font-semibold">{amount(satang)}</span>;
}

/** With the day on which it was paid, as somebody has said. */
function NetAndDay({ row }: { row: Payout }) {
  const { t } = useLingui();
  const day = row.paid_on ? date(row.paid_on) : '';
  return (
    <>
      <Net row={row} />
      {day && <span className="block text-caption font-normal text-quiet">{t`paid ${day}`}</span>}
    </>
  );
}

/** Payouts of a run in some states, a page more at a time. */
function useSome(run: string, state: NonNullable<Payout['state']>[], limit: number) {
  const list = useInfiniteQuery(pages('/api/owner/get/payout', { filter: { run_id: run, state }, sort: 'id', limit }));
  return { list, rows: list.data?.pages.flatMap(({ data }) => data) ?? [] };
}

/** Who was not paid, or from whom it came back, before everybody else: why, and where the money is. */
export function NotPaid({ story: { record } }: { story: RunStory }) {
  return record.failed_count > 0 ? <Failed run={record.id} /> : null;
}

function Failed({ run }: { run: string }) {
  const { t, i18n } = useLingui();
  const { list, rows } = useSome(run, ['failed', 'returned'], 10);
  if (list.isError) return <FaultNote error={list.error} />;
  return (
    <section className="grid gap-3">
      <h2 className="sr-only">{t`Who was not paid`}</h2>
      {list.isPending && <Skeleton className="h-28 rounded-office" />}
      {rows.map((row) => {
        const { net_satang: net = 0, gross_satang: gross = 0, withheld_satang: tax = 0 } = row;
        const [sum, all, withheld] = [net, gross, tax].map(amount);
        const state = payoutStates[row.state === 'returned' ? 'returned' : 'failed'];
        return (
          <Card
            key={row.id}
            office
            className="flex items-start gap-4 px-[18px] py-4 shadow-[inset_0_0_0_2px_var(--bad)]!"
          >
            <span className="grid size-9 shrink-0 place-items-center rounded-control bg-bad-soft text-bad-text">
              <CircleX aria-hidden className="size-5" />
            </span>
            <div className="min-w-0 flex-1">
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <RecordLink table="payout" id={row.id}>
                  {row.payee_name || '–'}
                </RecordLink>
                <span className="text-quiet">{row.reference}</span>
                <Chip tone={state.tone}>{i18n._(state.title)}</Chip>
                <span className="ml-auto text-base font-semibold">{sum}</span>
              </div>
              <p>{row.reason}</p>
              <p className="mt-1.5 flex items-start gap-2 text-muted-foreground">
                <Undo2 aria-hidden className="mt-0.5 size-4 shrink-0" />
                {row.run_kind === 'refund'
                  ? t`${sum} is in the Wallet, and pays first what the customer owes. The customer can ask for it again.`
                  : row.state === 'failed'
                    ? t`Commission of ${all} went back and can be paid by the next run. Of this payout nothing is withheld.`
                    : tax > 0
                      ? t`${sum} went back and can be paid by the next run. The tax of ${withheld} stays withheld and is not taken again.`
                      : t`${sum} went back and can be paid by the next run.`}
              </p>
            </div>
          </Card>
        );
      })}
      <MoreButton of={list} />
    </section>
  );
}

/** Who is not paid by this run though there is something to pay, or to settle: each with the reason. */
export function LeftOut({ story }: { story: RunStory }) {
  return story.record.left_out_count > 0 ? <Out story={story} /> : null;
}

function Out({ story: { record, minimum_satang: minimum, left_out_satang: sum } }: { story: RunStory }) {
  const { t } = useLingui();
  const why = useLeftOut();
  const { list, rows } = useSome(record.id, ['left_out'], 20);
  const people = count(record.left_out_count);
  return (
    <Card office className="px-[18px] py-4">
      <div className="flex items-center gap-2.5">
        <Pause aria-hidden className="size-[18px] text-warn-text" />
        <h2 className="flex-1 text-base font-semibold">{t`Left out: ${people}`}</h2>
        <span className="font-semibold">{amount(sum)}</span>
      </div>
      {list.isError && <FaultNote error={list.error} />}
      {list.isPending && <Skeleton className="mt-3 h-16" />}
      <ul className="mt-1 divide-y">
        {rows.map((row) => (
          <li key={row.id} className="flex items-baseline justify-between gap-4 py-2.5">
            <span className="min-w-0">
              <RecordLink table="payout" id={row.id}>
                {row.payee_name || '–'}
              </RecordLink>
              <span className="block text-caption text-muted-foreground">{why(row, minimum)}</span>
            </span>
            <span className="text-muted-foreground">{amount(row.gross_satang ?? 0)}</span>
          </li>
        ))}
      </ul>
      <MoreButton of={list} />
    </Card>
  );
}
