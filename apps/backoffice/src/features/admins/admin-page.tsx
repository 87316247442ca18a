import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ApiError } from '@wlv/client/api-error';
import { call, type Detail, invalidates, query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { FaultNote } from '@wlv/client/fault-note';
import { type AnyFault, faultSentence } from '@wlv/client/faults';
import { useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Chip } from '@wlv/ui/chip';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { Field } from '@wlv/ui/field';
import { dateTime } from '@wlv/ui/format';
import { Input } from '@wlv/ui/input';
import { Select } from '@wlv/ui/select';
import { Skeleton } from '@wlv/ui/skeleton';
import { toast } from '@wlv/ui/toast';
import { Ban, Check, KeyRound, LogOut, Play, ShieldOff } from 'lucide-react';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { HandedLink } from './invite.tsx';
import { LetterTable, type Rights } from './letters.tsx';
import { useStates } from './states.ts';

type Admin = Detail<'/api/admin/admin/detail'>;

const read = '/api/admin/admin/detail';

/** One admin: who he is, what he may do, where he is signed in. */
export function AdminPage() {
  const { t } = useLingui();
  const { id = '' } = useParams({ strict: false });
  useTitle(t`Administrator`);
  const admin = useQuery(query(read, { id }));
  return (
    <div className="mx-auto grid w-full max-w-[1000px] gap-5 px-4 pb-16 pt-2 sm:px-7">
      {admin.isPending && <Skeleton className="h-96 rounded-office" />}
      {admin.isError && (
        <Failure title={t`This did not load`} error={admin.error} onRetry={() => void admin.refetch()} />
      )}
      {admin.data && (
        <>
          <Head admin={admin.data} />
          <Form key={JSON.stringify([admin.data.name, admin.data.role])} admin={admin.data} />
          <Sessions admin={admin.data} />
          <SignIns admin={admin.data} />
        </>
      )}
    </div>
  );
}

/** A change of an admin, after which the page shows him anew. */
function useChange<Body>(send: (body: Body) => Promise<Admin>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: (admin, body, ...rest) => {
      client.setQueryData(query(read, { id: admin.id }).queryKey, admin);
      return invalidates('/api/admin/admin/list')(admin, body, ...rest);
    },
  });
}

function Head({ admin }: { admin: Admin }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const states = useStates();
  const { id } = admin;
  const suspend = useChange(() => call('/api/admin/admin/suspend', { id }));
  const resume = useChange(() => call('/api/admin/admin/resume', { id }));
  const drop = useChange(() => call('/api/admin/admin/factor/drop', { id }));
  const link = useMutation({
    mutationFn: () => call('/api/admin/admin/link', { id }),
    onSuccess: invalidates('/api/admin/admin/list', read),
  });
  const takeBack = useMutation({
    mutationFn: () => call('/api/admin/admin/takeback', { id }),
    onSuccess: invalidates('/api/admin/admin/list', read),
  });
  const may = can('admin', 'u');
  const [asks, setAsks] = useState(false);
  return (
    <header className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="text-h1-office font-semibold">{admin.name}</h1>
        <Chip tone={states[admin.state].tone}>{states[admin.state].title}</Chip>
        <p className="flex-1 text-quiet">{admin.username}</p>
        {may && admin.state !== 'suspended' && (
          <Button size="office" variant="outline" disabled={link.isPending} onClick={() => link.mutate()}>
            <KeyRound aria-hidden />
            {admin.state === 'invited' ? t`Make another link` : t`Let him set another password`}
          </Button>
        )}
        {may && !admin.self && admin.second_factor && (
          <Button size="office" variant="outline" disabled={drop.isPending} onClick={() => drop.mutate(undefined)}>
            <ShieldOff aria-hidden />
            {t`Switch his two-step sign-in off`}
          </Button>
        )}
        {may && admin.invited_until && (
          <Button size="office" variant="ghost" disabled={takeBack.isPending} onClick={() => takeBack.mutate()}>
            {t`Take the link back`}
          </Button>
        )}
        {may && !admin.self && admin.state === 'suspended' && (
          <Button size="office" variant="outline" disabled={resume.isPending} onClick={() => resume.mutate(undefined)}>
            <Play aria-hidden />
            {t`Let in again`}
          </Button>
        )}
        {may && !admin.self && admin.state !== 'suspended' && (
          <Button size="office" variant="outline" onClick={() => setAsks(true)}>
            <Ban aria-hidden />
            {t`Suspend`}
          </Button>
        )}
      </div>
      {admin.invited_until && (
        <p className="text-quiet">{t`A link to set a password is open until ${dateTime(admin.invited_until)}.`}</p>
      )}
      <FaultNote error={link.error ?? takeBack.error ?? resume.error ?? drop.error} />
      <Dialog open={Boolean(link.data)} onOpenChange={(open) => !open && link.reset()}>
        {link.data && (
          <DialogContent title={t`A link to set a password`}>
            <HandedLink handed={link.data} />
          </DialogContent>
        )}
      </Dialog>
      <Dialog open={asks} onOpenChange={setAsks}>
        {asks && (
          <DialogContent
            title={t`Suspend ${admin.name}?`}
            description={t`The person is signed out everywhere at once, and cannot sign in until somebody lets him in again.`}
            foot={
              <Button
                wide
                disabled={suspend.isPending}
                onClick={() => suspend.mutate(undefined, { onSuccess: () => setAsks(false) })}
              >
                {t`Suspend`}
              </Button>
            }
          >
            <FaultNote error={suspend.error} />
          </DialogContent>
        )}
      </Dialog>
    </header>
  );
}

