import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { errorSentence } from '@wlv/client/api-error';
import { call } from '@wlv/client/call';
import { callOnce } from '@wlv/client/call-once';
import { saveFile } from '@wlv/client/download';
import { Button } from '@wlv/ui/button';
import { Dialog } from '@wlv/ui/dialog';
import { Field } from '@wlv/ui/field';
import { baht, calendarDay, date } from '@wlv/ui/format';
import { Textarea } from '@wlv/ui/input';
import { Note } from '@wlv/ui/note';
import { toast } from '@wlv/ui/toast';
import { CalendarX, Download, FileUp, RefreshCw, Send, Undo2, X } from 'lucide-react';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { ReadResult } from '../../payee/read-result.tsx';
import { Question } from '../../record/question.tsx';
import { changedByRun, payoutModule, type RunStory } from './payout-states.ts';

type Step = 'recompute' | 'cancel' | 'propose' | 'withdraw' | 'export' | 'result';

/** What can be done with a run as it is now, by who may. */
export function RunActions({ story }: { story: RunStory }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const [step, setStep] = useState<Step>();
  const { record, computing, booking, approval_id: asked } = story;
  const open = record.state === 'draft' && !asked;
  const draft = open && !computing;
  const booked = record.state === 'approved' && !booking;
  const answered = record.state === 'exported' || record.state === 'closed';
  const [drafts, changes, decides] = [can(payoutModule, 'i'), can(payoutModule, 'u'), can(payoutModule, 's')];
  const onDone = () => setStep(undefined);
  return (
    <>
      {open && drafts && (
        <Button size="office" variant="outline" onClick={() => setStep('cancel')}>
          <X aria-hidden />
          {t`Cancel the draft`}
        </Button>
      )}
      {draft && drafts && (
        <Button size="office" variant="outline" onClick={() => setStep('recompute')}>
          <RefreshCw aria-hidden />
          {t`Compute it anew`}
        </Button>
      )}
      {draft && changes && (
        <Button size="office" disabled={record.payees === 0} onClick={() => setStep('propose')}>
          <Send aria-hidden />
          {t`Ask a second person`}
        </Button>
      )}
      {booked && decides && (
        <Button size="office" variant="outline" onClick={() => setStep('withdraw')}>
          <Undo2 aria-hidden />
          {t`Take the run back`}
        </Button>
      )}
      {booked && changes && (
        <Button size="office" onClick={() => setStep('export')}>
          <Download aria-hidden />
          {t`Download the bank's file`}
        </Button>
      )}
      {answered && changes && (
        <>
          {story.file_sha256 && <Again id={record.id} />}
          <Button
            size="office"
            variant={record.state === 'exported' ? 'default' : 'outline'}
            onClick={() => setStep('result')}
          >
            <FileUp aria-hidden />
            {t`Read the bank's answer`}
          </Button>
        </>
      )}
      <Dialog open={step !== undefined} onOpenChange={(open) => !open && onDone()}>
        {step === 'recompute' && <Recompute story={story} onDone={onDone} />}
        {step === 'cancel' && <Cancel story={story} onDone={onDone} />}
        {step === 'propose' && <Propose story={story} onDone={onDone} />}
        {step === 'withdraw' && <Withdraw story={story} onDone={onDone} />}
        {step === 'export' && <Export story={story} onDone={onDone} />}
        {step === 'result' && (
          <ReadResult
            send={(file) => call('/api/owner/payoutrun/result', { id: record.id, ...file })}
            changes={changedByRun}
            onDone={onDone}
          />
        )}
      </Dialog>
    </>
  );
}

interface OfStep {
  story: RunStory;
  onDone: () => void;
}

/** Does something with a run, then reads anew what shows it: also after a refusal, since something has changed then. */
function useRunCall<Answer>(send: () => Promise<Answer>, onSuccess: (answer: Answer) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess,
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => changedByRun.test(String(queryKey[0])) }),
  });
}

/** The new draft has an address of its own. */
function Recompute({ story: { record }, onDone }: OfStep) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const recompute = useRunCall(
    () => call('/api/owner/payoutrun/recompute', { id: record.id }),
    ({ id }) => {
      toast({ tone: 'ok', title: t`The draft is being computed` });
      onDone();
      void navigate({ to: '/owner/$screen/$id', params: { screen: payoutModule, id } });
    },
  );
  return (
    <Question
      title={t`Compute it anew?`}
      line={t`A new draft of the same days takes its place, with what has changed since. Who was left to the next run stays so.`}
      button={t`Compute it anew`}
      of={recompute}
      onYes={() => recompute.mutate()}
      onDone={onDone}
    />
  );
}

