import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '@wlv/client/call';
import { callOnce } from '@wlv/client/call-once';
import { Button } from '@wlv/ui/button';
import { Dialog } from '@wlv/ui/dialog';
import { Field } from '@wlv/ui/field';
import { baht } from '@wlv/ui/format';
import { Textarea } from '@wlv/ui/input';
import { toast } from '@wlv/ui/toast';
import { Check, Send } from 'lucide-react';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { Question } from '../../record/question.tsx';
import { RecordCard } from '../../record/record-frame.tsx';
import { SecondPerson } from '../../record/second-person.tsx';
import type { StoryOf } from '../../record/story.ts';

type Story = StoryOf<'commissionhold'>;
type Step = 'release' | 'deny';

/** Lets payouts have commission that is held, or asks a second person not to pay that of an order. */
export function DecideHold({ story }: { story: Story }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const [step, setStep] = useState<Step>();
  const { record, approval_id: approval } = story;
  if (!can('agent', 's')) {
    return <RecordCard title={t`Waits for a decision`}>{t`You may not decide this.`}</RecordCard>;
  }
  return (
    <RecordCard title={t`How do you decide?`}>
      <div className="grid gap-3">
        <Button size="office" onClick={() => setStep('release')}>
          <Check aria-hidden />
          {t`Release it`}
        </Button>
        {record.order_id && approval && <SecondPerson approval={approval} />}
        {record.order_id && !approval && (
          <Button size="office" variant="outline" onClick={() => setStep('deny')}>
            <Send aria-hidden />
            {t`Ask a second person not to pay it`}
          </Button>
        )}
        <p className="text-caption text-quiet">
          {record.order_id
            ? t`No payout has it until you decide. It is free by itself after 30 days.`
            : t`Nothing is paid to this payee until you decide. To stop an agent's selling as well, suspend the agent.`}
        </p>
      </div>
      <Dialog open={step !== undefined} onOpenChange={(open) => !open && setStep(undefined)}>
        {step && <Decide story={story} step={step} onDone={() => setStep(undefined)} />}
      </Dialog>
    </RecordCard>
  );
}

function Decide({ story, step, onDone }: { story: Story; step: Step; onDone: () => void }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const [words, setWords] = useState('');
  const [tried, setTried] = useState(false);
  const { id, order_id, amount_satang, payee_name } = story.record;
  const sum = baht(order_id ? amount_satang : story.payable_satang);
  const who = payee_name || '–';
  const unsaid = !words.trim();
  const says = {
    release: {
      title: t`Release ${sum}?`,
      line: t`The next payout has it. It is not held anew for what was found now.`,
      label: t`Why, for the audit log`,
      button: t`Release it`,
      done: t`Released`,
    },
    deny: {
      title: t`Do not pay ${sum}?`,
      line: t`A second person has to approve it. Then ${who} reads your words, and what was paid out already is taken from the next payout. This cannot be taken back.`,
      label: t`Why, for ${who} to read`,
      button: t`Ask a second person`,
      done: t`Asked for`,
    },
  }[step];
  const decide = useMutation({
    mutationFn: async () => {
      const body = { id, reason: words.trim() };
      if (step === 'release') await call('/api/owner/commissionhold/release', body);
      else await callOnce('/api/owner/commissionhold/deny', body);
    },
    onSuccess: () => {
      toast({ tone: 'ok', title: says.done });
      onDone();
    },
    // Also after a refusal: it was decided or asked for meanwhile.
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => changed.test(String(queryKey[0])) }),
  });
  return (
    <Question
      title={says.title}
      line={says.line}
      button={says.button}
      of={decide}
      onYes={() => (unsaid ? setTried(true) : decide.mutate())}
      onDone={onDone}
    >
      <Field label={says.label} error={tried && unsaid ? t`Write why` : undefined}>
        <Textarea value={words} maxLength={300} rows={3} onChange={(change) => setWords(change.target.value)} />
      </Field>
    </Question>
  );
}

/** A decision changes what holds, payouts and the inbox of approvals say. */
const changed = /^\/api\/owner\/(story|get|payoutrun|approval)/;
