import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ApiError } from '@wlv/client/api-error';
import { type Body, call } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { faultSentence } from '@wlv/client/faults';
import { RetryOptions } from '@wlv/client/retry-options';
import { Button } from '@wlv/ui/button';
import { Dialog, DialogContent, DialogTrigger } from '@wlv/ui/dialog';
import { Field } from '@wlv/ui/field';
import { dateTime } from '@wlv/ui/format';
import { Input } from '@wlv/ui/input';
import { Segment } from '@wlv/ui/segment';
import { Select } from '@wlv/ui/select';
import { MessageCircle, UserPlus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { InvitationLink } from '../../record/invitation-link.tsx';
import { recordQuery } from '../../resource/calls.ts';
import { useLookup } from '../../resource/lookup.ts';

type Invite = Body<'/api/owner/staff/invite'>;

/** Makes a link for one person; lists of accounts are read anew. */
function useInvite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (invite: Invite) => call('/api/owner/staff/invite', invite),
    onSuccess: () => client.invalidateQueries({ predicate: ({ queryKey }) => /\/staff$/.test(String(queryKey[0])) }),
  });
}

/** Beside the button that adds an account with a password: one that its person signs in to by LINE. */
export function InviteButton() {
  const { t } = useLingui();
  const { can } = usePerson();
  const [open, setOpen] = useState(false);
  if (!can('staff', 'i')) return null;
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="outline" size="office">
          <UserPlus aria-hidden />
          {t`Invite by LINE`}
        </Button>
      </DialogTrigger>
      {open && <InviteDialog />}
    </Dialog>
  );
}

function InviteDialog() {
  const { t } = useLingui();
  const invite = useInvite();
  if (invite.data) {
    return (
      <DialogContent title={t`Hand this to the person`}>
        <InvitationLink invitation={invite.data} />
      </DialogContent>
    );
  }
  return (
    <DialogContent
      title={t`Invite somebody by LINE`}
      description={t`The person opens your link, signs in with LINE and is in. No password is needed.`}
      foot={
        <Button type="submit" form="invite" wide disabled={invite.isPending}>
          {invite.isPending ? t`Making the link…` : t`Make the link`}
        </Button>
      }
    >
      <InviteForm error={invite.error} onSend={(values) => invite.mutate(values)} />
    </DialogContent>
  );
}

function InviteForm({ error, onSend }: { error: unknown; onSend: (invite: Invite) => void }) {
  const { t, i18n } = useLingui();
  const { choices, asked: sets } = useLookup('permission');
  const [name, setName] = useState('');
  const [role, setRole] = useState<NonNullable<Invite['role']>>('user');
  const [permission, setPermission] = useState<string>();
  const [chosen, setChosen] = useState<Invite['area']>();
  const area = chosen ?? usualArea(role);
  const [asked, setAsked] = useState(false);

  const refused = (path: string) => {
    const field = error instanceof ApiError ? error.fields.find((one) => one.path === path) : undefined;
    return field && faultSentence(i18n, field.fault);
  };
  const nameMissing = asked && !name.trim() ? t`Enter the person's name.` : refused('name');
  const permissionMissing =
    asked && role === 'user' && !permission ? t`Choose what this person may do.` : refused('permission_id');

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    if (!name.trim() || (role === 'user' && !permission)) return;
    onSend({ name: name.trim(), role, area, ...(role === 'user' && permission ? { permission_id: permission } : {}) });
  };
  return (
    <form id="invite" noValidate className="grid grid-cols-1 gap-4 pt-1" onSubmit={submit}>
      <Field label={t`Name`} error={nameMissing}>
        <Input value={name} maxLength={80} autoComplete="off" onChange={(event) => setName(event.target.value)} />
      </Field>
      <Field label={t`Rights`}>
        <Select
          value={role}
          onChange={setRole}
          options={[
            { value: 'user', label: t`By permission set` },
            { value: 'admin', label: t`Administrator, everything` },
            { value: 'adminowner', label: t`Owner's deputy, everything` },
            { value: 'superadmin', label: t`Owner, everything` },
          ]}
        />
      </Field>
      {role === 'user' && (
        <Field label={t`Permission set`} error={permissionMissing}>
          <Select value={permission} onChange={setPermission} options={choices} placeholder={t`Choose`} />
          <RetryOptions of={sets} />
        </Field>
      )}
      <AreaChoice value={area} onChange={setChosen} />
      <FaultNote error={error} />
    </form>
  );
}

/** Who has a permission set scans as a rule. */
function usualArea(role: unknown): Invite['area'] {
  return role === 'user' ? 'staff' : 'owner';
}

function AreaChoice({ value, onChange }: { value: Invite['area']; onChange: (area: Invite['area']) => void }) {
  const { t } = useLingui();
  return (
    <Segment<Invite['area']>
      title={t`Works at`}
      value={value}
      onChange={onChange}
      options={[
        { value: 'staff', label: t`The counter` },
        { value: 'owner', label: t`Back office` },
      ]}
    />
  );
}

/** In the account's form: whether its person signs in by LINE, and a link for that. */
export function LineSignIn() {
  const { t } = useLingui();
  const { id = '' } = useParams({ strict: false });
  const client = useQueryClient();
  const record = useQuery({ ...recordQuery('staff', id), refetchOnWindowFocus: false });
  const [chosen, setChosen] = useState<Invite['area']>();
  const area = chosen ?? usualArea(record.data?.role);
  const invite = useInvite();
  const takeBack = useMutation({
    mutationFn: () => call('/api/owner/staff/revoke', { id }),
    onSuccess: () => client.invalidateQueries({ predicate: ({ queryKey }) => /\/staff$/.test(String(queryKey[0])) }),
  });
  const until = typeof record.data?.invited_until === 'string' ? dateTime(record.data.invited_until) : null;
  const error = invite.error ?? takeBack.error;
  return (
    <section className="grid gap-3 rounded-card p-4 shadow-[inset_0_0_0_1px_var(--line)]">
      <h3 className="flex items-center gap-2 font-medium">
        <MessageCircle aria-hidden className="size-[18px]" />
        {t`Sign in by LINE`}
      </h3>
      <p className="text-quiet">
        {until
          ? t`A link is open until ${until}.`
          : record.data?.line
            ? t`This person signs in by LINE. A new link replaces the LINE account.`
            : t`Not yet. Make a link for this person to open.`}
      </p>
      <AreaChoice value={area} onChange={setChosen} />
      <div className="flex flex-wrap gap-2">
        <Dialog onOpenChange={(open) => !open && invite.reset()}>
          <DialogTrigger asChild>
            <Button
              variant="outline"
              size="office"
              disabled={invite.isPending}
              onClick={() => invite.mutate({ staff_id: id, area })}
            >
              {until ? t`Make another link` : t`Make the link`}
            </Button>
          </DialogTrigger>
          {invite.data && (
            <DialogContent title={t`Hand this to the person`}>
              <InvitationLink invitation={invite.data} />
            </DialogContent>
          )}
        </Dialog>
        {until && (
          <Button variant="ghost" size="office" disabled={takeBack.isPending} onClick={() => takeBack.mutate()}>
            {t`Take the link back`}
          </Button>
        )}
      </div>
      <FaultNote error={error} />
    </section>
  );
}
