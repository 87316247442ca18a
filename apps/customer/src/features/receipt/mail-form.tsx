import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { mutation } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import type { Receipt } from '@wlv/client/receipt/sheet';
import { Button } from '@wlv/ui/button';
import { Field } from '@wlv/ui/field';
import { Input } from '@wlv/ui/input';
import { Note } from '@wlv/ui/note';
import { Check, Mail } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { isEmail } from '../../shell/email.ts';
import { useProfile } from '../../shell/profile.ts';

/** Sends the receipt by e-mail, to the customer's own address unless he types another. */
export function MailForm({ of }: { of: Receipt }) {
  const { t, i18n } = useLingui();
  const own = useProfile().data?.emailaddress ?? '';
  const [typed, setTyped] = useState<string>();
  const [asked, setAsked] = useState(false);
  const send = useMutation(mutation('/api/user/receipt/send'));
  const email = (typed ?? own).trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (isEmail(email)) send.mutate({ kind: of.kind, id: of.id, email, lang: i18n.locale === 'en' ? 'en' : 'th' });
  };
  return (
    <form noValidate onSubmit={submit} className="grid grid-cols-1 gap-3 border-t pt-4">
      <Field label={t`Send it by e-mail`} error={asked && !isEmail(email) && t`Please enter a valid email address.`}>
        <Input
          type="email"
          autoComplete="email"
          value={typed ?? own}
          onChange={(event) => {
            setTyped(event.target.value);
            send.reset();
          }}
        />
      </Field>
      <Button type="submit" variant="outline" wide disabled={send.isPending}>
        <Mail aria-hidden />
        {t`Send the receipt`}
      </Button>
      <FaultNote error={send.error} />
      {send.data && <OnItsWay to={send.data.to} />}
    </form>
  );
}

function OnItsWay({ to }: { to: string }) {
  const { t } = useLingui();
  return (
    <Note tone="ok" role="status" icon={<Check aria-hidden />}>
      {t`It is on its way to ${to}. If it does not come in some minutes, look among the spam.`}
    </Note>
  );
}
