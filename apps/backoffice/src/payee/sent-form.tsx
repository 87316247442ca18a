import { useLingui } from '@lingui/react/macro';
import { isFault } from '@wlv/client/api-error';
import { useBankName } from '@wlv/client/bank';
import type { Detail } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { Button } from '@wlv/ui/button';
import { Chip } from '@wlv/ui/chip';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { Field } from '@wlv/ui/field';
import { date, dateTime } from '@wlv/ui/format';
import { Textarea } from '@wlv/ui/input';
import { Note } from '@wlv/ui/note';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { Facts } from '../resource/facts.tsx';
import { usePayeeChange } from './payee-change.ts';

export type Sent = Detail<'/api/owner/partner/record'>['forms'][number];

/** How an account that waits is answered. */
export interface Answers {
  accept: (body: { version_id: string; reason: string }) => Promise<unknown>;
  refuse: (body: { version_id: string; reason: string }) => Promise<unknown>;
  /** To who may take it back. */
  takeBack: ((version_id: string) => Promise<unknown>) | undefined;
  /** What follows from approving it. */
  description: string;
}

/** One account that was filled in, and what who looks can do with it while it waits. */
export function SentForm({ form, answers }: { form: Sent; answers: Answers | undefined }) {
  const { t } = useLingui();
  const bank = useBankName()(form.bank);
  const states = {
    pending: { title: form.seconded_at ? t`Waits for the platform` : t`Waits`, tone: 'warn' },
    approved: { title: t({ message: 'Approved', context: 'a form' }), tone: 'ok' },
    refused: { title: t({ message: 'Not approved', context: 'a form' }), tone: 'bad' },
    withdrawn: { title: t`Taken back`, tone: 'mute' },
  } as const;
  const state = states[form.state];
  return (
    <li className="grid gap-1 py-2.5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="font-medium">
          {form.name ? `${form.name} · ${bank} ····${form.account_digits}` : t`Forgotten`}
        </span>
        <Chip tone={state.tone}>{state.title}</Chip>
      </div>
      <p className="text-caption text-quiet">
        {[
          t`filled in by ${form.sent_by} ${dateTime(form.sent_at)}`,
          form.seconded_at && t`approved here by ${form.seconded_by} ${dateTime(form.seconded_at)}`,
          form.decided_at && t`answered ${dateTime(form.decided_at)}`,
          form.by_platform ? t`by the platform` : form.decided_by,
          form.pays_from && t`paid to since ${date(form.pays_from)}`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {form.reason && <p className="text-muted-foreground">{`“${form.reason}”`}</p>}
      {form.state === 'pending' && answers && <Decision form={form} answers={answers} />}
    </li>
  );
}

/** What who looks can do with an account that waits: another person than who filled it in approves it. */
function Decision({ form, answers }: { form: Sent; answers: Answers }) {
  const { t } = useLingui();
  const [step, setStep] = useState<'accept' | 'refuse'>();
  const { takeBack } = answers;
  const back = usePayeeChange(
    () => takeBack?.(form.id) ?? Promise.resolve(),
    t`Taken back`,
    () => undefined,
  );
  const decides = form.standing === 'answer' || form.standing === 'alone';
  const words = {
    answer: '',
    alone: t`You alone can approve this.`,
    tomorrow: t`You alone can approve this: sign in anew tomorrow, and approve it then.`,
    withdraw: form.seconded_at ? '' : t`You filled this in. Somebody else has to approve it.`,
    nothing: '',
  }[form.standing];
  return (
    <div className="grid gap-3 pt-1">
      {form.form && (
        <Facts
          of={[
            [form.kind === 'company' ? t`Tax ID` : t`ID card or passport`, form.form.tax_id || form.form.idcard],
            [t`Account`, form.form.account_number],
            [t`Account name`, form.form.account_name],
            [t`Mobile number`, form.form.mobilenumber],
          ]}
        />
      )}
      {!form.identity_right && (
        <Note tone="warn" icon={<CircleAlert aria-hidden />}>{t`The number's last digit does not fit`}</Note>
      )}
      {form.same.map((other) => (
        <Note key={other.payee_id} tone="bad" icon={<CircleAlert aria-hidden />} title={other.name}>
          <Same what={other.what} />
        </Note>
      ))}
      {words && <p className="text-caption text-quiet">{words}</p>}
      <div className="flex flex-wrap gap-2.5">
        {takeBack && (
          <Button size="office" variant="ghost" disabled={back.isPending} onClick={() => back.mutate(undefined)}>
            {t`Take back`}
          </Button>
        )}
        {decides && (
          <>
            <Button size="office" variant="outline" onClick={() => setStep('refuse')}>{t`Do not approve`}</Button>
            <Button size="office" onClick={() => setStep('accept')}>{t`Approve`}</Button>
          </>
        )}
      </div>
      <FaultNote error={back.error} />
      <Dialog open={step !== undefined} onOpenChange={(open) => !open && setStep(undefined)}>
        {step && <Answer form={form} answers={answers} accepts={step === 'accept'} onDone={() => setStep(undefined)} />}
      </Dialog>
    </div>
  );
}

function Same({ what }: { what: string[] }) {
  const { t } = useLingui();
  const words: { [what: string]: string } = {
    identity: t`the same ID card or tax ID`,
    account: t`the same bank account`,
    mobile: t`the same number`,
  };
  return <>{what.map((one) => words[one]).join(', ')}</>;
}

function Answer({
  form,
  answers,
  accepts,
  onDone,
}: {
  form: Sent;
  answers: Answers;
  accepts: boolean;
  onDone: () => void;
}) {
  const { t } = useLingui();
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const body = { version_id: form.id, reason: reason.trim() };
  const answer = usePayeeChange(
    () => (accepts ? answers.accept(body) : answers.refuse(body)),
    accepts ? t`The account is approved` : t`Answered`,
    onDone,
  );
  const needsReason =
    !accepts ||
    (!form.seconded_at &&
      (form.same.length > 0 ||
        isFault(answer.error, 'partner.duplicate') ||
        isFault(answer.error, 'settlement.duplicate')));
  const missing = needsReason && !reason.trim();
  return (
    <DialogContent
      title={accepts ? t`Approve this account?` : t`What is missing?`}
      description={accepts ? answers.description : t`Who filled it in reads your words.`}
      foot={
        <div className="flex justify-end gap-2.5">
          <Button size="office" variant="outline" onClick={onDone}>{t`Look again`}</Button>
          <Button
            size="office"
            disabled={answer.isPending}
            onClick={() => (missing ? setTried(true) : answer.mutate(undefined))}
          >
            {accepts ? t`Approve` : t`Send the answer`}
          </Button>
        </div>
      }
    >
      <div className="grid gap-3">
        {needsReason && (
          <Field
            label={accepts ? t`Why, although somebody else has the same` : t`Why`}
            error={tried && missing ? t`Write why` : undefined}
          >
            <Textarea rows={2} maxLength={300} value={reason} onChange={(event) => setReason(event.target.value)} />
          </Field>
        )}
        <FaultNote error={answer.error} />
      </div>
    </DialogContent>
  );
}
