import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call, invalidates, query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { FaultNote } from '@wlv/client/fault-note';
import { useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Chip } from '@wlv/ui/chip';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { Field } from '@wlv/ui/field';
import { dateTime } from '@wlv/ui/format';
import { Input } from '@wlv/ui/input';
import { Note } from '@wlv/ui/note';
import { QRCode } from '@wlv/ui/qr-code';
import { Skeleton } from '@wlv/ui/skeleton';
import { ChevronLeft, ShieldCheck, TriangleAlert } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { areas, useArea } from '../../area.ts';

const read = '/api/account/secondfactor/state';

/** One's own second step of signing in: switched on with an app on the phone, and off again. */
export function SecondFactorPage() {
  const { t } = useLingui();
  const area = useArea();
  useTitle(t`Two-step sign-in`);
  const state = useQuery(query(read, {}, { as: area }));
  const [codes, setCodes] = useState<string[] | null>(null);
  return (
    <main id="content" className="mx-auto grid w-full max-w-[560px] gap-4 px-4 pb-16 pt-3">
      {area === 'staff' && (
        <Link to={areas.staff.home} className="flex min-h-11 items-center gap-1 text-muted-foreground">
          <ChevronLeft aria-hidden className="size-4" />
          {t`Scan`}
        </Link>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="text-h1-office font-semibold">{t`Two-step sign-in`}</h1>
        {state.data && <Chip tone={state.data.on ? 'ok' : 'mute'}>{state.data.on ? t`On` : t`Off`}</Chip>}
      </div>
      <p className="text-muted-foreground">
        {t`Besides the password or LINE, you are asked for a code from an app on your phone. Who learns your password still can't sign in.`}
      </p>
      {state.isPending && <Skeleton className="h-40 rounded-office" />}
      {state.isError && (
        <Failure title={t`This did not load`} error={state.error} onRetry={() => void state.refetch()} />
      )}
      {codes ? (
        <RecoveryCodes codes={codes} onKept={() => setCodes(null)} />
      ) : (
        state.data &&
        (state.data.on ? (
          <SwitchedOn since={state.data.since} left={state.data.recovery_codes} onCodes={setCodes} />
        ) : (
          <SwitchedOff onCodes={setCodes} />
        ))
      )}
    </main>
  );
}

function SwitchedOff({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const { t } = useLingui();
  const area = useArea();
  const offer = useMutation({ mutationFn: () => call('/api/account/secondfactor/offer', {}, { as: area }) });
  const start = useMutation({
    mutationFn: (code: string) => call('/api/account/secondfactor/start', { code }, { as: area }),
    onSuccess: (made, code, ...rest) => {
      onCodes(made.codes);
      return invalidates(read)(made, code, ...rest);
    },
  });
  if (!offer.data) {
    return (
      <>
        <FaultNote error={offer.error} />
        <Button size="office" className="justify-self-start" disabled={offer.isPending} onClick={() => offer.mutate()}>
          <ShieldCheck aria-hidden />
          {t`Switch on`}
        </Button>
      </>
    );
  }
  const { secret, url } = offer.data;
  return (
    <Card office className="grid gap-4 p-5">
      <p>{t`Scan this with an authenticator app, such as Google Authenticator or Microsoft Authenticator.`}</p>
      <div className="justify-self-center rounded-office bg-white p-5">
        <QRCode text={url} size={180} label={t`Code for the app`} />
      </div>
      <p className="text-quiet">
        {t`Or type it into the app:`} <code className="break-all font-semibold">{secret}</code>
      </p>
      <CodeField
        button={t`Switch on`}
        label={t`The app's code`}
        pending={start.isPending}
        error={start.error}
        onCode={start.mutate}
      />
    </Card>
  );
}

function SwitchedOn({
  since,
  left,
  onCodes,
}: {
  since: string | null;
  left: number;
  onCodes: (codes: string[]) => void;
}) {
  const { t } = useLingui();
  const area = useArea();
  const [asks, setAsks] = useState<'renew' | 'stop' | null>(null);
  const renew = useMutation({
    mutationFn: (code: string) => call('/api/account/secondfactor/renew', { code }, { as: area }),
    onSuccess: (made, code, ...rest) => {
      onCodes(made.codes);
      return invalidates(read)(made, code, ...rest);
    },
  });
  const stop = useMutation({
    mutationFn: (code: string) => call('/api/account/secondfactor/stop', { code }, { as: area }),
    onSuccess: invalidates(read),
  });
  const of = asks === 'renew' ? renew : stop;
  return (
    <Card office className="grid gap-4 p-5">
      <p>
        {since && t`On since ${dateTime(since)}.`} {t`Recovery codes left: ${left}.`}
      </p>
      {left <= 2 && (
        <Note tone="warn" icon={<TriangleAlert aria-hidden />}>
          {t`Make new recovery codes: without your phone you need one.`}
        </Note>
      )}
      <div className="flex flex-wrap gap-2.5">
        <Button size="office" variant="outline" onClick={() => setAsks('renew')}>
          {t`New recovery codes`}
        </Button>
        <Button size="office" variant="outline" onClick={() => setAsks('stop')}>
          {t`Switch off`}
        </Button>
      </div>
      <Dialog open={asks !== null} onOpenChange={(open) => !open && setAsks(null)}>
        {asks && (
          <DialogContent
            title={asks === 'renew' ? t`New recovery codes` : t`Switch off`}
            description={
              asks === 'renew'
                ? t`The old ones open nothing any more.`
                : t`From then on the password or LINE alone signs you in.`
            }
          >
            <CodeField
              button={asks === 'renew' ? t`Make new codes` : t`Switch off`}
              label={t`The app's code, or a recovery code`}
              pending={of.isPending}
              error={of.error}
              onCode={(code) => of.mutate(code, { onSuccess: () => setAsks(null) })}
            />
          </DialogContent>
        )}
      </Dialog>
    </Card>
  );
}

function CodeField({
  label,
  button,
  pending,
  error,
  onCode,
}: {
  label: string;
  button: string;
  pending: boolean;
  error: Error | null;
  onCode: (code: string) => void;
}) {
  const { t } = useLingui();
  const [code, setCode] = useState('');
  const [asked, setAsked] = useState(false);
  const short = code.trim().length < 6;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    if (!short && !pending) onCode(code.trim());
  };
  return (
    <form noValidate className="grid gap-3" onSubmit={submit}>
      <Field label={label} error={asked && short ? t`Enter the code.` : undefined}>
        <Input
          value={code}
          autoCapitalize="none"
          autoComplete="one-time-code"
          maxLength={20}
          onChange={(event) => setCode(event.target.value)}
        />
      </Field>
      <FaultNote error={error} />
      <Button type="submit" size="office" className="justify-self-start" disabled={pending}>
        {button}
      </Button>
    </form>
  );
}

/** They are shown once. */
function RecoveryCodes({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  const { t } = useLingui();
  return (
    <Card office className="grid gap-4 p-5">
      <Note tone="warn" icon={<TriangleAlert aria-hidden />}>
        {t`Write these down or print them, and keep them apart from your phone. Each signs you in once without it. They are not shown again.`}
      </Note>
      <ul className="grid grid-cols-2 gap-2 font-mono text-row">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Button size="office" className="justify-self-start" onClick={onKept}>
        {t`I have kept them`}
      </Button>
    </Card>
  );
}
