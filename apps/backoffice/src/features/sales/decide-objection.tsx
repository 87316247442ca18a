import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '@wlv/client/call';
import { Button } from '@wlv/ui/button';
import { Dialog } from '@wlv/ui/dialog';
import { Field } from '@wlv/ui/field';
import { baht, date } from '@wlv/ui/format';
import { Textarea } from '@wlv/ui/input';
import { toast } from '@wlv/ui/toast';
import { RotateCcw, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { Question } from '../../record/question.tsx';
import { RecordCard } from '../../record/record-frame.tsx';
import type { StoryOf } from '../../record/story.ts';

type Outcome = 'undo' | 'stand';

/** Undoes the use or lets it stand, after a second look: neither can be taken back. */
export function DecideObjection({ story }: { story: StoryOf<'objection'> }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const client = useQueryClient();
  const [answer, setAnswer] = useState('');
  const [chosen, setChosen] = useState<Outcome>();
  const [asks, setAsks] = useState(false);
  const { record } = story;
  const sum = baht(record.share_satang);
  const day = date(story.valid_until);
  const who = record.customer_name;
  const decide = useMutation({
    mutationFn: (undo: boolean) => call('/api/owner/objection/decide', { id: record.id, undo, answer: answer.trim() }),
    onSuccess: ({ record: { state } }) => {
      setAsks(false);
      toast({ tone: 'ok', title: state === 'undone' ? t`The use is undone` : t`The use stands` });
    },
    // Also after a refusal: somebody else, or the clock, has decided meanwhile.
    onSettled: () =>
      client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).endsWith('/objection') }),
  });
  if (!can('voucher', 's')) {
    return <RecordCard title={t`Waits for a decision`}>{t`You may not decide this.`}</RecordCard>;
  }
  const undo = chosen === 'undo';
  return (
    <RecordCard title={t`How do you decide?`}>
      <div className="grid gap-3">
        <fieldset className="grid gap-2.5">
          <legend className="sr-only">{t`How do you decide?`}</legend>
          <Choice value="undo" chosen={chosen} onChoose={setChosen} title={t`Give it back to ${who}`}>
            {t`A new voucher, valid until ${day}. The shop does not get ${sum}.`}
          </Choice>
          <Choice value="stand" chosen={chosen} onChoose={setChosen} title={t`It was used: let it stand`}>
            {t`${sum} is the shop's again. ${who} reads so and cannot object once more.`}
          </Choice>
        </fieldset>
        <Field label={t`What ${who} reads with it`} optional={t`May stay empty`}>
          <Textarea value={answer} maxLength={300} rows={3} onChange={(change) => setAnswer(change.target.value)} />
        </Field>
        <Button size="office" disabled={!chosen} onClick={() => setAsks(true)}>
          {chosen === 'stand' ? <ShieldCheck aria-hidden /> : <RotateCcw aria-hidden />}
          {chosen ? (undo ? t`Give the use back` : t`Let it stand`) : t`Choose one of the two`}
        </Button>
        <p className="text-caption text-quiet">{t`If nobody decides in time, the customer gets it back by itself.`}</p>
      </div>
      <Dialog open={asks} onOpenChange={(open) => !open && setAsks(false)}>
        <Question
          title={undo ? t`Give it back to ${who}?` : t`Let the use stand?`}
          line={
            undo
              ? t`${who} gets a new voucher, valid until ${day}. The shop does not get ${sum}. This cannot be taken back.`
              : t`${sum} is the shop's again. ${who} reads so and cannot object once more. This cannot be taken back.`
          }
          button={undo ? t`Give the use back` : t`Let it stand`}
          of={decide}
          onYes={() => decide.mutate(undo)}
          onDone={() => setAsks(false)}
        />
      </Dialog>
    </RecordCard>
  );
}

/** One of the two ways to decide, with what it does to the money. */
function Choice({
  value,
  chosen,
  onChoose,
  title,
  children,
}: {
  value: Outcome;
  chosen: Outcome | undefined;
  onChoose: (value: Outcome) => void;
  title: string;
  children: string;
}) {
  return (
    <label className="flex cursor-pointer gap-3 rounded-touch px-3.5 py-3 shadow-[inset_0_0_0_1px_var(--line-strong)] has-checked:bg-accent has-checked:shadow-[inset_0_0_0_2px_var(--brand-mark)]">
      <input
        type="radio"
        name="outcome"
        value={value}
        checked={chosen === value}
        onChange={() => onChoose(value)}
        className="mt-0.5 size-5 shrink-0 accent-brand-mark"
      />
      <span className="min-w-0">
        <span className="block font-medium">{title}</span>
        <span className="block text-caption text-quiet">{children}</span>
      </span>
    </label>
  );
}
