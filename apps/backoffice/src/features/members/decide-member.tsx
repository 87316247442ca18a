import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '@wlv/client/call';
import { useTexts } from '@wlv/client/page';
import { Field } from '@wlv/ui/field';
import { baht } from '@wlv/ui/format';
import { Textarea } from '@wlv/ui/input';
import { toast } from '@wlv/ui/toast';
import { type ReactNode, useState } from 'react';
import { Question } from '../../record/question.tsx';
import type { Applicant } from './applicant.ts';

interface Props {
  one: Applicant;
  onDone: () => void;
}

/** Grants the card from today; where another member has the same, with a reason. */
export function ApproveMember({ one, onDone }: Props) {
  const { t } = useLingui();
  const text = useTexts();
  const type = text(one, 'type_name');
  return (
    <Decide
      title={t`Grant ${type} to ${one.name}?`}
      description={t`The card begins today; a renewal begins the day after the old one.`}
      label={one.same.length ? t`Why, although another member has the same` : undefined}
      button={t`Approve`}
      done={t`${one.name} is a member now`}
      decide={(reason) => call('/api/owner/memberlist/approve', { id: one.id, reason })}
      onDone={onDone}
    />
  );
}

/** Refuses it, with words that the applicant reads. */
export function RefuseMember({ one, onDone }: Props) {
  const { t } = useLingui();
  const paid = baht(one.paid_satang);
  return (
    <Decide
      title={t`Refuse ${one.name}?`}
      description={
        one.paid_satang > 0
          ? t`The applicant reads your words and can apply again. The ${paid} that were paid go back into their Wallet.`
          : t`The applicant reads your words and can apply again. Nothing was paid.`
      }
      label={t`Why, for ${one.name} to read`}
      button={t`Send the answer`}
      done={t`Answered`}
      decide={(reason) => call('/api/owner/memberlist/refuse', { id: one.id, reason })}
      onDone={onDone}
    />
  );
}

const changed = /^\/api\/owner\/(memberlist|get|detail)\b/;

function Decide({
  title,
  description,
  label,
  button,
  done,
  decide,
  onDone,
}: {
  title: string;
  description: string;
  /** Of the reason, where one is needed. */
  label: ReactNode;
  button: string;
  done: string;
  decide: (reason: string) => Promise<unknown>;
  onDone: () => void;
}) {
  const { t } = useLingui();
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const missing = Boolean(label) && !reason.trim();
  const send = useMutation({
    mutationFn: () => decide(reason.trim()),
    onSuccess: () => {
      toast({ tone: 'ok', title: done });
      onDone();
    },
    // Also after a refusal: it was taken back or decided on meanwhile.
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => changed.test(String(queryKey[0])) }),
  });
  return (
    <Question
      title={title}
      line={description}
      button={button}
      of={send}
      onYes={() => (missing ? setTried(true) : send.mutate())}
      onDone={onDone}
    >
      {label && (
        <Field label={label} error={tried && missing ? t`Write why` : undefined}>
          <Textarea rows={3} maxLength={300} value={reason} onChange={(event) => setReason(event.target.value)} />
        </Field>
      )}
    </Question>
  );
}
