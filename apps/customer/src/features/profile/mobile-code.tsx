import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { isFault } from '@wlv/client/api-error';
import { FaultNote } from '@wlv/client/fault-note';
import { Button } from '@wlv/ui/button';
import { CodeInput } from '@wlv/ui/code-input';
import { Field } from '@wlv/ui/field';
import { countdown } from '@wlv/ui/format';
import { phone } from '@wlv/ui/phone';
import { useEffect, useRef, useState } from 'react';
import { EnoughCodes } from './enough-codes.tsx';
import { type CodeRequest, enoughUntil, isShownElsewhere, triesLeft, useCodeCheck, useSecondsUntil } from './mobile.ts';

const digits = 6;

/** The code that was sent. It is checked as soon as it is whole. */
export function MobileCode({
  mobile,
  code: { request, waitsUntil },
  onChange,
  onVerified,
}: {
  mobile: string;
  code: CodeRequest;
  /** The person wants another number. */
  onChange: () => void;
  onVerified: () => void;
}) {
  const { t } = useLingui();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const check = useCodeCheck();
  const number = phone(mobile);
  const tries = triesLeft(check.error);
  const over = isFault(check.error, 'otp.over');
  const otherwise = tries === undefined && !over ? check.error : null;

  const until = waitsUntil(mobile);
  const left = useSecondsUntil(until);

  // At first, and with each code that was sent: what was pressed is gone then.
  useEffect(() => {
    if (until && !over) field.current?.focus();
  }, [until, over]);

  const verify = (code: string) =>
    check.mutate(
      { mobile, code },
      {
        onSuccess: onVerified,
        onError: (error) => {
          if (triesLeft(error) !== undefined || isFault(error, 'otp.over')) setTyped('');
        },
      },
    );
  const type = (text: string) => {
    if (check.isPending) return;
    setTyped(text);
    if (text.length === digits) verify(text);
  };
  const sendAgain = () =>
    request.mutate(
      { mobile },
      {
        onSuccess: () => {
          check.reset();
          setTyped('');
        },
      },
    );

  return (
    <div className="grid grid-cols-1 gap-4 pt-1">
      <p className="text-row text-muted-foreground">
        <Trans>
          The code comes by SMS to <span className="whitespace-nowrap font-semibold text-foreground">{number}</span>
        </Trans>
      </p>
      <Field
        label={t`Code of six digits`}
        help={
          over ? undefined : check.isPending ? t`Checking the code…` : t`It is checked as soon as all six are there.`
        }
        error={
          tries !== undefined ? (
            <Trans>
              Wrong code. <Plural value={tries} one="# try left." other="# tries left." />
            </Trans>
          ) : undefined
        }
      >
        <CodeInput
          ref={field}
          digits={digits}
          value={typed}
          onChange={type}
          autoComplete="one-time-code"
          disabled={over}
        />
      </Field>
      <FaultNote error={over ? check.error : null} />
      <FaultNote error={otherwise} />
      {otherwise && (
        <Button wide disabled={check.isPending || typed.length < digits} onClick={() => verify(typed)}>
          {t`Check the code again`}
        </Button>
      )}
      <SendAgain request={request} left={left} needed={over} onSend={sendAgain} />
      <Button variant="ghost" wide onClick={onChange}>
        {t`Change the number`}
      </Button>
    </div>
  );
}

/** Another code, once it may be asked for. After one that is over it is the only way on. */
function SendAgain({
  request,
  left,
  needed,
  onSend,
}: {
  request: CodeRequest['request'];
  left: number;
  needed: boolean;
  onSend: () => void;
}) {
  const { t } = useLingui();
  const until = enoughUntil(request.error);
  const clock = countdown(left);
  if (until) return <EnoughCodes until={until} />;
  if (left > 0) {
    return (
      <p role="timer" className="py-3 text-center text-row text-quiet">
        {t`You can ask for a new code in ${clock}`}
      </p>
    );
  }
  return (
    <>
      <FaultNote error={isShownElsewhere(request.error) ? null : request.error} />
      <Button wide variant={needed ? 'default' : 'outline'} disabled={request.isPending} onClick={onSend}>
        {request.isPending ? t`Sending the code…` : t`Send a new code`}
      </Button>
    </>
  );
}
