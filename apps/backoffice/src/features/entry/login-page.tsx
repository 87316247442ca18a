import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { callForToken } from '@wlv/client/call';
import { LineButton } from '@wlv/client/entry/line-button';
import { FaultNote } from '@wlv/client/fault-note';
import { usePage, useTexts, useTitle } from '@wlv/client/page';
import { ownPath } from '@wlv/client/return-path';
import { session } from '@wlv/client/session';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Field } from '@wlv/ui/field';
import { IconButton } from '@wlv/ui/icon-button';
import { Input } from '@wlv/ui/input';
import { Note } from '@wlv/ui/note';
import { OrgMark } from '@wlv/ui/org-mark';
import { CircleAlert, CircleCheck, Eye, EyeOff } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { type Area, areas, useArea } from '../../area.ts';
import { Preferences } from '../../shell/preferences.tsx';
import { RedMark } from '../../shell/red-mark.tsx';
import { CodeForm } from './code-form.tsx';
import { keepOrganisation, Or, readOrganisation } from './login-parts.tsx';
import { forgetPending, readPending } from './pending.ts';

interface LoginSearch {
  /** Where to go after signing in. */
  next?: string;
  /** Why the person stands here. */
  reason?: 'over' | 'out' | 'password' | 'profile';
}

/** The way into each of the three offices. The organisation is asked for only where the host does not say it. */
export function LoginPage() {
  const { t } = useLingui();
  const area = useArea();
  const { org } = usePage();
  const text = useTexts();
  useTitle(t`Sign in`);
  const router = useRouter();
  const { next } = useSearch({ strict: false }) as LoginSearch;
  const [pending, setPending] = useState(readPending);
  const rooms: Record<Area, string> = {
    owner: t`Back office`,
    staff: t`Staff at the counter`,
    admin: t`Platform administration`,
  };

  return (
    <main className="mx-auto grid min-h-dvh max-w-[420px] content-center gap-5 px-4 py-10">
      <header className="grid justify-items-center gap-1 text-center">
        {org ? <OrgMark logo={org.logo_url} name={text(org, 'name')} size={64} /> : <RedMark size={64} />}
        <h1 className="mt-3 text-h1 font-semibold">{org ? text(org, 'name') : 'We Love Voucher'}</h1>
        <p className="text-row text-muted-foreground">{rooms[area]}</p>
      </header>
      <Reason />
      <Card className="grid gap-5 p-6">
        {pending ? (
          <CodeForm
            area={area}
            pending={pending}
            onAgain={() => {
              forgetPending();
              setPending('');
            }}
            onDone={() => {
              forgetPending();
              router.history.replace(onward(area, next));
            }}
          />
        ) : (
          <PasswordForm area={area} asksUnique={!org && area !== 'admin'} onPending={setPending} />
        )}
      </Card>
      <Preferences className="justify-self-center" />
    </main>
  );
}

/** Where one goes after signing in. */
function onward(area: Area, next: string | undefined) {
  return ownPath(next, [areas[area].base.slice(1)]) ?? areas[area].home;
}

function Reason() {
  const { t } = useLingui();
  const { reason } = useSearch({ strict: false }) as LoginSearch;
  if (reason === 'out') {
    return (
      <Note tone="ok" role="status" icon={<CircleCheck aria-hidden />}>
        {t`You have signed out.`}
      </Note>
    );
  }
  if (reason === 'password') {
    return (
      <Note tone="ok" role="status" icon={<CircleCheck aria-hidden />}>
        {t`Your password is changed. Sign in with the new one.`}
      </Note>
    );
  }
  if (reason === 'over' || reason === 'profile') {
    return (
      <Note tone="warn" role="status" icon={<CircleAlert aria-hidden />}>
        {reason === 'over'
          ? t`Your session has ended. Sign in again to go on.`
          : t`We couldn't open your account. Sign in again to go on.`}
      </Note>
    );
  }
  return null;
}

function PasswordForm({
  area,
  asksUnique,
  onPending,
}: {
  area: Area;
  asksUnique: boolean;
  /** The password was right, and a code is asked for. */
  onPending: (pending: string) => void;
}) {
  const { t } = useLingui();
  const router = useRouter();
  const { next } = useSearch({ strict: false }) as LoginSearch;
  const [unique, setUnique] = useState(readOrganisation);
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [asked, setAsked] = useState(false);

  const signIn = useMutation({
    mutationFn: () =>
      area === 'admin'
        ? callForToken('/api/authen/admin/user', { username, password })
        : callForToken(`/api/authen/${area}/user`, { username, password, ...(asksUnique ? { unique } : {}) }),
    onSuccess: ({ token, detail }) => {
      if (area === 'owner' && asksUnique) keepOrganisation(unique);
      if (detail.pending) return onPending(detail.pending);
      session.save(area, token);
      router.history.replace(onward(area, next));
    },
  });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    const form = event.currentTarget;
    if ((asksUnique && !unique) || !username || !password) {
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid]')?.focus());
    } else if (!signIn.isPending) {
      signIn.mutate();
    }
  };
  const missing = (value: string, sentence: string) => (asked && !value ? sentence : undefined);

  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      {asksUnique && (
        <Field
          label={t`Organisation`}
          help={t`Its short name, as it stands before .welovevoucher in your address.`}
          error={missing(unique, t`Enter your organisation's short name.`)}
        >
          <Input
            value={unique}
            autoCapitalize="none"
            autoComplete="organization"
            onChange={(event) => setUnique(event.target.value.trim().toLowerCase())}
          />
        </Field>
      )}
      <Field label={t`User name`} error={missing(username, t`Enter your user name.`)}>
        <Input
          value={username}
          autoCapitalize="none"
          autoComplete="username"
          onChange={(event) => setUsername(event.target.value)}
        />
      </Field>
      <Field label={t`Password`} error={missing(password, t`Enter your password.`)}>
        <PasswordInput value={password} onChange={setPassword} />
      </Field>
      <FaultNote error={signIn.error} />
      <Button type="submit" wide disabled={signIn.isPending}>
        {signIn.isPending ? t`Signing you in…` : t`Sign in`}
      </Button>
      <a className="text-center text-caption text-brand-text underline" href={`${areas[area].base}/forgotpassword`}>
        {t`Forgot your password?`}
      </a>
      <Line area={area} unique={asksUnique ? unique : undefined} />
    </form>
  );
}

function PasswordInput({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useLingui();
  const [shown, setShown] = useState(false);
  return (
    <Input
      type={shown ? 'text' : 'password'}
      autoComplete="current-password"
      className="pr-1"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      after={
        <IconButton
          size="sm"
          label={shown ? t`Hide the password` : t`Show the password`}
          onClick={() => setShown(!shown)}
        >
          {shown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
        </IconButton>
      }
    />
  );
}

function Line({ area, unique }: { area: Area; unique: string | undefined }) {
  const { org } = usePage();
  const { next } = useSearch({ strict: false }) as LoginSearch;
  const named = org?.unique ?? unique;
  return (
    <>
      <Or />
      <LineButton
        disabled={area !== 'admin' && !named}
        start={{
          audience: area,
          returnTo: onward(area, next),
          ...(named && area !== 'admin' ? { unique: named } : {}),
        }}
      />
    </>
  );
}
