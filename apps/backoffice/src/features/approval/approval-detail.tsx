import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call, type Detail, query } from '@wlv/client/call';
import { callOnce } from '@wlv/client/call-once';
import { FaultNote } from '@wlv/client/fault-note';
import { type AnyFault, faultSentence } from '@wlv/client/faults';
import { Avatar } from '@wlv/ui/avatar';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Chip } from '@wlv/ui/chip';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { Field } from '@wlv/ui/field';
import { amount, baht, count, date, dateTime } from '@wlv/ui/format';
import { Textarea } from '@wlv/ui/input';
import { Note } from '@wlv/ui/note';
import { Price } from '@wlv/ui/price';
import { Skeleton } from '@wlv/ui/skeleton';
import { toast } from '@wlv/ui/toast';
import { clsx } from 'clsx';
import { ArrowLeft, ArrowRight, Check, CircleAlert, Clock } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { voucherStates } from '../../resource/status-labels.tsx';
import { approvalStates, useKindName } from './approval-words.ts';

type Shown = Detail<'/api/owner/approval/detail'>;
type Change = Shown['changes'][number];

/** One request whole: who asks for what and why, all that would change, and the answer at its foot. */
export function ApprovalDetail({
  id,
  alone,
  onAnswered,
}: {
  id: string;
  /** A phone shows it without the list. */
  alone: boolean;
  onAnswered: () => void;
}) {
  const { t, i18n } = useLingui();
  const name = useKindName();
  const { data, error } = useQuery(query('/api/owner/approval/detail', { id }));
  if (error) return <FaultNote error={error} />;
  if (!data) return <Skeleton className="h-80 w-full rounded-touch" />;
  const { record, changes, fault } = data;
  const state = approvalStates[record.state];
  const asked = dateTime(record.asked_at);
  return (
    <Card office className={alone ? 'min-w-0' : 'min-w-0 max-lg:hidden'}>
      <div className="grid gap-5 p-5">
        <Link
          to="/owner/$screen"
          params={{ screen: 'approval' }}
          className="inline-flex items-center gap-2 text-brand-text lg:hidden"
        >
          <ArrowLeft aria-hidden className="size-4" />
          {t`All requests`}
        </Link>
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0">
            <p className="text-muted-foreground">
              <About of={data} />
            </p>
            {record.amount_satang > 0 ? (
              <h2 className="text-h1 font-semibold">
                <Price satang={record.amount_satang} />
              </h2>
            ) : (
              <h2 className="text-h2 font-semibold">{name(record)}</h2>
            )}
          </div>
          <Chip tone={state.tone}>{i18n._(state.title)}</Chip>
        </div>
        <div className="flex gap-3">
          <Avatar src={null} size={36} />
          <div className="rounded-touch bg-muted px-3.5 py-2.5">
            <p className="text-caption text-quiet">{t`${record.asked_by_name} · ${asked}`}</p>
            <p className="wrap-break-word">{record.note || t`No reason was written.`}</p>
          </div>
        </div>
        {fault && (
          <Note tone="warn" icon={<CircleAlert aria-hidden />} title={t`It cannot be done as it was asked for`}>
            {faultSentence(i18n, fault as AnyFault)} {t`Refuse it, or wait until that has changed.`}
          </Note>
        )}
        {changes.length > 0 && <Changes of={changes} />}
        <Ended of={data} />
      </div>
      <Foot of={data} onAnswered={onAnswered} />
    </Card>
  );
}

