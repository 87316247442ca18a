import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callOnce } from '@wlv/client/call-once';
import { faultSentence } from '@wlv/client/faults';
import { Button } from '@wlv/ui/button';
import { Dialog } from '@wlv/ui/dialog';
import { Field } from '@wlv/ui/field';
import { count, date } from '@wlv/ui/format';
import { Input, Textarea } from '@wlv/ui/input';
import { Note } from '@wlv/ui/note';
import { Segment } from '@wlv/ui/segment';
import { toast } from '@wlv/ui/toast';
import { ArrowRight, Coins, Users } from 'lucide-react';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { Question } from '../../record/question.tsx';
import type { RecordOf } from '../../resource/resource.ts';

type Member = RecordOf<'memberlist'>;

/** At the foot of a member's record: give points, or take some, which two people decide. */
export function AdjustPoints({ record }: { record: Member }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const [open, setOpen] = useState(false);
  if (!can('memberlist', 's') || record.state === 'left') return null;
  return (
    <>
      <Button size="office" variant="outline" onClick={() => setOpen(true)}>
        <Coins aria-hidden />
        {t`Adjust points`}
      </Button>
      <Dialog open={open} onOpenChange={setOpen}>
        {open && <Adjust record={record} onDone={() => setOpen(false)} />}
      </Dialog>
    </>
  );
}

const most = 1_000_000;

/** The last day of the month that is so many months later. */
function endOfMonth(months: number) {
  const now = new Date();
  return new Date(Date.UTC(now.getFullYear(), now.getMonth() + months + 1, 0)).toISOString().slice(0, 10);
}

const whole = (text: string) => Number(text.replace(/\D/g, '').slice(0, 7));

function Adjust({ record, onDone }: { record: Member; onDone: () => void }) {
  const { t, i18n } = useLingui();
  const client = useQueryClient();
  const [way, setWay] = useState<'give' | 'take'>('give');
  const [points, setPoints] = useState(0);
  const [months, setMonths] = useState(12);
  const [reason, setReason] = useState('');
  const has = record.points ?? 0;
  const by = way === 'give' ? points : -points;
  const missing = way === 'take' && points > Math.max(has, 0);
  const good = way === 'take' || (months >= 1 && months <= 60);
  const ask = useMutation({
    mutationFn: () =>
      callOnce('/api/owner/memberlist/points/ask', {
        customer_id: record.customer_id ?? '',
        points: by,
        months: way === 'give' ? months : 12,
        reason: reason.trim(),
      }),
    onSuccess: () => {
      onDone();
      toast({ tone: 'ok', title: t`Asked for`, line: t`Nothing moves until a second person has approved it.` });
    },
    onSettled: () =>
      client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).includes('/approval') }),
  });
  const last = good ? date(endOfMonth(months)) : '';
  return (
    <Question
      title={t`Adjust points`}
      line={`${record.name ?? ''} · ${record.number ?? ''}`}
      button={
        <>
          <Users aria-hidden />
          {t`Ask for it`}
        </>
      }
      disabled={points < 1 || points > most || missing || !good || !reason.trim()}
      of={ask}
      onYes={() => ask.mutate()}
      onDone={onDone}
    >
      <Segment
        wide
        title={t`Give or take`}
        value={way}
        options={[
          { value: 'give', label: t({ message: 'Give', context: 'points' }) },
          { value: 'take', label: t({ message: 'Take', context: 'points' }) },
        ]}
        onChange={setWay}
      />
      <Field
        label={t`Points`}
        error={
          missing
            ? faultSentence(i18n, 'points.not_there')
            : points > most
              ? t`At most ${count(most)} at once`
              : undefined
        }
      >
        <Input
          size="office"
          inputMode="numeric"
          value={points || ''}
          onChange={(event) => setPoints(whole(event.target.value))}
        />
      </Field>
      {way === 'give' && (
        <Field
          label={t`For how many months?`}
          help={good ? t`They are good until ${last}.` : undefined}
          error={good ? undefined : t`1 to 60 months`}
        >
          <Input
            size="office"
            inputMode="numeric"
            value={months || ''}
            onChange={(event) => setMonths(whole(event.target.value))}
          />
        </Field>
      )}
      <Field label={t`Why?`} help={t`Whoever approves it reads this; the member does not.`}>
        <Textarea value={reason} maxLength={300} rows={3} onChange={(event) => setReason(event.target.value)} />
      </Field>
      <p className="flex items-baseline gap-2.5">
        <span className="text-quiet">{count(has)}</span>
        <ArrowRight aria-hidden className="size-4 shrink-0 self-center text-quiet" />
        <span className="text-h2 font-bold">{missing ? '–' : count(has + by)}</span>
        <span className="text-quiet">{plural(missing ? 0 : has + by, { one: 'point', other: 'points' })}</span>
      </p>
      <Note tone="warn" icon={<Users aria-hidden />} title={t`The points change when a second person approves it`}>
        {t`Who asks can't approve. If nobody answers within 3 days, it lapses.`}
      </Note>
    </Question>
  );
}
