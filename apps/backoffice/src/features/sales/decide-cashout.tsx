import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '@wlv/client/call';
import { callOnce } from '@wlv/client/call-once';
import { type AnyFault, faultSentence } from '@wlv/client/faults';
import { Button } from '@wlv/ui/button';
import { Dialog } from '@wlv/ui/dialog';
import { baht } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { toast } from '@wlv/ui/toast';
import { CircleAlert, Send, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { RecordCard } from '../../record/record-frame.tsx';
import { SecondPerson } from '../../record/second-person.tsx';
import type { StoryOf } from '../../record/story.ts';
import { Answer } from './answer.tsx';

type Story = StoryOf<'cashout'>;
type Step = 'approve' | 'ask' | 'refuse';

/** Pays a customer what he asked for, has a second person look at it, or refuses it with words that he reads. */
export function DecideCashout({ story }: { story: Story }) {
  const { t, i18n } = useLingui();
  const { can } = usePerson();
  const [step, setStep] = useState<Step>();
  const { record, approval_id: approval } = story;
  const sum = baht(record.amount_satang);
  if (!can('wallettransaction', 's')) {
    return <RecordCard title={t`Waits for a decision`}>{t`You may not decide this.`}</RecordCard>;
  }
  return (
    <RecordCard title={t`How do you decide?`}>
      <div className="grid gap-3">
        {story.fault && (
          <Note tone="warn" icon={<CircleAlert aria-hidden />} title={t`It cannot be paid out now`}>
            {faultSentence(i18n, story.fault as AnyFault)}
          </Note>
        )}
        {approval ? (
          <SecondPerson approval={approval} />
        ) : (
          <Button
            size="office"
            disabled={Boolean(story.fault)}
            onClick={() => setStep(story.needs_second ? 'ask' : 'approve')}
          >
            {story.needs_second ? <Send aria-hidden /> : <Undo2 aria-hidden />}
            {story.needs_second ? t`Ask a second person` : t`Pay ${sum} out`}
          </Button>
        )}
        <Button size="office" variant="outline" onClick={() => setStep('refuse')}>
          {t`Refuse`}
        </Button>
        <p className="text-caption text-quiet">
          {t`Nothing is held meanwhile and nothing is paid by itself. The customer sees the date by which you should answer and pay.`}
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
  const { id, amount_satang, customer_name } = story.record;
  const sum = baht(amount_satang);
  const who = customer_name || '–';
  const byBank = story.sources.some(({ method }) => method === 'bank');
  const says = {
    approve: {
      title: t`Pay ${sum} out?`,
      line: byBank
        ? t`It leaves the Wallet of ${who} at once. What came in by card goes back there; the rest you transfer to the account that ${who} has named, under Bank transfers. This cannot be taken back.`
        : t`It leaves the Wallet of ${who} at once and goes back to the card. What the card cannot take comes back into the Wallet. This cannot be taken back.`,
      button: t`Pay ${sum} out`,
      done: t`${sum} left the Wallet`,
    },
    ask: {
      title: t`Ask a second person`,
      line: t`Your shop wants that for a refund of this size. Nothing moves until then.`,
      button: t`Ask for ${sum}`,
      done: t`Asked for`,
    },
    refuse: {
      title: t`Refuse to pay it out?`,
      line: t`${who} reads your words. The money stays in the Wallet.`,
      button: t`Refuse`,
      done: t`Refused`,
    },
  }[step];
  const decide = useMutation({
    mutationFn: async (words: string) => {
      if (step === 'approve') await callOnce('/api/owner/cashout/approve', { id });
      else if (step === 'ask') await callOnce('/api/owner/cashout/ask', { id, note: words });
      else await call('/api/owner/cashout/refuse', { id, answer: words });
    },
    onSuccess: () => {
      toast({ tone: 'ok', title: says.done });
      onDone();
    },
    // Also after a refusal: it was withdrawn, spent or answered meanwhile.
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => changed.test(String(queryKey[0])) }),
  });
  return <Answer says={says} who={who} step={step} of={decide} onYes={decide.mutate} onDone={onDone} />;
}

/** An answer changes what requests, transfers, wallets and the inbox of approvals say. */
const changed = /^\/api\/owner\/(story|get|customer|approval)/;