function Cancel({ story: { record }, onDone }: OfStep) {
  const { t } = useLingui();
  const cancel = useRunCall(
    () => call('/api/owner/payoutrun/cancel', { id: record.id }),
    () => {
      toast({ tone: 'ok', title: t`The draft was cancelled` });
      onDone();
    },
  );
  return (
    <Question
      title={t`Cancel the draft?`}
      line={t`Nobody is paid by it. What it has collected can be paid by another run.`}
      button={t`Cancel the draft`}
      of={cancel}
      onYes={() => cancel.mutate()}
      onDone={onDone}
    />
  );
}

/** The second person approves exactly what was looked at here. */
function Propose({ story: { record, hash }, onDone }: OfStep) {
  const { t } = useLingui();
  const [note, setNote] = useState('');
  const [tried, setTried] = useState(false);
  const words = note.trim();
  const sum = baht(record.net_satang);
  const propose = useRunCall(
    () => callOnce('/api/owner/payoutrun/propose', { id: record.id, hash, note: words }),
    () => {
      toast({ tone: 'ok', title: t`Asked for` });
      onDone();
    },
  );
  return (
    <Question
      title={t`Ask a second person`}
      line={t`Who drafted a run cannot approve it. Nothing is paid until then, and the draft stays as it is.`}
      button={t({ message: `Ask for ${sum}`, context: 'a run of payouts' })}
      of={propose}
      onYes={() => (words ? propose.mutate() : setTried(true))}
      onDone={onDone}
    >
      <Field label={t`What the second person should know`} error={tried && !words ? t`Please fill this in` : undefined}>
        <Textarea value={note} maxLength={500} rows={3} onChange={(change) => setNote(change.target.value)} />
      </Field>
    </Question>
  );
}

/** An approved run whose file nobody has made pays nobody: the next run can. */
function Withdraw({ story: { record }, onDone }: OfStep) {
  const { t } = useLingui();
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const words = reason.trim();
  const withdraw = useRunCall(
    () => call('/api/owner/payoutrun/withdraw', { id: record.id, reason: words }),
    () => {
      toast({ tone: 'ok', title: t`The run was taken back` });
      onDone();
    },
  );
  return (
    <Question
      title={t`Take the run back?`}
      line={t`Nobody is paid by it. All of it can be paid by the next run.`}
      button={t`Take the run back`}
      of={withdraw}
      onYes={() => (words ? withdraw.mutate() : setTried(true))}
      onDone={onDone}
    >
      <Field
        label={t`Why`}
        help={record.kind === 'refund' ? t`For your shop only` : t`The payees read it`}
        error={tried && !words ? t`Please fill this in` : undefined}
      >
        <Textarea value={reason} maxLength={300} rows={2} onChange={(change) => setReason(change.target.value)} />
      </Field>
    </Question>
  );
}

/** Fetches the bank's file and hands it to the browser. */
async function downloadFile(id: string) {
  const { name, text } = await call('/api/owner/payoutrun/export', { id });
  saveFile(new Blob([text], { type: 'text/csv;charset=utf-8' }), name);
}

/** With the first file the run counts as handed over to the bank. */
function Export({ story: { record }, onDone }: OfStep) {
  const { t } = useLingui();
  const late = record.pay_day < calendarDay(Date.now());
  const payDay = date(record.pay_day);
  const send = useRunCall(
    () => downloadFile(record.id),
    () => {
      toast({ tone: 'ok', title: t`The file was made. Please give it to your bank` });
      onDone();
    },
  );
  return (
    <Question
      title={t`Download the bank's file?`}
      line={t`From then on the run counts as handed over to the bank, and each payout waits for its answer. Please give the file to the bank once: given twice, it could be paid twice.`}
      button={t`Download the bank's file`}
      of={send}
      onYes={() => send.mutate()}
      onDone={onDone}
    >
      {late && (
        <Note tone="warn" icon={<CalendarX aria-hidden />} title={t`The pay day ${payDay} is over`}>
          {t`No file is made after it. Please take the run back: then the next run can pay all of it.`}
        </Note>
      )}
    </Question>
  );
}

/** The same file again. */
function Again({ id }: { id: string }) {
  const { t, i18n } = useLingui();
  const again = useMutation({
    mutationFn: () => downloadFile(id),
    onSuccess: () => toast({ tone: 'ok', title: t`The same file as before` }),
    onError: (error) => toast({ tone: 'bad', title: errorSentence(i18n, error) }),
  });
  return (
    <Button size="office" variant="outline" disabled={again.isPending} onClick={() => again.mutate()}>
      <Download aria-hidden />
      {t`The bank's file again`}
    </Button>
  );
}
