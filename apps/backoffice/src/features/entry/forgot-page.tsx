import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { call } from '@wlv/client/call';
import { LineButton } from '@wlv/client/entry/line-button';
import { FaultNote } from '@wlv/client/fault-note';
import { usePage, useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Field } from '@wlv/ui/field';
import { Input } from '@wlv/ui/input';
import { Note } from '@wlv/ui/note';
import { CircleCheck } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { areas, useArea } from '../../area.ts';
import { Preferences } from '../../shell/preferences.tsx';
import { RedMark } from '../../shell/red-mark.tsx';
import { Or, readOrganisation } from './login-parts.tsx';

/** Who has lost his password asks for a link by e-mail, or has LINE show who he is. */
export function ForgotPage() {
  const { t } = useLingui();
  const area = useArea();
  const { org } = usePage();
  useTitle(t`Forgot your password?`);
  const asksUnique = !org && area !== 'admin';
  const [unique, setUnique] = useState(readOrganisation);
  const [username, setUsername] = useState('');
  const [asked, setAsked] = useState(false);
  const ask = useMutation({
    mutationFn: () =>
      call('/api/authen/password/forgot', { audience: area, username, ...(asksUnique ? { unique } : {}) }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    if (username && (unique || !asksUnique) && !ask.isPending) ask.mutate();
  };
  const named = org?.unique ?? (asksUnique ? unique : undefined);
  return (
    <main className="mx-auto grid min-h-dvh max-w-[420px] content-center gap-5 px-4 py-10">
      <header className="grid justify-items-center gap-1 text-center">
        <RedMark size={64} />
        <h1 className="mt-3 text-h1 font-semibold">{t`Forgot your password?`}</h1>
        <p className="text-row text-muted-foreground">{t`Set a new one by a link, or let LINE show who you are.`}</p>
      </header>
      <Card className="grid gap-5 p-6">
        {ask.isSuccess ? (
          <Note tone="ok" role="status" icon={<CircleCheck aria-hidden />}>
            {t`If an account of this name has an e-mail address, a link is on its way there. It works once, within 30 minutes.`}
          </Note>
        ) : (
          <form noValidate className="grid gap-4" onSubmit={submit}>
            {asksUnique && (
              <Field
                label={t`Organisation`}
                help={t`Its short name, as it stands before .welovevoucher in your address.`}
                error={asked && !unique ? t`Enter your organisation's short name.` : undefined}
              >
                <Input
                  value={unique}
                  autoCapitalize="none"
                  autoComplete="organization"
                  onChange={(event) => setUnique(event.target.value.trim().toLowerCase())}
                />
              </Field>
            )}
            <Field label={t`User name`} error={asked && !username ? t`Enter your user name.` : undefined}>
              <Input
                value={username}
                maxLength={80}
                autoCapitalize="none"
                autoComplete="username"
                onChange={(event) => setUsername(event.target.value)}
              />
            </Field>
            <FaultNote error={ask.error} />
            <Button type="submit" wide disabled={ask.isPending}>
              {t`Send a link by e-mail`}
            </Button>
          </form>
        )}
        <Or />
        <LineButton
          label={t`Show by LINE who I am`}
          disabled={area !== 'admin' && !named}
          start={{
            audience: area,
            returnTo: areas[area].home,
            office: { resets: true },
            ...(named && area !== 'admin' ? { unique: named } : {}),
          }}
        />
        <p className="text-center text-caption text-quiet">
          {area === 'admin'
            ? t`Neither works? Ask another administrator for a link.`
            : t`Neither works? Ask the person who manages staff in your shop for a new password.`}
        </p>
      </Card>
      <Button asChild variant="ghost">
        <a href={areas[area].entry}>{t`Go to sign in`}</a>
      </Button>
      <Preferences className="justify-self-center" />
    </main>
  );
}
