import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ApiError, isFault } from '@wlv/client/api-error';
import { call } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { RetryOptions } from '@wlv/client/retry-options';
import { Button } from '@wlv/ui/button';
import { Checkbox } from '@wlv/ui/checkbox';
import { Dialog } from '@wlv/ui/dialog';
import { Field } from '@wlv/ui/field';
import { Textarea } from '@wlv/ui/input';
import { Note } from '@wlv/ui/note';
import { Select } from '@wlv/ui/select';
import { toast } from '@wlv/ui/toast';
import { CircleAlert, Handshake } from 'lucide-react';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { Question } from '../../record/question.tsx';
import { useLookup } from '../../resource/lookup.ts';
import type { AgentRecord, SentForm } from './agent-record.ts';

interface Props {
  record: AgentRecord;
  form: SentForm;
}

/** Approves a form, or refuses it with words that its sender reads and what alone he has to mend. */
export function DecideAgent({ record, form }: Props) {
  const { t } = useLingui();
  const { can } = usePerson();
  const [step, setStep] = useState<'accept' | 'refuse'>();
  if (!can('agent', 's')) return <p className="flex-1 text-quiet">{t`You may not decide this.`}</p>;
  return (
    <>
      <p className="min-w-40 flex-1 text-caption text-quiet">
        {record.own
          ? t`This is your own LINE account: somebody else has to approve it.`
          : t`Your answer goes to LINE. What you do not name is not asked again.`}
      </p>
      <Button size="office" variant="outline" onClick={() => setStep('refuse')}>
        {t`Do not approve`}
      </Button>
      <Button size="office" disabled={record.own} onClick={() => setStep('accept')}>
        <Handshake aria-hidden />
        {t`Approve`}
      </Button>
      <Dialog open={step !== undefined} onOpenChange={(open) => !open && setStep(undefined)}>
        {step === 'accept' && <Accept record={record} form={form} onDone={() => setStep(undefined)} />}
        {step === 'refuse' && <Refuse record={record} form={form} onDone={() => setStep(undefined)} />}
      </Dialog>
    </>
  );
}

const changed = /^\/api\/owner\/(agent|story|get|detail)\b/;

function useDecision(decide: () => Promise<unknown>, done: string, onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: decide,
    onSuccess: () => {
      toast({ tone: 'ok', title: done });
      onDone();
    },
    // Also after a refusal: it was taken back or decided on meanwhile.
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => changed.test(String(queryKey[0])) }),
  });
}

function Accept({ record, form, onDone }: Props & { onDone: () => void }) {
  const { t } = useLingui();
  const sells = record.state === 'approved' || record.state === 'suspended';
  const { choices, asked } = useLookup('agenttype');
  const [chosen, setChosen] = useState<string>();
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const type = chosen ?? (choices.length === 1 ? choices[0]?.value : undefined);
  const shared = form.same.length > 0;
  const taken = form.same.some(({ what }) => what.includes('identity'));
  const missing = (!sells && !type) || (shared && !reason.trim());
  const accept = useDecision(
    () =>
      call('/api/owner/agent/accept', {
        version_id: form.id,
        agent_type_id: sells ? null : (type ?? null),
        reason: reason.trim(),
      }),
    sells ? t`The new details are approved` : t`${form.name} sells for you now`,
    onDone,
  );
  const duplicate = isFault(accept.error, 'agent.duplicate')
    ? (accept.error as ApiError & { detail: { name: string } }).detail.name
    : undefined;
  return (
    <Question
      title={sells ? t`Approve the new details?` : t`Let ${form.name} sell?`}
      line={
        sells
          ? t`A new account is paid to after 7 days.`
          : t`The agents' app opens at once. Who approved it stands in the record.`
      }
      button={t`Approve`}
      disabled={taken}
      of={accept}
      onYes={() => (missing ? setTried(true) : accept.mutate())}
      onDone={onDone}
    >
      {taken && (
        <Note tone="bad" icon={<CircleAlert aria-hidden />}>
          {t`Another agent has this ID card or tax ID. It cannot be approved.`}
        </Note>
      )}
      {!sells && (
        <Field label={t`Agent type`} error={tried && !type ? t`Choose one` : undefined}>
          <Select size="office" placeholder={t`Choose`} value={type} onChange={setChosen} options={choices} />
        </Field>
      )}
      <RetryOptions of={asked} />
      {shared && !taken && (
        <Field
          label={t`Why, although another agent has the same`}
          error={tried && !reason.trim() ? t`Write why` : undefined}
        >
          <Textarea rows={2} maxLength={300} value={reason} onChange={(event) => setReason(event.target.value)} />
        </Field>
      )}
      <FaultNote error={accept.error}>{duplicate && ` (${duplicate})`}</FaultNote>
    </Question>
  );
}

function Refuse({ record, form, onDone }: Props & { onDone: () => void }) {
  const { t } = useLingui();
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const [fields, setFields] = useState<string[]>([]);
  const company = form.kind === 'company';
  const groups: [string, string[]][] = [
    [t`Name`, company ? ['firstname', 'lastname', 'company_name'] : ['firstname', 'lastname']],
    [company ? t`Tax ID, branch` : t`ID card number`, company ? ['tax_id', 'branch', 'idcard'] : ['idcard']],
    [t`Address`, ['address', 'subdistrict', 'district', 'province', 'postcode']],
    [t`Mobile number`, ['mobilenumber']],
    [t`Account`, ['bank', 'account_number']],
    [t`Account name`, ['account_name']],
    [t`Picture of the ID card`, ['picture_idcard']],
    [t`Picture of the bank book`, ['picture_bank']],
  ];
  const unsaid = !reason.trim();
  const sells = record.state === 'approved' || record.state === 'suspended';
  const refuse = useDecision(
    () => call('/api/owner/agent/refuse', { version_id: form.id, reason: reason.trim(), fields }),
    t`Answered`,
    onDone,
  );
  return (
    <Question
      title={t`What is missing?`}
      line={
        sells
          ? t`${form.name} goes on selling, and is paid as before.`
          : t`${form.name} reads your words and mends what you name.`
      }
      button={t`Send the answer`}
      of={refuse}
      onYes={() => (unsaid ? setTried(true) : refuse.mutate())}
      onDone={onDone}
    >
      <fieldset className="grid gap-2 sm:grid-cols-2">
        <legend className="mb-2 text-sm font-medium">{t`To be mended`}</legend>
        {groups.map(([name, of]) => {
          const on = of.every((field) => fields.includes(field));
          return (
            <label key={name} htmlFor={of[0]} className="flex min-h-9 items-center gap-2.5">
              <Checkbox
                id={of[0]}
                size="office"
                checked={on}
                onCheckedChange={() =>
                  setFields((now) => (on ? now.filter((field) => !of.includes(field)) : [...now, ...of]))
                }
              />
              {name}
            </label>
          );
        })}
      </fieldset>
      <Field label={t`Why, for ${form.name} to read`} error={tried && unsaid ? t`Write why` : undefined}>
        <Textarea rows={3} maxLength={300} value={reason} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </Question>
  );
}
