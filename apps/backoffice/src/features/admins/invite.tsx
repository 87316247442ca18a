import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ApiError } from '@wlv/client/api-error';
import { call, type Detail, invalidates } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { faultSentence } from '@wlv/client/faults';
import { Button } from '@wlv/ui/button';
import { Dialog, DialogContent, DialogTrigger } from '@wlv/ui/dialog';
import { Field } from '@wlv/ui/field';
import { dateTime } from '@wlv/ui/format';
import { Input } from '@wlv/ui/input';
import { toast } from '@wlv/ui/toast';
import { Copy, UserPlus } from 'lucide-react';
import { type FormEvent, useState } from 'react';

type Handed = Detail<'/api/admin/admin/invite'>;

/** Invites an admin, who has no right yet: these are given on his own page. */
export function InviteButton() {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button size="office">
          <UserPlus aria-hidden />
          {t`Invite an administrator`}
        </Button>
      </DialogTrigger>
      {open && <InviteDialog />}
    </Dialog>
  );
}

function InviteDialog() {
  const { t, i18n } = useLingui();
  const [values, setValues] = useState({ name: '', username: '', email: '' });
  const [asked, setAsked] = useState(false);
  const invite = useMutation({
    mutationFn: () => call('/api/admin/admin/invite', { ...values, role: 'admin', permission_admin: {} }),
    onSuccess: invalidates('/api/admin/admin/list'),
  });
  if (invite.data) {
    return (
      <DialogContent title={t`Now give this person rights`}>
        <HandedLink handed={invite.data} />
        <Button asChild wide>
          <Link to="/advwsadmin/admin_edit/$id" params={{ id: invite.data.id }}>{t`Choose the rights`}</Link>
        </Button>
      </DialogContent>
    );
  }
  const refused = (path: string) => {
    const field = invite.error instanceof ApiError ? invite.error.fields.find((one) => one.path === path) : undefined;
    return field && faultSentence(i18n, field.fault);
  };
  const change = (part: Partial<typeof values>) => setValues({ ...values, ...part });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    if (values.name.trim() && values.username.trim()) invite.mutate();
  };
  return (
    <DialogContent
      title={t`Invite an administrator`}
      description={t`The person sets a password by a link, which works once, within 72 hours.`}
      foot={
        <Button type="submit" form="invite-admin" wide disabled={invite.isPending}>
          {t`Invite`}
        </Button>
      }
    >
      <form id="invite-admin" noValidate className="grid gap-4 pt-1" onSubmit={submit}>
        <Field label={t`Name`} error={asked && !values.name.trim() ? t`Enter the person's name.` : refused('name')}>
          <Input
            value={values.name}
            maxLength={80}
            autoComplete="off"
            onChange={(event) => change({ name: event.target.value })}
          />
        </Field>
        <Field
          label={t`User name`}
          help={t`Letters, digits and . _ @ -`}
          error={asked && !values.username.trim() ? t`Enter a user name.` : refused('username')}
        >
          <Input
            value={values.username}
            maxLength={60}
            autoCapitalize="none"
            autoComplete="off"
            onChange={(event) => change({ username: event.target.value.trim() })}
          />
        </Field>
        <Field
          label={t`E-mail`}
          help={t`The link goes there. Without one it is shown here, for you to hand over.`}
          error={refused('email')}
        >
          <Input
            type="email"
            value={values.email}
            maxLength={254}
            autoComplete="off"
            onChange={(event) => change({ email: event.target.value.trim() })}
          />
        </Field>
        <FaultNote error={invite.error} />
      </form>
    </DialogContent>
  );
}

/** Where the link went; where no e-mail has taken it, the link itself, this once. */
export function HandedLink({ handed: { mailed, url, expires_at } }: { handed: Handed }) {
  const { t } = useLingui();
  const until = dateTime(expires_at);
  if (mailed) return <p className="pb-4">{t`The link was sent by e-mail. It works once, until ${until}.`}</p>;
  return (
    <div className="grid gap-3 pb-4">
      <p>{t`Hand this link to the person. It works once, until ${until}, and is not shown again.`}</p>
      <p className="break-all rounded-control bg-muted p-3 text-caption">{url}</p>
      <Button
        variant="outline"
        wide
        onClick={() => void navigator.clipboard.writeText(url).then(() => toast({ tone: 'ok', title: t`Copied` }))}
      >
        <Copy aria-hidden />
        {t`Copy the link`}
      </Button>
    </div>
  );
}
