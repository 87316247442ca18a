import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useBankName } from '@wlv/client/bank';
import { mutation } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { Button } from '@wlv/ui/button';
import { DialogContent } from '@wlv/ui/dialog';
import { Field } from '@wlv/ui/field';
import { date } from '@wlv/ui/format';
import { Textarea } from '@wlv/ui/input';
import { useState } from 'react';
import { Facts } from '../../resource/facts.tsx';

/** All that an agent has sent of himself, for a reason that is written down with who asked. */
export function WholeForm({ version }: { version: string }) {
  const { t } = useLingui();
  const nameOf = useBankName();
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const ask = useMutation(mutation('/api/owner/agent/whole'));
  const form = ask.data;
  const short = reason.trim().length < 3;
  if (form) {
    return (
      <DialogContent title={t`All of the form`}>
        <Facts
          of={[
            [t`Name`, `${form.firstname} ${form.lastname}`],
            ...(form.kind === 'company'
              ? ([
                  [t`Company`, form.company_name],
                  [t`Tax ID`, form.tax_id],
                  [t`Branch`, form.branch],
                ] as const)
              : []),
            [t`ID card or passport`, form.idcard],
            ...(form.birthdate ? ([[t`Date of birth`, date(form.birthdate)]] as const) : []),
            [t`Mobile number`, form.mobilenumber],
            [t`E-mail`, form.emailaddress],
            [t`Address`, [form.address, form.subdistrict, form.district, form.province, form.postcode].join(' ')],
            [t`Nationality`, form.nationality],
            [t`Account`, `${nameOf(form.bank)} ${form.account_number}`],
            [t`Account name`, form.account_name],
          ]}
        />
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
            onClick={() => (short ? setTried(true) : ask.mutate({ version_id: version, reason: reason.trim() }))}
          >
            {t`Show it`}
          </Button>
        </div>
      }
    >
      <div className="grid gap-3">
        <Field label={t`Why do you need it?`} error={tried && short ? t`Write why` : undefined}>
          <Textarea rows={2} maxLength={300} value={reason} onChange={(event) => setReason(event.target.value)} />
        </Field>
        <FaultNote error={ask.error} />
      </div>
    </DialogContent>
  );
}
