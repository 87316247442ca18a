import { useLingui } from '@lingui/react/macro';
import { limitOf } from '@wlv/client/limits';
import { DateInput } from '@wlv/ui/date-input';
import { Field } from '@wlv/ui/field';
import { Input } from '@wlv/ui/input';
import { Segment } from '@wlv/ui/segment';
import type { ComponentProps } from 'react';
import { type CardType, type Form, useSentence, type Wrong } from './standing.ts';

interface Props {
  type: CardType;
  form: Form;
  change: (patch: Partial<Form>) => void;
  wrong: Wrong;
}

type Texts = { [K in keyof Form]: Form[K] extends string ? K : never }[keyof Form];

/** What a card type asks for, and nothing else. */
export function Fields({ type, form, change, wrong }: Props) {
  const { t } = useLingui();
  const sentence = useSentence();
  const optional = (asked: string | undefined) => (asked === 'optional' ? t`if you want` : undefined);
  const text = (
    name: Texts,
    label: string,
    {
      asked,
      className,
      ...more
    }: { asked?: string | undefined; className?: string } & ComponentProps<typeof Input> = {},
  ) => (
    <Field label={label} optional={optional(asked)} error={sentence(wrong[name])} {...(className ? { className } : {})}>
      <Input
        value={form[name]}
        maxLength={limitOf('/api/user/member/save', name).maxLength}
        onChange={(event) => change({ [name]: event.target.value })}
        {...more}
      />
    </Field>
  );
  const address = type.asks_address;
  const receipt = type.asks_receipt;
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        {text('firstname', t`First name`, { autoComplete: 'given-name' })}
        {text('lastname', t`Last name`, { autoComplete: 'family-name' })}
      </div>
      {text('mobilenumber', t`Mobile number`, { type: 'tel', inputMode: 'tel', autoComplete: 'tel-national' })}
      {type.asks_email !== 'off' &&
        text('emailaddress', t`E-mail`, { type: 'email', inputMode: 'email', autoComplete: 'email' })}
      {type.asks_idcard !== 'off' &&
        text('idcard', t`ID card or passport number`, { asked: type.asks_idcard, autoComplete: 'off' })}
      {type.asks_gender !== 'off' && (
        <Field label={t`Gender`} optional={optional(type.asks_gender)} error={sentence(wrong.gender)}>
          <Segment
            wide
            title={t`Gender`}
            value={form.gender}
            options={[
              { value: 'female', label: t`Female` },
              { value: 'male', label: t`Male` },
              { value: 'other', label: t`Other` },
            ]}
            onChange={(gender) => change({ gender })}
          />
        </Field>
      )}
      {type.asks_birthdate !== 'off' && (
        <Field label={t`Date of birth`} optional={optional(type.asks_birthdate)} error={sentence(wrong.birthdate)}>
          <DateInput value={form.birthdate || null} onChange={(day) => change({ birthdate: day ?? '' })} />
        </Field>
      )}
      {type.asks_nationality !== 'off' &&
        text('nationality', t`Nationality`, {
          asked: type.asks_nationality,
          autoCapitalize: 'characters',
          autoComplete: 'country',
        })}
      {address !== 'off' && (
        <fieldset className="grid grid-cols-2 gap-x-3 gap-y-4">
          <legend className="mb-3 text-sm font-semibold">{t`Address`}</legend>
          {text('address', t`House number, village, road`, {
            asked: address,
            className: 'col-span-2',
            autoComplete: 'street-address',
          })}
          {text('subdistrict', t`Subdistrict`, { asked: address })}
          {text('district', t`District`, { asked: address })}
          {text('province', t`Province`, { asked: address })}
          {text('postcode', t`Postcode`, { asked: address, inputMode: 'numeric', autoComplete: 'postal-code' })}
        </fieldset>
      )}
      {receipt !== 'off' && (
        <fieldset className="grid grid-cols-1 gap-4">
          <legend className="mb-3 text-sm font-semibold">{t`Receipt in the name of`}</legend>
          {text('name_on_card', t`Name on the card`, { asked: receipt })}
          {text('issued_name', t`Name on the receipt`, { asked: receipt })}
          {text('tax_id', t`Tax ID`, { asked: receipt, autoComplete: 'off' })}
          <Field label={t`Office`} optional={optional(receipt)} error={sentence(wrong.office_type)}>
            <Segment
              wide
              title={t`Office`}
              value={form.office_type}
              options={[
                { value: 'head', label: t`Head office` },
                { value: 'branch', label: t`Branch` },
              ]}
              onChange={(office_type) => change({ office_type })}
            />
          </Field>
          <Field label={t`Income tax`} optional={optional(receipt)} error={sentence(wrong.taxpayer_type)}>
            <Segment
              wide
              title={t`Income tax`}
              value={form.taxpayer_type}
              options={[
                { value: 'personal', label: t`Person` },
                { value: 'corporation', label: t`Company` },
              ]}
              onChange={(taxpayer_type) => change({ taxpayer_type })}
            />
          </Field>
        </fieldset>
      )}
    </>
  );
}
