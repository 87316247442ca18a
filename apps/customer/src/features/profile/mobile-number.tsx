import { useLingui } from '@lingui/react/macro';
import { FaultNote } from '@wlv/client/fault-note';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { Field } from '@wlv/ui/field';
import { countdown } from '@wlv/ui/format';
import { Input } from '@wlv/ui/input';
import { Note } from '@wlv/ui/note';
import { CircleCheck, Clock, ShieldCheck } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { EnoughCodes } from './enough-codes.tsx';
import { type CodeRequest, enoughUntil, isNoNumber, isShownElsewhere, thaiMobile, useSecondsUntil } from './mobile.ts';

/** The number that a code is sent to. */
export function MobileNumber({
  verified,
  typed,
  onType,
  code: { request, waitsUntil },
  onCode,
}: {
  /** The number that it takes the place of, without its middle. */
  verified: string | null;
  typed: string;
  onType: (typed: string) => void;
  code: CodeRequest;
  /** A code was sent to this number. */
  onCode: (mobile: string) => void;
}) {
  const { t } = useLingui();
  const [asked, setAsked] = useState(false);
  const mobile = thaiMobile(typed);
  const left = useSecondsUntil(waitsUntil(mobile));
  const until = enoughUntil(request.error);
  const wrong = (asked && !mobile) || isNoNumber(request.error);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    if (!mobile) event.currentTarget.querySelector('input')?.focus();
    else if (left > 0) onCode(mobile);
    else if (!request.isPending) request.mutate({ mobile }, { onSuccess: () => onCode(mobile) });
  };
  const type = (text: string) => {
    onType(text);
    request.reset();
  };

  return (
    <form noValidate className="grid grid-cols-1 gap-4 pt-1" onSubmit={submit}>
      {verified && (
        <Note tone="ok" icon={<CircleCheck aria-hidden />} title={t`${verified} is verified`}>
          {t`It stays until a new number is verified.`}
        </Note>
      )}
      <Field
        label={verified ? t`New mobile number` : t`Mobile number`}
        help={t`For example 081-234-5678 or +66 81 234 5678`}
        error={wrong ? t`Enter a Thai mobile number with ten digits.` : undefined}
      >
        <Input
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          maxLength={24}
          value={typed}
          onChange={(event) => type(event.target.value)}
        />
      </Field>
      {left > 0 && <Waiting left={countdown(left)} />}
      {until && <EnoughCodes until={until} />}
      <FaultNote error={isShownElsewhere(request.error) ? null : request.error} />
      <Note icon={<ShieldCheck aria-hidden />}>
        {t`A code by SMS proves that the number is yours. The shop keeps the number with your account, and My data shows it.`}
      </Note>
      <ActionFoot>
        <Button type="submit" wide disabled={request.isPending} aria-busy={request.isPending}>
          {request.isPending ? t`Sending the code…` : left > 0 ? t`Enter the code` : t`Send the code by SMS`}
        </Button>
      </ActionFoot>
    </form>
  );
}

function Waiting({ left }: { left: string }) {
  const { t } = useLingui();
  return (
    <Note tone="warn" icon={<Clock aria-hidden />}>
      <p role="alert">{t`This number has to wait before it gets another code. If you have one, enter it.`}</p>
      <p role="timer">{t`A new code can be sent in ${left}`}</p>
    </Note>
  );
}
