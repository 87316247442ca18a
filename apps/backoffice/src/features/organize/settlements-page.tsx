import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { type Body, call, type Detail, query, type Row } from '@wlv/client/call';
import { saveFile } from '@wlv/client/download';
import { Failure } from '@wlv/client/failure';
import { FaultNote } from '@wlv/client/fault-note';
import { useTexts, useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Chip } from '@wlv/ui/chip';
import { DateInput } from '@wlv/ui/date-input';
import { Dialog } from '@wlv/ui/dialog';
import { Field } from '@wlv/ui/field';
import { amount, date, dateTime } from '@wlv/ui/format';
import { Textarea } from '@wlv/ui/input';
import { MoneyInput } from '@wlv/ui/money-input';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { ReadResult } from '../../payee/read-result.tsx';
import { Question } from '../../record/question.tsx';
import { Facts } from '../../resource/facts.tsx';
import { leftOutWords, paymentStates, runStates } from './settlement-words.ts';

type Run = Row<'/api/admin/settlement/list'>;
type Story = Detail<'/api/admin/settlement/detail'>;

const changes = /^\/api\/admin\/settlement\b/;

/** Runs that pay organisations what they have earned, and one of them where the address names it. */
export function SettlementsPage() {
  const { t } = useLingui();
  useTitle(t`Payments to organisations`);
  const { run } = useSearch({ strict: false }) as { run?: string };
  return (
    <div className="mx-auto grid w-full max-w-[1000px] grid-cols-1 gap-5 px-4 pb-16 pt-6 sm:px-7">
      {run ? <OneRun key={run} id={run} /> : <Runs />}
    </div>
  );
}

/** Makes a change of a run, after which runs are read anew. */
function useChange<In>(make: (input: In) => Promise<unknown>, onDone?: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: make,
    onSuccess: () => onDone?.(),
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => changes.test(String(queryKey[0])) }),
  });
}