/** Whom and what it is about, with their records. */
function About({ of: { record } }: { of: Shown }) {
  const { t } = useLingui();
  if (record.kind === 'rule') return t`From now on one person would do`;
  if (record.kind === 'void')
    return (
      <Trans>
        Cancel the voucher{' '}
        <To screen="voucherlist" module="voucher" id={record.record_id}>
          {record.title}
        </To>{' '}
        of{' '}
        <To screen="customerlist" module="customer" id={record.customer_id}>
          {record.customer_name || '–'}
        </To>
      </Trans>
    );
  if (record.kind === 'extend') return t`Several vouchers at once, each by itself`;
  if (record.kind === 'goodwill')
    return (
      <Trans>
        Money back to{' '}
        <To screen="customerlist" module="customer" id={record.customer_id}>
          {record.customer_name || '–'}
        </To>{' '}
        for a use of {record.title}
      </Trans>
    );
  if (record.kind === 'points')
    return (
      <Trans>
        Points of{' '}
        <To screen="memberlist" module="memberlist" id={record.record_id}>
          {record.customer_name || '–'}
        </To>
      </Trans>
    );
  if (record.kind === 'cashout')
    return (
      <Trans>
        Money of the Wallet for{' '}
        <To screen="customerlist" module="customer" id={record.customer_id}>
          {record.customer_name || '–'}
        </To>
        , asked for as{' '}
        <To screen="cashout" module="wallettransaction" id={record.record_id}>
          {record.title}
        </To>
      </Trans>
    );
  if (record.kind === 'payout')
    return (
      <Trans>
        Pay out by the run{' '}
        <To screen="paycommissiontransaction" module="paycommissiontransaction" id={record.record_id}>
          {record.title}
        </To>
      </Trans>
    );
  if (record.kind === 'denial')
    return (
      <Trans>
        Do not pay the commission that is on hold of the order{' '}
        <To screen="commissionholdlist" module="agent" id={record.record_id}>
          {record.title}
        </To>
      </Trans>
    );
  if (record.kind === 'tax_return')
    return (
      <Trans>
        That the tax file{' '}
        <To screen="taxreturnlist" module="paycommissiontransaction" id={record.record_id}>
          {record.title}
        </To>{' '}
        was filed
      </Trans>
    );
  if (record.kind === 'bank_transfer')
    return (
      <Trans>
        What became of the transfer to{' '}
        <To screen="customerlist" module="customer" id={record.customer_id}>
          {record.customer_name || '–'}
        </To>
        , for the refund{' '}
        <To screen="banktransfer" module="voucher" id={record.record_id}>
          {record.title}
        </To>
      </Trans>
    );
  if (record.kind === 'write_off')
    return (
      <Trans>
        Write off what{' '}
        <To screen="customerlist" module="customer" id={record.customer_id}>
          {record.customer_name || '–'}
        </To>{' '}
        owes for the payment{' '}
        <To screen="depositqrtransaction" module="depositqrtransaction" id={record.record_id}>
          {record.title}
        </To>
      </Trans>
    );
  return (
    <Trans>
      Refund to{' '}
      <To screen="customerlist" module="customer" id={record.customer_id}>
        {record.customer_name || '–'}
      </To>{' '}
      from{' '}
      <To
        screen={record.kind === 'refund_request' ? 'refundrequest' : 'orderlist'}
        module={record.kind === 'refund_request' ? 'voucher' : 'soldtransaction'}
        id={record.record_id}
      >
        {record.title}
      </To>
    </Trans>
  );
}

/** A name that leads to its record; plain words for who may not see it. */
function To({
  screen,
  module,
  id,
  children,
}: {
  screen: string;
  module: string;
  id: string | null;
  children: ReactNode;
}) {
  const { can } = usePerson();
  if (!id || !can(module, 'v')) return <span>{children}</span>;
  return (
    <Link to="/owner/$screen/$id" params={{ screen, id }} className="font-medium text-brand-text hover:underline">
      {children}
    </Link>
  );
}

