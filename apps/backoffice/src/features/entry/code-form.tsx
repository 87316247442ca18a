import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { callForToken } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { session } from '@wlv/client/session';
import { Button } from '@wlv/ui/button';
import { Field } from '@wlv/ui/field';
import { Input } from '@wlv/ui/input';
import { type FormEvent, useState } from 'react';
import type { Area } from '../../area.ts';

/** The second step of signing in: a code of the app on the phone, or a recovery code. */
export function CodeForm({
  area,
  pending,
  onDone,
  onAgain,
}: {
  area: Area;
  /** Names the sign-in that waits. */
  pending: string;
  onDone: () => void;
  onAgain: () => void;
}) {
  const { t } = useLingui();
  const [code, setCode] = useState('');
  const [asked, setAsked] = useState(false);
  const go = useMutation({
    mutationFn: () => callForToken('/api/authen/code', { pending, code: code.trim() }),
    onSuccess: ({ token }) => {
      session.save(area, token);
      onDone();
    },
    onError: () => setCode(''),
  });
  const short = code.trim().length < 6;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    if (!short && !go.isPending) go.mutate();
  };
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <Field
        label={t`Code`}
        help={t`Six digits from the app on your phone. Without the phone: one of your recovery codes.`}
        error={asked && short && !go.error ? t`Enter the code.` : undefined}
      >
        <Input
          value={code}
          autoFocus
          autoCapitalize="none"
          autoComplete="one-time-code"
          maxLength={20}
          onChange={(event) => setCode(event.target.value)}
        />
      </Field>
      <FaultNote error={go.error} />
      <Button type="submit" wide disabled={go.isPending}>
        {go.isPending ? t`Signing you in…` : t`Sign in`}
      </Button>
      <Button variant="ghost" wide onClick={onAgain}>
        {t`Start again`}
      </Button>
    </form>
  );
}
