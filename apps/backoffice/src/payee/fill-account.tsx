import { useLingui } from '@lingui/react/macro';
import { ApiError } from '@wlv/client/api-error';
import { banks, useBankName } from '@wlv/client/bank';
import type { Body } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { type AnyFault, faultSentence } from '@wlv/client/faults';
import { sameName } from '@wlv/client/payee/name';
import { Button } from '@wlv/ui/button';
import { DateInput } from '@wlv/ui/date-input';
import { DialogContent } from '@wlv/ui/dialog';
import { Field } from '@wlv/ui/field';
import { Input } from '@wlv/ui/input';
import { Segment } from '@wlv/ui/segment';
import { Select } from '@wlv/ui/select';
import { Switch } from '@wlv/ui/switch';
import { useState } from 'react';
import { usePayeeChange } from './payee-change.ts';

export type Form = Body<'/api/owner/partner/fill'>['form'];

const fresh: Form = {
  kind: 'company',
  firstname: '',
  lastname: '',
  company_name: '',
  tax_id: '',
  branch: '00000',
  vat_registered: false,
  resident: true,
  idcard: '',
  birthdate: '',
  mobilenumber: '',
  emailaddress: '',
  address: '',
  subdistrict: '',
  district: '',
  province: '',
  postcode: '',
  nationality: 'TH',
  referercode: '',
  bank: '',
  account_number: '',
  account_name: '',
};

type TextOf = Exclude<keyof Form, 'kind' | 'vat_registered' | 'resident'>;

/** What a payee says of himself and of his bank account, for somebody else to approve. */
export function FillAccount({
  description,
  ofPerson,
  fill,
  onDone,
}: {
  description: string;
  /** What to know where a person is paid. */
  ofPerson?: string;
  fill: (form: Form) => Promise<unknown>;
  onDone: () => void;
}) {
  const { t, i18n } = useLingui();
  const bankName = useBankName();
  const [form, setForm] = useState(fresh);
  const change = (patch: Partial<Form>) => setForm((was) => ({ ...was, ...patch }));
  const send = usePayeeChange(() => fill(form), t`Somebody else has to approve it now`, onDone);
  const wrong = (name: keyof Form) => {
    const fault = send.error instanceof ApiError && send.error.fields.find(({ path }) => path === `form.${name}`);
    if (!fault) return undefined;
    return fault.fault === 'field.required' ? t`Please fill this in` : faultSentence(i18n, fault.fault as AnyFault);
  };
  const company = form.kind === 'company';
  const name = company ? form.company_name : `${form.firstname} ${form.lastname}`.trim();
  const line = (field: TextOf, label: string, most: number, help?: string) => (
    <Field label={label} error={wrong(field)} help={help}>
      <Input
        size="office"
        value={form[field]}
        maxLength={most}
        autoComplete="off"
        onChange={(event) => change({ [field]: event.target.value })}
      />
    </Field>
  );
  return (
    <DialogContent
      title={t`Who is paid, and where`}
      description={description}
      foot={
        <div className="flex justify-end gap-2.5">
          <Button size="office" variant="outline" onClick={onDone}>{t`Cancel`}</Button>
          <Button size="office" disabled={send.isPending} onClick={() => send.mutate(undefined)}>
            {t`Send for approval`}
          </Button>
        </div>
      }
    >
      <div className="grid gap-4">
        <Segment
          wide
          title={t`Who is paid`}
          value={form.kind}
          options={[
            { value: 'company', label: t`A company` },
            { value: 'person', label: t`A person` },
          ]}
          onChange={(kind) => change({ kind })}
        />
        {!company && ofPerson && <p className="text-caption text-warn-text">{ofPerson}</p>}
        {company && (
          <>
            {line('company_name', t`Name of the company`, 80)}
            <div className="grid grid-cols-2 gap-3">
              {line('tax_id', t`Tax ID`, 20)}
              {line('branch', t`Branch`, 5, t`00000 is the head office`)}
            </div>
            <label htmlFor="payee-vat" className="flex items-center justify-between gap-4">
              {t`Registered for VAT`}
              <Switch
                id="payee-vat"
                checked={form.vat_registered}
                onCheckedChange={(vat_registered) => change({ vat_registered })}
              />
            </label>
            <p className="text-sm font-medium text-muted-foreground">{t`Who acts for the company`}</p>
          </>
        )}
        <div className="grid grid-cols-2 gap-3">
          {line('firstname', t`First name`, 40)}
          {line('lastname', t`Last name`, 40)}
          {line('idcard', t`ID card or passport number`, 20)}
          {company ? (
            line('nationality', t`Nationality`, 2)
          ) : (
            <Field label={t`Date of birth`} error={wrong('birthdate')}>
              <DateInput value={form.birthdate || null} onChange={(day) => change({ birthdate: day ?? '' })} />
            </Field>
          )}
          {line('mobilenumber', t`Mobile number`, 20)}
          {line('emailaddress', t`E-mail`, 60)}
        </div>
        {line('address', t`House number, village, road`, 100)}
        <div className="grid grid-cols-2 gap-3">
          {line('subdistrict', t`Subdistrict`, 60)}
          {line('district', t`District`, 60)}
          {line('province', t`Province`, 60)}
          {line('postcode', t`Postcode`, 5)}
        </div>
        <Field label={t`Bank`} error={wrong('bank')}>
          <Select
            size="office"
            value={form.bank || undefined}
            placeholder={t`Choose`}
            onChange={(bank) => change({ bank })}
            options={Object.keys(banks).map((code) => ({ value: code, label: bankName(code) }))}
          />
        </Field>
        {line('account_number', t`Account number`, 30)}
        {line(
          'account_name',
          t`Account name`,
          100,
          name && form.account_name && !sameName(form.account_name, name)
            ? t`It has to be the name of who is paid: ${name}`
            : undefined,
        )}
        <FaultNote error={send.error} />
      </div>
    </DialogContent>
  );
}
