import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { mutation } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { Button } from '@wlv/ui/button';
import { DialogContent } from '@wlv/ui/dialog';
import { Field } from '@wlv/ui/field';
import { date } from '@wlv/ui/format';
import { Textarea } from '@wlv/ui/input';
import { useState } from 'react';
import { Facts } from '../../resource/facts.tsx';
import type { Applicant } from './applicant.ts';

/** All that an applicant said of himself, for a reason that is written down with who asked. */
export function WholeMember({ one }: { one: Applicant }) {
  const { t } = useLingui();
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const ask = useMutation(mutation('/api/owner/memberlist/whole'));
  const form = ask.data;
  const short = reason.trim().length < 3;
  if (form) {
    const address = [form.address, form.subdistrict, form.district, form.province, form.postcode];
    const receipt = [form.issued_name, form.name_on_card, form.tax_id];
    const shown: [string, string][] = [
      [t`Name`, `${form.firstname} ${form.lastname}`],
      [t`Mobile number`, form.mobilenumber],
      [t`E-mail`, form.emailaddress],
      [t`ID card or passport`, form.idcard],
      [t`Date of birth`, form.birthdate && date(form.birthdate)],
      [t`Nationality`, form.nationality],
      [t`Address`, address.filter(Boolean).join(' ')],
      [t`Receipt in the name of`, receipt.filter(Boolean).join(' · ')],
    ];
    return (
      <DialogContent title={t`All of the form`}>
        <Facts of={shown.filter(([, value]) => value)} />
      </DialogContent>
    );
  }
  return (
    <DialogContent
      title={t`Show all of the form?`}
      description={t`Who looked and why is written down.`}
      foot={
        <div className="flex justify-end">
          <Button
            size="office"
            disabled={ask.isPending}
            onClick={() => (short ? setTried(true) : ask.mutate({ id: one.id, reason: reason.trim() }))}
          >
            {t`Show it`}
          </Button>
        </div>
      }
    >
      <div className="grid gap-3">
        <Field label={t`Why you need it`} error={tried && short ? t`Write why` : undefined}>
          <Textarea rows={2} maxLength={300} value={reason} onChange={(event) => setReason(event.target.value)} />
        </Field>
        <FaultNote error={ask.error} />
      </div>
    </DialogContent>
  );
}
