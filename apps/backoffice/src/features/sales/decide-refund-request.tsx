import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useBankName } from '@wlv/client/bank';
import { call } from '@wlv/client/call';
import { callOnce } from '@wlv/client/call-once';
import { type AnyFault, faultSentence } from '@wlv/client/faults';
import { Button } from '@wlv/ui/button';
import { Dialog } from '@wlv/ui/dialog';
import { amount, baht } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { toast } from '@wlv/ui/toast';
import { CircleAlert, RotateCcw, Send, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { RecordCard } from '../../record/record-frame.tsx';
import { SecondPerson } from '../../record/second-person.tsx';
import type { StoryOf } from '../../record/story.ts';
import { Facts } from '../../resource/facts.tsx';
import { Answer } from './answer.tsx';

type Story = StoryOf<'refundrequest'>;
type Step = 'grant' | 'ask' | 'again' | 'refuse';

/** Grants what a payer asks for, has a second person look at it, has him look again, or refuses it with words that he reads. */
export function DecideRefundRequest({ story }: { story: Story }) {
  const { t, i18n } = useLingui();
  const { can } = usePerson();
  const [step, setStep] = useState<Step>();
  const { record, approval_id: approval } = story;
  const sum = baht(record.amount_satang);
  if (!can('voucher', 's')) {
    return <RecordCard title={t`Waits for a decision`}>{t`You may not decide this.`}</RecordCard>;
  }
  const fits = !story.fault;
  return (
    <RecordCard title={t`How do you decide?`}>
      <div className="grid gap-3">
        {story.changed && (
          <Note tone="warn" icon={<CircleAlert aria-hidden />} title={t`Something is gone since`}>
            {t`It is not refunded with other items. Ask the customer again, or refuse.`}
          </Note>
        )}
        {story.fault && !story.changed && (
          <Note tone="warn" icon={<CircleAlert aria-hidden />} title={t`It cannot be refunded now`}>
            {faultSentence(i18n, story.fault as AnyFault)}
          </Note>
        )}
        {fits && <Sums story={story} />}
        {approval ? (
          <SecondPerson approval={approval} />
        ) : (
          <Button
            size="office"
            disabled={!fits && !story.changed}
            onClick={() => setStep(story.changed ? 'again' : story.needs_second ? 'ask' : 'grant')}
          >
            {story.changed ? (
              <RotateCcw aria-hidden />
            ) : story.needs_second ? (
              <Send aria-hidden />
            ) : (
              <Undo2 aria-hidden />
            )}
            {story.changed ? t`Ask the customer again` : story.needs_second ? t`Ask a second person` : t`Refund ${sum}`}
          </Button>
        )}
        <Button size="office" variant="outline" onClick={() => setStep('refuse')}>
          {t`Refuse`}
        </Button>
        <p className="text-caption text-quiet">
          {t`Nothing is held meanwhile and nothing is refunded by itself. The customer sees the date by which you should answer.`}
        </p>
      </div>
      <Dialog open={step !== undefined} onOpenChange={(open) => !open && setStep(undefined)}>
        {step && <Decide story={story} step={step} onDone={() => setStep(undefined)} />}
      </Dialog>
    </RecordCard>
  );
}

/** From where the money comes. */
function Sums({ story }: { story: Story }) {
  const { t } = useLingui();
  const { digits } = story;
  const bank = useBankName()(story.bank);
  const facts = [
    [t`The shop's, not earned yet`, amount(story.share_satang)],
    ...(story.commission_satang ? ([[t`Commission`, amount(story.commission_satang)]] as const) : []),
    [t`Platform fee`, amount(story.fee_satang)],
    [
      t`Where it goes`,
      story.method === 'bank'
        ? `${bank} ····${digits}`
        : story.method === 'card'
          ? digits
            ? t`Card ····${digits}`
            : t`Card`
          : t`Wallet`,
    ],
    ...(story.kept_satang ? ([[t`The shop keeps its fee`, amount(story.kept_satang)]] as const) : []),
  ] as const;
  return <Facts of={facts} />;
}

function Decide({ story, step, onDone }: { story: Story; step: Step; onDone: () => void }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const { id, amount_satang, customer_name } = story.record;
  const sum = baht(amount_satang);
  const who = customer_name || '–';
  const says = {
    grant: {
      title: t`Refund ${sum}?`,
      line:
        story.method === 'bank'
          ? t`You transfer it to the bank account that ${who} has named; it waits under Bank transfers. This cannot be taken back.`
          : story.method === 'card'
            ? t`It goes back to the card that ${who} paid with; the bank needs about 5–10 days. What the card cannot take goes into the Wallet. This cannot be taken back.`
            : t`It goes to the Wallet of ${who} at once, and pays first what ${who} owes the shop. This cannot be taken back.`,
      button: t`Refund ${sum}`,
      done: t`${sum} refunded`,
    },
    ask: {
      title: t`Ask a second person`,
      line: t`Your shop wants that for a refund of this size. Nothing moves until then.`,
      button: t`Ask for ${sum}`,
      done: t`Asked for`,
    },
    again: {
      title: t`Ask ${who} again?`,
      line: t`This request ends. ${who} reads what is gone, and may ask for what is left, also after the last day.`,
      button: t`Ask the customer again`,
      done: t`${who} was asked again`,
    },
    refuse: {
      title: t`Refuse the refund?`,
      line: t`${who} reads your words. This cannot be taken back.`,
      button: t`Refuse`,
      done: t`Refused`,
    },
  }[step];
  const decide = useMutation({
    mutationFn: async (words: string) => {
      if (step === 'grant') await callOnce('/api/owner/refundrequest/grant', { id });
      else if (step === 'ask') await callOnce('/api/owner/refundrequest/ask', { id, note: words });
      else if (step === 'again') await call('/api/owner/refundrequest/again', { id });
      else await call('/api/owner/refundrequest/refuse', { id, answer: words });
    },
    onSuccess: () => {
      toast({ tone: 'ok', title: says.done });
      onDone();
    },
    // Also after a refusal: it was withdrawn, used or answered meanwhile.
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => changed.test(String(queryKey[0])) }),
  });
  return <Answer says={says} who={who} step={step} of={decide} onYes={decide.mutate} onDone={onDone} />;
}

/** An answer changes what requests, orders, vouchers and the inbox of approvals say. */
const changed = /^\/api\/owner\/(story|get|dashboard|approval)/;
