import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { ApiError, errorSentence } from '@wlv/client/api-error';
import type { callForToken } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { type AnyFault, faultSentence } from '@wlv/client/faults';
import { session } from '@wlv/client/session';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Field } from '@wlv/ui/field';
import { Input } from '@wlv/ui/input';
import { WaitingRing } from '@wlv/ui/ring';
import { ErrorState } from '@wlv/ui/state';
import { type FormEvent, useState } from 'react';
import { type Area, areas } from '../../area.ts';
import { Preferences } from '../../shell/preferences.tsx';
import { RedMark } from '../../shell/red-mark.tsx';
import { keepPending } from './pending.ts';

/** The token behind the # of the address, which it leaves at once: no history and no referrer has it. */
export function takeToken() {
  const given = decodeURIComponent(location.hash.slice(1));
  if (given) history.replaceState(history.state, '', location.pathname + location.search);
  return given;
}

/** A link that sets nothing, and the way on. */
export function DeadLink({ error, area }: { error: Error | null; area: Area }) {
  const { t, i18n } = useLingui();
  return (
    <main className="grid min-h-dvh content-center justify-items-center">
      <ErrorState
        title={t`This link does not open`}
        line={
          error ? errorSentence(i18n, error) : t`Open the link that you were given once more, or ask for a new one.`
        }
      />
      <Button asChild variant="outline">
        <a href={areas[area].entry}>{t`Go to sign in`}</a>
      </Button>
    </main>
  );
}

export function LinkOpens() {
  const { t } = useLingui();
  return (
    <main role="status" aria-label={t`Loading…`} className="grid min-h-dvh content-center justify-items-center">
      <WaitingRing size={36} />
    </main>
  );
}

/** Where the person of a link chooses a password, with which he is signed in. */
export function SetPassword({
  area,
  name,
  username,
  least,
  until,
  send,
}: {
  area: Area;
  name: string;
  username: string;
  /** How long it must be at least. */
  least: number;
  /** How long the link is good, in words. */
  until?: string;
  send: (password: string) => ReturnType<typeof callForToken<'/api/authen/password/set'>>;
}) {
  const { t } = useLingui();
  return (
    <main className="mx-auto grid min-h-dvh max-w-[420px] content-center gap-5 px-4 py-10">
      <header className="grid justify-items-center gap-1 text-center">
        <RedMark size={64} />
        <h1 className="mt-3 text-h1 font-semibold">{t`Hello ${name}`}</h1>
        <p className="text-row text-muted-foreground">{t`Choose a password. You sign in as ${username}.`}</p>
      </header>
      <Card className="grid gap-4 p-6">
        <PasswordForm area={area} least={least} send={send} />
        {until && <p className="text-center text-caption text-quiet">{until}</p>}
      </Card>
      <Preferences className="justify-self-center" />
    </main>
  );
}

function PasswordForm({ area, least, send }: Pick<Parameters<typeof SetPassword>[0], 'area' | 'least' | 'send'>) {
  const { t, i18n } = useLingui();
  const router = useRouter();
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [asked, setAsked] = useState(false);
  const set = useMutation({
    mutationFn: () => send(password),
    onSuccess: ({ token, detail }) => {
      if (token) session.save(area, token);
      else if (detail.pending) keepPending(detail.pending);
      router.history.replace(token ? areas[area].base : areas[area].entry);
    },
  });
  const refused = set.error instanceof ApiError ? set.error.fields.find(({ path }) => path === 'password') : undefined;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    if (password.length >= least && password === again && !set.isPending) set.mutate();
  };
  const short = asked && password.length < least ? t`Use at least ${least} characters.` : undefined;
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <Field
        label={t`Password`}
        help={t`At least ${least} characters`}
        error={short ?? (refused && faultSentence(i18n, refused.fault as AnyFault))}
      >
        <Input
          type="password"
          autoComplete="new-password"
          maxLength={72}
          value={password}
          onChange={(event) => {
            setPassword(event.target.value);
            set.reset();
          }}
        />
      </Field>
      <Field
        label={t`The password once more`}
        error={asked && password !== again ? t`Passwords do not match` : undefined}
      >
        <Input
          type="password"
          autoComplete="new-password"
          maxLength={72}
          value={again}
          onChange={(event) => setAgain(event.target.value)}
        />
      </Field>
      {!refused && <FaultNote error={set.error} />}
      <Button type="submit" wide disabled={set.isPending}>
        {t`Set the password and sign in`}
      </Button>
    </form>
  );
}
