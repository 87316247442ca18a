import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@wlv/client/api-error';
import { type Body, call } from '@wlv/client/call';
import { faultSentence } from '@wlv/client/faults';
import { Button } from '@wlv/ui/button';
import { DateInput } from '@wlv/ui/date-input';
import { Dialog, DialogTrigger } from '@wlv/ui/dialog';
import { Field } from '@wlv/ui/field';
import { baht, calendarDay } from '@wlv/ui/format';
import { Textarea } from '@wlv/ui/input';
import { Segment } from '@wlv/ui/segment';
import { toast } from '@wlv/ui/toast';
import { MessageSquareText } from 'lucide-react';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { Question } from '../../record/question.tsx';
import { changedByRun, outcomes, type Payout, payoutModule } from './payout-states.ts';

type Outcome = Body<'/api/owner/payout/say'>['outcome'];

/** What can still be said of a payout; what is over has its last word. */
const sayable: Partial<Record<NonNullable<Payout['state']>, Outcome[]>> = {
  booked: ['paid', 'failed'],
  sent: ['paid', 'failed', 'returned'],
  paid: ['returned'],
};

/** Says of one payout what became of it, where no file of the bank does. */
export function SayOf({ row, framed }: { row: Payout; framed?: boolean }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const [open, setOpen] = useState(false);
  const choices = sayable[row.state ?? 'ready'];
  if (!choices || !can(payoutModule, 'u')) return null;
  const who = row.payee_name || '–';
  const paid = row.state === 'paid';
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        {framed ? (
          <Button size="office" variant="outline">
            <MessageSquareText aria-hidden />
            {paid ? t`It came back` : t`Say what became of it`}
          </Button>
        ) : (
          <Button
            size="row"
            variant={paid ? 'outline' : 'soft'}
            className="relative z-[1]"
            aria-label={paid ? t`The payout to ${who} came back` : t`Say what became of the payout to ${who}`}
          >
            {paid ? t`It came back` : t({ message: 'Say', context: 'what became of a payout' })}
          </Button>
        )}
      </DialogTrigger>
      {open && <Say row={row} choices={choices} onDone={() => setOpen(false)} />}
    </Dialog>
  );
}

function Say({ row, choices, onDone }: { row: Payout; choices: Outcome[]; onDone: () => void }) {
  const { t, i18n } = useLingui();
  const client = useQueryClient();
  const today = calendarDay(Date.now());
  const { id = '', pay_day: payDay = today, net_satang: net = 0, run_kind: kind } = row;
  const [outcome, setOutcome] = useState<Outcome>(choices[0] ?? 'paid');
  const [day, setDay] = useState<string | null>(payDay < today && outcome === 'paid' ? payDay : today);
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const words = reason.trim();
  const sum = baht(net);
  const who = row.payee_name || '–';
  const needsReason = outcome !== 'paid';
  const missing = t`Please fill this in`;
  const says = {
    paid: {
      line: t`Say so only if your bank has paid ${sum}. ${who} is told that it was transferred.`,
      done: t`${sum} is written down as paid`,
    },
    failed: {
      line:
        kind === 'refund'
          ? t`${sum} goes to the Wallet of ${who} at once, and pays first what is owed. This cannot be taken back.`
          : t`The commission goes back and can be paid by the next run. Nothing is withheld of it. ${who} reads why.`,
      done: t`It is written down as not paid`,
    },
    returned: {
      line:
        kind === 'refund'
          ? t`${sum} goes to the Wallet of ${who} at once, and pays first what is owed. This cannot be taken back.`
          : t`${sum} goes back and can be paid by the next run. What was withheld stays so. ${who} reads why.`,
      done: t`It is written down that it came back`,
    },
  }[outcome];
  const say = useMutation({
    mutationFn: () => call('/api/owner/payout/say', { id, outcome, day: day ?? '', reason: needsReason ? words : '' }),
    onSuccess: () => {
      toast({ tone: 'ok', title: says.done });
      onDone();
    },
    // Also after a refusal: the bank's file has said it meanwhile.
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => changedByRun.test(String(queryKey[0])) }),
  });
  const refused = (path: string) => {
    const field = say.error instanceof ApiError ? say.error.fields.find((one) => one.path === path) : undefined;
    return field && faultSentence(i18n, field.fault);
  };
  const send = () => {
    setTried(true);
    if (day && (words || !needsReason)) say.mutate();
  };
  return (
    <Question
      title={choices.length > 1 ? t`What became of the payout to ${who}?` : t`Did the payout to ${who} come back?`}
      line={says.line}
      button={t`Write it down`}
      of={say}
      onYes={send}
      onDone={onDone}
    >
      {choices.length > 1 && (
        <Segment
          title={t`Outcome`}
          value={outcome}
          onChange={setOutcome}
          options={choices.map((value) => ({ value, label: i18n._(outcomes[value]) }))}
        />
      )}
      <Field
        label={outcome === 'paid' ? t({ message: 'Paid on', context: 'a payout' }) : t`Day`}
        error={tried && !day ? missing : refused('day')}
        help={t`As your bank says`}
      >
        <DateInput size="office" value={day} onChange={setDay} />
      </Field>
      {needsReason && (
        <Field
          label={kind === 'refund' ? t`Why?` : t`Why, for ${who} to read`}
          help={kind === 'refund' ? t`For your shop only` : undefined}
          error={tried && !words ? missing : refused('reason')}
        >
          <Textarea value={reason} maxLength={300} rows={2} onChange={(change) => setReason(change.target.value)} />
        </Field>
      )}
    </Question>
  );
}
