import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callOnce } from '@wlv/client/call-once';
import { Button } from '@wlv/ui/button';
import { Dialog } from '@wlv/ui/dialog';
import { Field } from '@wlv/ui/field';
import { baht } from '@wlv/ui/format';
import { Input, Textarea } from '@wlv/ui/input';
import { Note } from '@wlv/ui/note';
import { toast } from '@wlv/ui/toast';
import { Check, TriangleAlert, Wallet } from 'lucide-react';
import { useState } from 'react';
import { Question } from '../../record/question.tsx';
import { RecordCard } from '../../record/record-frame.tsx';
import { RecordLink } from '../../record/record-link.tsx';
import { SecondPerson } from '../../record/second-person.tsx';
import type { StoryOf } from '../../record/story.ts';

type Story = StoryOf<'banktransfer'>;
type Step = 'made' | 'back' | 'wallet';

/** Says that a transfer was made, that it came back, or that it cannot be made. What moves money out is said by two people. */
export function EndTransfer({ story }: { story: Story }) {
  const { t } = useLingui();
  const [step, setStep] = useState<Step>();
  const { record, approval_id: waits } = story;
  if (record.state === 'failed') return null;
  if (story.in_run) return <InRun story={story} />;
  const [approved, done] = [record.state === 'approved', record.state === 'done'];
  return (
    <RecordCard title={approved ? t`Transfer it at your bank` : done ? t`It was transferred` : t`Was it transferred?`}>
      <div className="grid gap-3">
        {record.run_id && (
          <p className="text-muted-foreground">
            {t`A run of payouts has it too, and leaves it out if you transfer it by hand before somebody has approved the run.`}
          </p>
        )}
        {story.held_back && (
          <Note tone="bad" icon={<TriangleAlert aria-hidden />} title={t`Please do not transfer it any more`}>
            {t`The customer's bank or the payment company has taken this payment back meanwhile. Say that it cannot be transferred: it goes to the Wallet and pays what is owed.`}
          </Note>
        )}
        {waits ? (
          <SecondPerson approval={waits} />
        ) : (
          <>
            {!done && (
              <Button size="office" onClick={() => setStep('made')}>
                <Check aria-hidden />
                {approved ? t`I have transferred it` : t`Ask again to confirm it`}
              </Button>
            )}
            <Button size="office" variant="outline" onClick={() => setStep(approved ? 'wallet' : 'back')}>
              <Wallet aria-hidden />
              {approved ? t`It cannot be transferred` : t`It came back`}
            </Button>
          </>
        )}
        <p className="text-caption text-quiet">
          {done
            ? t`What comes back is in the customer's Wallet once a second person has confirmed it, and the shop has earned the same sum less.`
            : t`The shop pays it from its own bank account, and earns the same sum here once a second person has confirmed it.`}
        </p>
      </div>
      <Dialog open={step !== undefined} onOpenChange={(open) => !open && setStep(undefined)}>
        {step && <Say story={story} step={step} onDone={() => setStep(undefined)} />}
      </Dialog>
    </RecordCard>
  );
}

/** What became of it is said in its run. */
function InRun({ story: { record } }: { story: Story }) {
  const { t } = useLingui();
  return (
    <RecordCard title={t`It is in a run of payouts`}>
      <p className="mb-3 text-muted-foreground">{t`The bank's file has it, or will. Please say there what became of it.`}</p>
      <RecordLink table="payoutrun" id={record.run_id}>
        {record.run_number}
      </RecordLink>
    </RecordCard>
  );
}

/** What the end of a transfer changes. */
const changed = /^\/api\/owner\/(story|get|approval|customer)/;

function Say({ story: { record }, step, onDone }: { story: Story; step: Step; onDone: () => void }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const [words, setWords] = useState(step === 'made' ? record.reference : '');
  const [tried, setTried] = useState(false);
  const { id } = record;
  const sum = baht(record.amount_satang);
  const who = record.customer_name || '–';
  const text = words.trim();
  const says = {
    made: {
      title: t`${sum} was transferred?`,
      line: t`A second person compares it with your bank's statement and confirms it. Then ${who} reads that it was transferred.`,
      field: t`Bank reference`,
      button: t`Ask to confirm it`,
      done: t`Asked for`,
    },
    back: {
      title: t`Did ${sum} come back?`,
      line: t`It goes to the Wallet of ${who} once a second person has confirmed that it came back.`,
      field: t`Why?`,
      button: t`Ask to confirm it`,
      done: t`Asked for`,
    },
    wallet: {
      title: t`Put ${sum} into the Wallet?`,
      line: t`It goes to the Wallet of ${who} at once, and pays first what ${who} owes the shop. This cannot be taken back.`,
      field: t`Why?`,
      button: t`Put it into the Wallet`,
      done: t`${sum} is in the Wallet`,
    },
  }[step];
  const say = useMutation({
    mutationFn: async () => {
      if (step === 'wallet') await callOnce('/api/owner/banktransfer/fail', { id, reason: text });
      else if (step === 'made')
        await callOnce('/api/owner/banktransfer/ask', { id, outcome: 'done', reference: text, note: '' });
      else await callOnce('/api/owner/banktransfer/ask', { id, outcome: 'failed', reference: '', note: text });
    },
    onSuccess: () => {
      toast({ tone: 'ok', title: says.done });
      onDone();
    },
    // Also after a refusal: somebody else has said it meanwhile.
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => changed.test(String(queryKey[0])) }),
  });
  const error = tried && !text ? t`Please fill this in` : undefined;
  return (
    <Question
      title={says.title}
      line={says.line}
      button={says.button}
      of={say}
      onYes={() => (text ? say.mutate() : setTried(true))}
      onDone={onDone}
    >
      {step === 'made' ? (
        <Field label={says.field} help={t`As your bank's slip has it`} error={error}>
          <Input
            size="office"
            autoFocus
            value={words}
            maxLength={60}
            onChange={(change) => setWords(change.target.value)}
          />
        </Field>
      ) : (
        <Field label={says.field} help={t`For your shop only`} error={error}>
          <Textarea
            autoFocus
            value={words}
            maxLength={300}
            rows={2}
            onChange={(change) => setWords(change.target.value)}
          />
        </Field>
      )}
    </Question>
  );
}