function Form({ admin }: { admin: Admin }) {
  const { t, i18n } = useLingui();
  const { can } = usePerson();
  const [name, setName] = useState(admin.name);
  const [email, setEmail] = useState(admin.email);
  const [role, setRole] = useState(admin.role);
  const [rights, setRights] = useState<Rights>(admin.permission_admin);
  const locked = !can('admin', 'u');
  const save = useChange(() =>
    call('/api/admin/admin/save', { id: admin.id, name: name.trim(), email, role, permission_admin: rights }),
  );
  const refused = (path: string) => {
    const field = save.error instanceof ApiError ? save.error.fields.find((one) => one.path === path) : undefined;
    return field && faultSentence(i18n, field.fault as AnyFault);
  };
  return (
    <Card office className="overflow-clip">
      <div className="grid gap-4 p-5 sm:grid-cols-2">
        <Field label={t`Name`} error={refused('name')}>
          <Input value={name} maxLength={80} disabled={locked} onChange={(event) => setName(event.target.value)} />
        </Field>
        <Field label={t`E-mail`} error={refused('email')}>
          <Input
            type="email"
            value={email}
            maxLength={254}
            disabled={locked}
            onChange={(event) => setEmail(event.target.value.trim())}
          />
        </Field>
        <Field
          label={t`Rights`}
          {...(admin.self ? { help: t`You can't change your own rights. Ask another administrator.` } : {})}
        >
          <Select
            value={role}
            disabled={locked || admin.self}
            onChange={setRole}
            options={[
              { value: 'admin', label: t`By the letters below` },
              { value: 'superadmin', label: t`Everything` },
            ]}
          />
        </Field>
      </div>
      {role === 'admin' && <LetterTable rights={rights} locked={locked || admin.self} onChange={setRights} />}
      {!locked && (
        <div className="grid gap-3 p-5">
          <FaultNote error={save.error} />
          <div className="flex justify-end">
            <Button
              size="office"
              disabled={save.isPending || !name.trim()}
              onClick={() =>
                save.mutate(undefined, { onSuccess: () => toast({ tone: 'ok', title: t`Saved. It holds at once.` }) })
              }
            >
              <Check aria-hidden />
              {t`Save`}
            </Button>
          </div>
        </div>
      )}
    </Card>
  );
}

function Sessions({ admin }: { admin: Admin }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const { id } = admin;
  const end = useChange((session: string | null) =>
    call('/api/admin/admin/sessions/end', { id, ...(session ? { session } : {}) }),
  );
  const may = can('admin', 'u');
  return (
    <Card office className="overflow-clip">
      <div className="flex items-center gap-3 p-5">
        <h2 className="flex-1 font-semibold">{t`Signed in now`}</h2>
        {may && admin.sessions.some((one) => !one.this) && (
          <Button size="office" variant="outline" disabled={end.isPending} onClick={() => end.mutate(null)}>
            <LogOut aria-hidden />
            {admin.self ? t`End all others` : t`End all`}
          </Button>
        )}
      </div>
      <FaultNote error={end.error} />
      {admin.sessions.length === 0 && <p className="px-5 pb-5 text-quiet">{t`Nowhere.`}</p>}
      <ul className="divide-y">
        {admin.sessions.map((one) => (
          <li key={one.id} className="flex min-h-12 flex-wrap items-center gap-3 px-5 py-2">
            <span className="flex-1">{t`Since ${dateTime(one.opened_at)}, seen ${dateTime(one.seen_at)}`}</span>
            {one.this ? (
              <Chip tone="ok">{t`This one`}</Chip>
            ) : (
              may && (
                <Button size="office" variant="ghost" disabled={end.isPending} onClick={() => end.mutate(one.id)}>
                  {t`End`}
                </Button>
              )
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function SignIns({ admin }: { admin: Admin }) {
  const { t, i18n } = useLingui();
  const ways = {
    password: t`By password`,
    line: t`By LINE`,
    invitation: t`By a link`,
    link: t`By a link for a lost password`,
  } as const;
  return (
    <Card office className="overflow-clip">
      <h2 className="p-5 font-semibold">{t`Sign-ins`}</h2>
      {admin.sign_ins.length === 0 && <p className="px-5 pb-5 text-quiet">{t`None in the last 180 days.`}</p>}
      <ul className="divide-y">
        {admin.sign_ins.map((one) => (
          <li key={`${one.at}${one.way}`} className="flex min-h-12 flex-wrap items-center gap-3 px-5 py-2">
            <span className="min-w-0 flex-1">
              {ways[one.way]}
              {one.fault && (
                <span className="block text-caption text-bad-text">{faultSentence(i18n, one.fault as AnyFault)}</span>
              )}
            </span>
            <span className="text-caption text-quiet">{one.address}</span>
            <span className="text-caption text-quiet">{dateTime(one.at)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
