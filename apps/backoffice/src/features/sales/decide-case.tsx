import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callOnce } from '@wlv/client/call-once';
import { Button } from '@wlv/ui/button';
import { Dialog } from '@wlv/ui/dialog';
import { Field } from '@wlv/ui/field';
import { baht } from '@wlv/ui/format';
import { Textarea } from '@wlv/ui/input';
import { toast } from '@wlv/ui/toast';
import { Banknote, Eraser, Users } from 'lucide-react';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { Question } from '../../record/question.tsx';
import { RecordCard } from '../../record/record-frame.tsx';
import { RecordLink } from '../../record/record-link.tsx';
import { SecondPerson } from '../../record/second-person.tsx';
import type { StoryOf } from '../../record/story.ts';

type Story = StoryOf<'case'>;

/** What the shop can decide about money that was asked back: take what is on hold, bear it, or write off what the customer owes. */
export function DecideCase({ story }: { story: Story }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const [step, setStep] = useState<'bear' | 'write_off'>();
  const { record, debt_satang: debt, held, write_off_id: waits } = story;
  const bears = record.kind === 'refund' && record.state === 'open' && story.dispute !== 'open';
  const sum = baht(record.amount_satang);
  const owed = baht(debt);
  if (!bears && debt === 0 && !waits) return null;
  if (!can('voucher', 's')) {
    return <RecordCard title={t`Waits for a decision`}>{t`You may not decide this.`}</RecordCard>;
  }
  return (
    <RecordCard title={t`How do you decide?`}>
      <div className="grid gap-3">
        {bears && held[0] && (
          <p>
            {t`Take what is on hold: cancel the voucher. It covers ${sum}, and the rest of its worth goes to its holder.`}{' '}
            <RecordLink table="voucher" id={held[0].id}>
              {held[0].code}
            </RecordLink>
          </p>
        )}
        {bears && (
          <>
            <p>{t`Or bear it: the shop pays ${sum} of what it has earned, and the customer keeps the voucher.`}</p>
            <Button size="office" variant="outline" onClick={() => setStep('bear')}>
              <Banknote aria-hidden />
              {t`Bear ${sum}`}
            </Button>
          </>
        )}
        {waits ? (
          <SecondPerson approval={waits} />
        ) : (
          debt > 0 && (
            <>
              <p>{t`Write off ${owed} that nothing is on hold for: the shop pays it of what it has earned. That takes two people.`}</p>
              <Button size="office" variant="outline" onClick={() => setStep('write_off')}>
                <Eraser aria-hidden />
                {t`Write ${owed} off`}
              </Button>
            </>
          )
        )}
      </div>
      <Dialog open={step !== undefined} onOpenChange={(open) => !open && setStep(undefined)}>
        {step === 'bear' && <Bear story={story} onDone={() => setStep(undefined)} />}
        {step === 'write_off' && <WriteOff story={story} onDone={() => setStep(undefined)} />}
      </Dialog>
    </RecordCard>
  );
}

/** What a decision changes. */
const decided = /^\/api\/owner\/(story|approval|get|customer)/;

function useSettled() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ predicate: ({ queryKey }) => decided.test(String(queryKey[0])) });
}

function Bear({ story: { record }, onDone }: { story: Story; onDone: () => void }) {
  const { t } = useLingui();
  const onSettled = useSettled();
  const sum = baht(record.amount_satang);
  const bear = useMutation({
    mutationFn: () => callOnce('/api/owner/case/bear', { id: record.id, amount_satang: record.amount_satang }),
    onSuccess: () => {
      onDone();
      toast({ tone: 'ok', title: t`The shop bore ${sum}` });
    },
    onSettled, // also after a refusal: something has changed meanwhile
  });
  return (
    <Question
      title={t`Bear ${sum}?`}
      line={t`It is paid of what the shop has earned, and what is on hold is released. This cannot be undone.`}
      button={
        <>
          <Banknote aria-hidden />
          {t`Bear it`}
        </>
      }
      of={bear}
      onYes={() => bear.mutate()}
      onDone={onDone}
    />
  );
}

function WriteOff({ story: { record, debt_satang }, onDone }: { story: Story; onDone: () => void }) {
  const { t } = useLingui();
  const onSettled = useSettled();
  const [reason, setReason] = useState('');
  const sum = baht(debt_satang);
  const ask = useMutation({
    mutationFn: () =>
      callOnce('/api/owner/case/writeoff/ask', {
        id: record.charge_id,
        amount_satang: debt_satang,
        reason: reason.trim(),
      }),
    onSuccess: () => {
      onDone();
      toast({ tone: 'ok', title: t`Asked for`, line: t`Nothing moves until a second person has approved it.` });
    },
    onSettled,
  });
  return (
    <Question
      title={t`Write off ${sum}?`}
      line={t`The customer owes it no more and can buy again. The shop pays it of what it has earned, once a second person has approved it.`}
      keep={t`Do not write it off`}
      button={
        <>
          <Users aria-hidden />
          {t`Ask for it`}
        </>
      }
      disabled={!reason.trim()}
      of={ask}
      onYes={() => ask.mutate()}
      onDone={onDone}
    >
      <Field label={t`Why?`} help={t`Whoever approves it reads this.`}>
        <Textarea
          autoFocus
          value={reason}
          maxLength={300}
          rows={3}
          onChange={(change) => setReason(change.target.value)}
        />
      </Field>
    </Question>
  );
}
