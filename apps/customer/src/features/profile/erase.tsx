import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { invalidates, mutation } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { session } from '@wlv/client/session';
import { Button } from '@wlv/ui/button';
import { Dialog, DialogContent, DialogTrigger } from '@wlv/ui/dialog';
import { Field } from '@wlv/ui/field';
import { baht, count } from '@wlv/ui/format';
import { Input } from '@wlv/ui/input';
import { Note } from '@wlv/ui/note';
import { Trash2, TriangleAlert } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { AreaLink, useArea } from '../../area.tsx';
import type { Held } from './held.ts';

/** The end of the account: for ever, so nothing of value may be lost with it, and the words must be typed. */
export function Erase({ held }: { held: Held }) {
  const { t } = useLingui();
  return (
    <>
      <h2 className="px-1 pb-2 pt-5 text-h2 font-semibold">{t`Erase your data`}</h2>
      <p className="px-1 pb-3 text-row text-muted-foreground">
        {t`Your name, picture and contact are erased for ever. Purchases stay without your name, because tax law asks the shop to keep them. A code that cannot be read back stays for 24 months, so that limits per person and debts hold if you come again, and money that still comes for you is yours.`}
      </p>
      {held.obstacles.length > 0 ? <Obstacles held={held} /> : <Confirm />}
    </>
  );
}

function Obstacles({ held }: { held: Held }) {
  const { t } = useLingui();
  const sentence = ({ fault, amount_satang, count: many }: Held['obstacles'][number]) => {
    const money = baht(amount_satang);
    const pieces = count(many);
    switch (fault) {
      case 'privacy.wallet_not_empty':
        return t`${money} is still in your Wallet. Spend it, or ask the shop for it, before you erase your account.`;
      case 'privacy.vouchers_usable':
        return t`${pieces} vouchers can still be used. Use them, or wait until they have expired.`;
      case 'privacy.payment_under_way':
        return t`A payment may still arrive. Try again a day after your last QR.`;
      case 'privacy.objection_open':
        return t`The shop has not yet answered you about a use. Wait for the answer; it comes within 48 hours.`;
      case 'privacy.debt':
        return t`${money} is still to be paid. The next top-up pays it; your Wallet says why.`;
      case 'privacy.commission_due':
        return t`${money} of commission is still to be paid out to you, or may still come to you once payments of your buyers are settled.`;
    }
  };
  return (
    <Note tone="warn" icon={<TriangleAlert aria-hidden />} title={t`Not yet: something would be lost`}>
      <ul className="mt-1 list-disc pl-4">
        {held.obstacles.map((one) => (
          <li key={one.fault}>
            {sentence(one)}
            {one.fault === 'privacy.wallet_not_empty' && (
              <AreaLink page="wallet/cashout" className="ml-1 font-medium underline underline-offset-4">
                {t`Take money out`}
              </AreaLink>
            )}
          </li>
        ))}
      </ul>
    </Note>
  );
}

function Confirm() {
  const { t, i18n } = useLingui();
  const { go } = useArea();
  const client = useQueryClient();
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState(false);
  const words = i18n.locale === 'th' ? 'ลบข้อมูลของฉัน' : 'ERASE MY DATA';
  const erase = useMutation({
    ...mutation('/api/user/privacy/erase'),
    onSuccess: async () => {
      session.forget('user');
      client.clear();
      await go('home', { reason: 'erased' }, { replace: true });
    },
    // Something came in meanwhile: the page says what.
    onError: (_error, ...rest) => invalidates('/api/user/privacy/get')(null, ...rest),
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (typed.trim() === words && !erase.isPending) erase.mutate({ confirm: words });
  };
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button variant="outline" wide>
          <Trash2 aria-hidden />
          {t`Erase my data`}
        </Button>
      </DialogTrigger>
      <DialogContent
        title={t`Erase everything about you?`}
        description={t`This cannot be undone. Your account and its history are gone; if you sign in again you begin anew.`}
        foot={
          <Button type="submit" form="erase" variant="destructive" wide disabled={erase.isPending}>
            <Trash2 aria-hidden />
            {erase.isPending ? t`Erasing…` : t`Erase for ever`}
          </Button>
        }
      >
        <form id="erase" noValidate className="grid grid-cols-1 gap-3 pt-2" onSubmit={submit}>
          <Field
            label={t`Type “${words}” to confirm`}
            error={asked && typed.trim() !== words ? t`Type exactly: ${words}` : undefined}
          >
            <Input value={typed} autoComplete="off" onChange={(event) => setTyped(event.target.value)} />
          </Field>
          <FaultNote error={erase.error} />
        </form>
      </DialogContent>
    </Dialog>
  );
}