/** All that changes, before and after. */
function Changes({ of }: { of: Change[] }) {
  const { t } = useLingui();
  const name = useChangeName();
  const value = useValue();
  return (
    <section>
      <h3 className="mb-2 text-base font-semibold">{t`What changes if it is approved`}</h3>
      <table className="w-full rounded-touch shadow-[inset_0_0_0_1px_var(--line)]">
        <thead className="text-caption text-quiet">
          <tr>
            <th className="px-2 py-2 sm:px-3.5 text-left font-normal">{t`What`}</th>
            <th className="px-2 py-2 sm:px-3.5 text-right font-normal">{t`Now`}</th>
            <th className="w-6" aria-hidden />
            <th className="px-2 py-2 sm:px-3.5 text-right font-normal">{t`Afterwards`}</th>
          </tr>
        </thead>
        <tbody className="divide-y">
          {of.map((change) => (
            <tr key={`${change.what}-${change.name}`}>
              <td
                className={clsx(
                  'px-2 py-2.5 wrap-anywhere sm:px-3.5',
                  change.what === 'voucher' && 'max-sm:text-caption', // else a code is one letter too long for a phone
                )}
              >
                {name(change)}
              </td>
              <td className="px-2 py-2.5 sm:px-3.5 text-right text-quiet">{value(change, change.before)}</td>
              <td>
                <ArrowRight aria-hidden className="size-4 text-quiet" />
              </td>
              <td className="px-2 py-2.5 sm:px-3.5 text-right font-semibold">{value(change, change.after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The first and the last day of a closure, as "2026-11-02/2026-11-05". */
const closedDays = (range: string) => range.split('/').filter(Boolean).map(date).join(' – ');

function useChangeName() {
  const { t } = useLingui();
  return ({ what, name }: Change) =>
    ({
      wallet: t`Wallet of ${name || '–'}`,
      unearned: t`The shop's money that is not earned yet`,
      commission: t`Commission that ${name} waits for`,
      payable: t`What the shop has earned`,
      debt: t`What ${name || '–'} owes`,
      fee: t`Platform fee of the order`,
      owed: t`What customers owe for money asked back`,
      leaving: t`Refunds on their way to cards and bank accounts`,
      voucher: t`Voucher ${name}`,
      extended: t`Vouchers that are extended until ${what === 'extended' ? date(name) : ''}`,
      run: t`Run ${name}`,
      tax_return: t`Tax by the receipt ${name}`,
      points: t`Points of ${name || '–'}`,
      days_returned: t`Vouchers that are given the closed days ${closedDays(what === 'days_returned' ? name : '')} back`,
      rule: name === 'extend' ? t`Extensions of many vouchers that need two people` : t`Refunds that need two people`,
    })[what];
}

function useValue() {
  const { t, i18n } = useLingui();
  return (change: Change, { amount_satang: satang, state, items }: Change['before']) => {
    if (change.what === 'voucher') {
      const title = voucherStates[state]?.title;
      const said = title ? i18n._(title) : state;
      return change.before.state === change.after.state ? t`${items} left` : said;
    }
    if (change.what === 'run') {
      const sum = amount(satang);
      const people = t`${plural(items, { one: '# person', other: '# people' })}, ${sum}`;
      return state === 'draft' ? t`Draft: ${people}` : t`Approved: ${people}`;
    }
    if (change.what === 'tax_return') {
      const sum = amount(satang);
      return state === 'filed' ? t`Filed: ${sum}` : t`Not filed: ${sum}`;
    }
    if (change.what === 'extended' || change.what === 'days_returned' || change.what === 'points') return count(items);
    if (change.what === 'rule') {
      if (state !== 'on') return t`none`;
      return change.name === 'extend' ? t`above ${count(items)} vouchers` : t`above ${baht(satang)}`;
    }
    return amount(satang);
  };
}

/** Who answered, and what. */
function Ended({ of: { record } }: { of: Shown }) {
  const { t } = useLingui();
  if (record.state === 'waiting') {
    const due = dateTime(record.due_at);
    return (
      <p className="flex items-center gap-2 text-caption text-quiet">
        <Clock aria-hidden className="size-4 shrink-0" />
        {record.kind === 'payout'
          ? t`Lapses by itself on ${due}. Until then nobody is paid, and the draft stays as it is.`
          : record.kind === 'tax_return'
            ? t`Lapses by itself on ${due}. Until then the tax counts as not filed.`
            : record.kind === 'denial'
              ? t`Lapses by itself on ${due}. Until then the commission stays on hold.`
              : record.kind === 'points'
                ? t`Lapses by itself on ${due}. Until then no point moves.`
                : t`Lapses by itself on ${due}. Until then nothing is held: the customer can use the vouchers.`}
      </p>
    );
  }
  const at = record.answered_at ? dateTime(record.answered_at) : '';
  const words = {
    approved: record.alone
      ? t`${record.answered_by_name} approved the own request on ${at}, because nobody else could`
      : t`${record.answered_by_name} approved it on ${at}`,
    refused: t`${record.answered_by_name} refused it on ${at}`,
    withdrawn: t`${record.answered_by_name} withdrew it on ${at}`,
    lapsed: t`Nobody answered in time: it lapsed on ${at}`,
  };
  return (
    <div className="grid gap-1.5">
      <p>{words[record.state]}</p>
      {record.answer && <p className="text-muted-foreground">“{record.answer}”</p>}
    </div>
  );
}

/** The answer, for who may give one. */
function Foot({ of, onAnswered }: { of: Shown; onAnswered: () => void }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const { record, may, fault } = of;
  const [refuses, setRefuses] = useState(false);
  const settled = () => {
    onAnswered();
    return client.invalidateQueries({ predicate: ({ queryKey }) => answered.test(String(queryKey[0])) });
  };
  const approve = useMutation({
    mutationFn: () => callOnce('/api/owner/approval/approve', { id: record.id }),
    onSuccess: () => toast({ tone: 'ok', title: t`Approved, and done` }),
    onSettled: settled, // also after a refusal: something has changed meanwhile
  });
  const withdraw = useMutation({
    mutationFn: () => call('/api/owner/approval/withdraw', { id: record.id }),
    onSuccess: () => toast({ tone: 'ok', title: t`Withdrawn` }),
    onSettled: settled,
  });
  if (record.state !== 'waiting') return null;
  const sum = baht(record.amount_satang);
  return (
    <div className="grid gap-3 border-t px-5 py-4">
      <FaultNote error={approve.error ?? withdraw.error} />
      <div className="flex flex-wrap items-center justify-end gap-2.5">
        <p className="mr-auto text-caption text-quiet">
          {may === 'answer' && (
            <span className="flex items-center gap-1.5 max-lg:hidden">
              <Key>J</Key>
              <Key>K</Key>
              {t`next and previous`}
            </span>
          )}
          {may === 'withdraw' && t`You asked for this. Another person has to answer.`}
          {may === 'tomorrow' && t`Nobody else may answer. Sign in anew tomorrow, and approve it then.`}
          {may === 'alone' && t`Nobody else may answer. The record will say that you approved your own request.`}
          {may === 'nothing' && t`You may not answer this.`}
        </p>
        {(may === 'withdraw' || may === 'tomorrow' || may === 'alone') && (
          <Button size="office" variant="outline" disabled={withdraw.isPending} onClick={() => withdraw.mutate()}>
            {t`Withdraw`}
          </Button>
        )}
        {may === 'answer' && (
          <Button size="office" variant="outline" onClick={() => setRefuses(true)}>
            {t`Refuse`}
          </Button>
        )}
        {(may === 'answer' || may === 'alone') && (
          <Button size="office" disabled={Boolean(fault) || approve.isPending} onClick={() => approve.mutate()}>
            <Check aria-hidden />
            {record.kind === 'refund'
              ? t`Approve and refund ${sum}`
              : record.kind === 'void'
                ? t`Approve and cancel it`
                : record.kind === 'cashout'
                  ? t`Approve and pay ${sum} out`
                  : record.kind === 'goodwill'
                    ? t`Approve and give ${sum} back`
                    : record.kind === 'write_off'
                      ? t`Approve and write ${sum} off`
                      : record.kind === 'payout'
                        ? t`Approve ${sum}`
                        : record.kind === 'tax_return'
                          ? t`Confirm that ${sum} was filed`
                          : record.kind === 'denial'
                            ? t`Approve, and do not pay ${sum}`
                            : t`Approve`}
          </Button>
        )}
      </div>
      <Dialog open={refuses} onOpenChange={setRefuses}>
        {refuses && (
          <Refuse id={record.id} name={record.asked_by_name} onDone={() => setRefuses(false)} onSettled={settled} />
        )}
      </Dialog>
    </div>
  );
}

/** An answer changes records, lists and figures. */
const answered = /^\/api\/owner\/(approval|story|get|dashboard|setting\/approval)/;

function Key({ children }: { children: string }) {
  return <kbd className="rounded-small px-1.5 shadow-[inset_0_0_0_1px_var(--line)]">{children}</kbd>;
}

function Refuse({
  id,
  name,
  onDone,
  onSettled,
}: {
  id: string;
  name: string;
  onDone: () => void;
  onSettled: () => void;
}) {
  const { t } = useLingui();
  const [reason, setReason] = useState('');
  const [asked, setAsked] = useState(false);
  const refuse = useMutation({
    mutationFn: () => call('/api/owner/approval/refuse', { id, reason: reason.trim() }),
    onSuccess: () => {
      toast({ tone: 'ok', title: t`Refused` });
      onDone();
    },
    onSettled,
  });
  return (
    <DialogContent
      title={t`Refuse it?`}
      description={t`Nothing changes. ${name} reads why.`}
      foot={
        <div className="flex justify-end gap-2.5">
          <Button size="office" variant="outline" onClick={onDone}>{t`Leave it`}</Button>
          <Button
            size="office"
            disabled={refuse.isPending}
            onClick={() => (reason.trim() ? refuse.mutate() : setAsked(true))}
          >
            {t`Refuse`}
          </Button>
        </div>
      }
    >
      <FaultNote error={refuse.error} />
      <Field label={t`Why`} error={asked && !reason.trim() ? t`Write why` : undefined}>
        <Textarea value={reason} maxLength={300} rows={3} onChange={(change) => setReason(change.target.value)} />
      </Field>
    </DialogContent>
  );
}