function Runs() {
  const { t, i18n } = useLingui();
  const { can } = usePerson();
  const [drafts, setDrafts] = useState(false);
  const list = useQuery(query('/api/admin/settlement/list', {}));
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-80">
          <h1 className="text-h1-office font-semibold">{t`Payments to organisations`}</h1>
          <p className="text-muted-foreground">
            {t`What organisations have earned and the platform’s gateway account holds. One admin drafts a run, another approves it.`}
          </p>
        </div>
        {can('payment', 'i') && <Button size="office" onClick={() => setDrafts(true)}>{t`Draft a run`}</Button>}
      </div>
      {list.isPending && <Skeleton className="h-40 rounded-card" />}
      {list.isError && <Failure title={t`This did not load`} error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.data.length === 0 && (
        <Card office>
          <EmptyState title={t`No run yet`} line={t`Draft one when there is something to pay out.`} />
        </Card>
      )}
      {!!list.data?.data.length && (
        <Card office className="overflow-clip">
          <ul className="divide-y">
            {list.data.data.map((one) => (
              <li key={one.id}>
                <Link
                  to="/advwsadmin/settlement_list"
                  search={{ run: one.id }}
                  className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3 hover:bg-tint"
                >
                  <span className="min-w-0 flex-1 basis-60">
                    <span className="block font-medium">{one.number}</span>
                    <span className="block text-caption text-quiet">
                      {t`up to ${date(one.up_to)}, paid on ${date(one.pay_day)}`}
                    </span>
                  </span>
                  <span className="font-medium">{amount(one.sum_satang)}</span>
                  <Chip tone={runStates[one.state].tone}>{i18n._(runStates[one.state].title)}</Chip>
                </Link>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Dialog open={drafts} onOpenChange={setDrafts}>
        {drafts && <DraftRun onDone={() => setDrafts(false)} />}
      </Dialog>
    </>
  );
}

type Draft = Body<'/api/admin/settlement/draft'>;

function DraftRun({ onDone }: { onDone: () => void }) {
  const { t } = useLingui();
  const [draft, setDraft] = useState<Draft>({ up_to: '', pay_day: '', minimum_satang: 100_00 });
  const send = useChange(() => call('/api/admin/settlement/draft', draft), onDone);
  const whole = draft.up_to && draft.pay_day && draft.minimum_satang > 0;
  return (
    <Question
      title={t`Draft a run`}
      line={t`What may still be objected to, and what was earned later, waits for the next run.`}
      keep={t`Cancel`}
      button={t`Draft it`}
      disabled={!whole}
      of={send}
      onYes={() => send.mutate(undefined)}
      onDone={onDone}
    >
      <Field label={t`Earned by the end of`}>
        <DateInput value={draft.up_to || null} onChange={(day) => setDraft((was) => ({ ...was, up_to: day ?? '' }))} />
      </Field>
      <Field label={t`Pay day`} help={t`A bank day after today`}>
        <DateInput
          value={draft.pay_day || null}
          onChange={(day) => setDraft((was) => ({ ...was, pay_day: day ?? '' }))}
        />
      </Field>
      <Field label={t`At least`} help={t`Who would be paid less waits for the next run.`}>
        <MoneyInput
          size="office"
          value={draft.minimum_satang}
          onChange={(minimum_satang) => setDraft((was) => ({ ...was, minimum_satang: minimum_satang ?? 0 }))}
        />
      </Field>
    </Question>
  );
}

function OneRun({ id }: { id: string }) {
  const { t, i18n } = useLingui();
  const { can } = usePerson();
  const [step, setStep] = useState<'withdraw' | 'read'>();
  const story = useQuery({
    ...query('/api/admin/settlement/detail', { id }),
    refetchInterval: ({ state }) => (state.data?.computing || state.data?.booking ? 2000 : false),
  });
  const approve = useChange((hash: string) => call('/api/admin/settlement/approve', { id, hash }));
  const cancel = useChange(() => call('/api/admin/settlement/cancel', { id }));
  const file = useChange(async () => {
    const { name, text } = await call('/api/admin/settlement/export', { id });
    saveFile(new Blob([text], { type: 'text/csv;charset=utf-8' }), name);
  });
  if (story.isPending) return <Skeleton className="h-40 rounded-card" />;
  if (story.isError)
    return <Failure title={t`This did not load`} error={story.error} onRetry={() => void story.refetch()} />;
  const { record, computing, booking, hash, settlements } = story.data;
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-60">
          <Link to="/advwsadmin/settlement_list" className="text-sm font-medium text-brand-text">
            {t`All runs`}
          </Link>
          <h1 className="text-h1-office font-semibold">{record.number}</h1>
        </div>
        <div className="flex flex-wrap gap-2.5">
          {record.state === 'draft' && can('payment', 'u') && (
            <Button
              size="office"
              variant="outline"
              onClick={() => cancel.mutate(undefined)}
            >{t`Cancel the run`}</Button>
          )}
          {record.state === 'draft' && !computing && can('payment', 'a') && (
            <Button
              size="office"
              disabled={approve.isPending}
              onClick={() => approve.mutate(hash)}
            >{t`Approve`}</Button>
          )}
          {record.state === 'approved' && !booking && can('payment', 'a') && (
            <Button size="office" variant="outline" onClick={() => setStep('withdraw')}>{t`Take the run back`}</Button>
          )}
          {((record.state === 'approved' && !booking) || story.data.file_sha256) && can('payment', 'u') && (
            <Button size="office" variant="outline" onClick={() => file.mutate(undefined)}>{t`The bank’s file`}</Button>
          )}
          {record.state === 'exported' && can('payment', 'u') && (
            <Button size="office" onClick={() => setStep('read')}>{t`Read the bank’s answer`}</Button>
          )}
        </div>
      </div>
      <FaultNote error={approve.error ?? cancel.error ?? file.error} />
      <Card office className="p-5">
        <Facts
          of={[
            [t`State`, i18n._(runStates[record.state].title)],
            [t`Earned by the end of`, date(record.up_to)],
            [t`Pay day`, date(record.pay_day)],
            [t`In all`, amount(record.sum_satang)],
            [t`Drafted`, `${record.drafted_by} ${dateTime(record.drafted_at)}`],
            [t`Approved by`, record.approved_by],
          ]}
        />
        {(computing || booking) && <p className="text-quiet">{t`This takes a moment…`}</p>}
      </Card>
      <Card office className="overflow-clip">
        <ul className="divide-y">
          {settlements.map((one) => (
            <Payment key={one.id} of={one} />
          ))}
        </ul>
      </Card>
      <Dialog open={step !== undefined} onOpenChange={(open) => !open && setStep(undefined)}>
        {step === 'withdraw' && <Withdraw run={record} onDone={() => setStep(undefined)} />}
        {step === 'read' && (
          <ReadResult
            send={(answer) => call('/api/admin/settlement/read', { id, ...answer })}
            changes={changes}
            onDone={() => setStep(undefined)}
          />
        )}
      </Dialog>
    </>
  );
}

function Payment({ of }: { of: Story['settlements'][number] }) {
  const { t, i18n } = useLingui();
  const text = useTexts();
  const why = of.left_out && i18n._(leftOutWords[of.left_out]);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3">
      <span className="min-w-0 flex-1 basis-60">
        <span className="block font-medium">{text(of, 'name')}</span>
        <span className="block text-caption text-quiet">
          {[of.reference, of.fee_satang > 0 && t`platform fee ${amount(of.fee_satang)}`, why, of.reason]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      <span className="font-medium">{amount(of.amount_satang)}</span>
      <Chip tone={paymentStates[of.state].tone}>{i18n._(paymentStates[of.state].title)}</Chip>
    </li>
  );
}

function Withdraw({ run, onDone }: { run: Run; onDone: () => void }) {
  const { t } = useLingui();
  const [reason, setReason] = useState('');
  const send = useChange(() => call('/api/admin/settlement/withdraw', { id: run.id, reason: reason.trim() }), onDone);
  return (
    <Question
      title={t`Take ${run.number} back?`}
      line={t`Nobody is paid by it. What it would have paid can be paid by the next run.`}
      button={t`Take the run back`}
      takesAway
      disabled={!reason.trim()}
      of={send}
      onYes={() => send.mutate(undefined)}
      onDone={onDone}
    >
      <Field label={t`Why`} help={t`The organisations read it.`}>
        <Textarea rows={2} maxLength={300} value={reason} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </Question>
  );
}
