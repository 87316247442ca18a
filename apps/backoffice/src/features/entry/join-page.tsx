import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { errorSentence } from '@wlv/client/api-error';
import { callForToken, query } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { useTitle } from '@wlv/client/page';
import { session } from '@wlv/client/session';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Field } from '@wlv/ui/field';
import { dateTime } from '@wlv/ui/format';
import { Input } from '@wlv/ui/input';
import { WaitingRing } from '@wlv/ui/ring';
import { ErrorState } from '@wlv/ui/state';
import { type FormEvent, useState } from 'react';
import { Preferences } from '../../shell/preferences.tsx';
import { RedMark } from '../../shell/red-mark.tsx';

/** The token behind the # of the address, which it leaves at once: no history and no referrer has it. */
function takeToken() {
  const given = decodeURIComponent(location.hash.slice(1));
  if (given) history.replaceState(history.state, '', location.pathname);
  return given;
}

/** Where an admin sets a password by the link that he was given. */
export function JoinPage() {
  const { t, i18n } = useLingui();
  useTitle(t`Set a password`);
  const [token] = useState(takeToken);
  const invitation = useQuery({
    ...query('/api/authen/admin/invitation', { token }),
    enabled: Boolean(token),
    retry: false,
  });
  if (!token || invitation.isError) {
    return (
      <main className="grid min-h-dvh content-center justify-items-center">
        <ErrorState
          title={t`This link does not open`}
          line={
            invitation.isError
              ? errorSentence(i18n, invitation.error)
              : t`Open the link that you were given once more, or ask for a new one.`
          }
        />
        <Button asChild variant="outline">
          <a href="/advwsadmin/loginpage">{t`Go to sign in`}</a>
        </Button>
      </main>
    );
  }
  if (invitation.isPending) {
    return (
      <main role="status" aria-label={t`Loading…`} className="grid min-h-dvh content-center justify-items-center">
        <WaitingRing size={36} />
      </main>
    );
  }
  const { name, username, expires_at } = invitation.data;
  return (
    <main className="mx-auto grid min-h-dvh max-w-[420px] content-center gap-5 px-4 py-10">
      <header className="grid justify-items-center gap-1 text-center">
        <RedMark size={64} />
        <h1 className="mt-3 text-h1 font-semibold">{t`Hello ${name}`}</h1>
        <p className="text-row text-muted-foreground">{t`Choose a password. You sign in as ${username}.`}</p>
      </header>
      <Card className="grid gap-4 p-6">
        <PasswordForm token={token} />
        <p className="text-center text-caption text-quiet">{t`The link is good until ${dateTime(expires_at)}.`}</p>
      </Card>
      <Preferences className="justify-self-center" />
    </main>
  );
}

const least = 10;

function PasswordForm({ token }: { token: string }) {
  const { t } = useLingui();
  const router = useRouter();
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [asked, setAsked] = useState(false);
  const join = useMutation({
    mutationFn: () => callForToken('/api/authen/admin/join', { token, password }),
    onSuccess: ({ token: opened }) => {
      session.save('admin', opened);
      router.history.replace('/advwsadmin');
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    if (password.length >= least && password === again && !join.isPending) join.mutate();
  };
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <Field
        label={t`Password`}
        help={t`At least 10 characters`}
        error={asked && password.length < least ? t`Use at least 10 characters.` : undefined}
      >
        <Input
          type="password"
          autoComplete="new-password"
          maxLength={72}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
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
      <FaultNote error={join.error} />
      <Button type="submit" wide disabled={join.isPending}>
        {t`Set the password and sign in`}
      </Button>
    </form>
  );
}
