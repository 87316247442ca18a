import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { type ApiError, isFault } from '@wlv/client/api-error';
import { mutation } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { useNow } from '@wlv/client/use-now';
import { Button } from '@wlv/ui/button';
import { CodeInput } from '@wlv/ui/code-input';
import { Field } from '@wlv/ui/field';
import { countdown, dateTime } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { phone } from '@wlv/ui/phone';
import { CircleAlert, Info, Timer } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { canBeVerified, type Form, plain, useKeepApplication } from '../../application/application.ts';

const digits = 6;

/** The code that was sent to the number in the form. The last digit sends it. */
export function CodeStep({ form, onChange, onVerified }: { form: Form; onChange: () => void; onVerified: () => void }) {
  const { t } = useLingui();
  const keep = useKeepApplication();
  const [typed, setTyped] = useState('');
  const [until, setUntil] = useState(0);
  const number = plain('mobilenumber', form.mobilenumber);
  const request = useMutation({
    ...mutation('/api/agent/register/code'),
    onSuccess: (sent) => {
      setUntil(Date.now() + sent.again_seconds * 1000);
      setTyped('');
      verify.reset();
    },
    onError: (error) => {
      if (isFault(error, 'otp.wait')) setUntil(Date.now() + detailOf<{ seconds: number }>(error).seconds * 1000);
    },
  });
  const verify = useMutation({
    ...mutation('/api/agent/register/verify'),
    onSuccess: (application) => {
      keep(application);
      onVerified();
    },
    onError: () => setTyped(''),
  });
  const asked = useRef(false);
  useEffect(() => {
    if (asked.current || !canBeVerified(number)) return;
    asked.current = true;
    request.mutate({});
  }, [number, request]);
  const type = (text: string) => {
    if (verify.isPending) return;
    setTyped(text);
    if (text.length === digits) verify.mutate({ code: text });
  };
  const over = isFault(verify.error, 'otp.over');
  const tries = isFault(verify.error, 'otp.wrong') ? detailOf<{ tries_left: number }>(verify.error).tries_left : null;
  const enough = isFault(request.error, 'otp.enough') ? detailOf<{ until: string }>(request.error).until : null;

  if (!canBeVerified(number)) {
    return (
      <>
        <Note tone="warn" icon={<CircleAlert aria-hidden />} title={t`No SMS reaches this number`}>
          {t`A number of 8 or 9 digits can be kept, but not verified. Give a mobile number of ten digits to send the form.`}
        </Note>
        <Button wide onClick={onChange}>
          {t`Change the number`}
        </Button>
      </>
    );
  }
  return (
    <div className="grid grid-cols-1 gap-4 px-1">
      <div>
        <h2 className="text-h1 font-semibold">{t`Type the 6 digits`}</h2>
        <p className="mt-1.5 flex flex-wrap items-baseline gap-x-3 text-row text-muted-foreground">
          <span>
            <Trans>
              By SMS to <span className="whitespace-nowrap font-semibold text-foreground">{phone(number)}</span>
            </Trans>
          </span>
          <Button variant="ghost" size="xs" onClick={onChange}>
            {t`Change the number`}
          </Button>
        </p>
      </div>
      <Field
        label={<span className="sr-only">{t`Code of six digits`}</span>}
        error={
          tries !== null ? (
            <Trans>
              Wrong code. <Plural value={tries} one="# try left." other="# tries left." />
            </Trans>
          ) : undefined
        }
      >
        <CodeInput
          digits={digits}
          value={typed}
          onChange={type}
          autoComplete="one-time-code"
          autoFocus
          disabled={over || verify.isPending}
        />
      </Field>
      {verify.isPending && <p role="status">{t`Checking the code…`}</p>}
      <FaultNote error={over || (verify.error && tries === null) ? verify.error : null} />
      <FaultNote
        error={
          request.error && !isFault(request.error, 'otp.wait') && !isFault(request.error, 'otp.enough')
            ? request.error
            : null
        }
      />
      {enough ? (
        <Note tone="warn" icon={<CircleAlert aria-hidden />}>
          {t`Too many codes were sent. Again at ${dateTime(enough)}.`}
        </Note>
      ) : (
        <Again until={until} busy={request.isPending} onSend={() => request.mutate({})} />
      )}
      <Note icon={<Info aria-hidden />}>
        <p>{t`The code is good for 5 minutes and 5 tries.`}</p>
        <p>{t`Nobody asks you for it, not even the shop.`}</p>
      </Note>
    </div>
  );
}

function Again({ until, busy, onSend }: { until: number; busy: boolean; onSend: () => void }) {
  const { t } = useLingui();
  useNow();
  const left = Math.max(0, Math.ceil((until - Date.now()) / 1000));
  if (busy) return <p role="status">{t`Sending the code…`}</p>;
  if (left > 0) {
    const clock = countdown(left);
    return (
      <p role="timer" className="flex items-center gap-2 text-row">
        <Timer aria-hidden className="size-5 text-brand-text" />
        {t`You can ask for a new code in ${clock}`}
      </p>
    );
  }
  return (
    <Button variant="outline" wide onClick={onSend}>
      {t`Send a new code`}
    </Button>
  );
}

function detailOf<Of>(error: unknown) {
  return (error as ApiError).detail as Of;
}
