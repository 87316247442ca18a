import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { useSettled } from '@wlv/client/use-settled';
import { DateInput } from '@wlv/ui/date-input';
import { Field } from '@wlv/ui/field';
import { Input } from '@wlv/ui/input';
import { Note } from '@wlv/ui/note';
import { Segment } from '@wlv/ui/segment';
import { Switch } from '@wlv/ui/switch';
import { CircleAlert, CircleCheck, Pencil } from 'lucide-react';
import { useState } from 'react';
import {
  canBeVerified,
  type Filling,
  type Form,
  plain,
  useSentence,
  type Wrong,
} from '../../application/application.ts';
import { SecretInput } from './secret-input.tsx';

interface Props {
  draft: Filling;
  form: Form;
  change: (patch: Partial<Form>) => void;
  wrong: Wrong;
}

/** Who applies: a person, or a company and who acts for it. */
export function SelfStep({ draft, form, change, wrong }: Props) {
  const { t } = useLingui();
  const sentence = useSentence();
  const company = form.kind === 'company';
  const typed = plain('mobilenumber', form.mobilenumber);
  const text = (field: keyof Form, most: number, more: object = {}) => ({
    value: String(form[field]),
    maxLength: most,
    onChange: (event: { target: { value: string } }) => change({ [field]: event.target.value }),
    ...more,
  });
  return (
    <>
      <Segment
        wide
        title={t`You apply as`}
        value={company ? 'company' : 'person'}
        options={[
          { value: 'person', label: t`A person` },
          { value: 'company', label: t`A company` },
        ]}
        onChange={(kind) => change({ kind })}
      />
      {company && (
        <>
          <Field label={t`Name of the company`} error={sentence(wrong.company_name)}>
            <Input {...text('company_name', 80, { autoComplete: 'organization' })} />
          </Field>
          <div className="grid grid-cols-[3fr_2fr] gap-3">
            <Field
              label={t`Tax ID`}
              error={sentence(wrong.tax_id)}
              help={draft.wrong_digits.includes('tax_id') && <LookAgain />}
            >
              <Input {...text('tax_id', 20, { inputMode: 'numeric', autoComplete: 'off' })} />
            </Field>
            <Field label={t`Branch`} error={sentence(wrong.branch)} help={t`00000 is the head office`}>
              <Input {...text('branch', 5, { inputMode: 'numeric', placeholder: '00000', autoComplete: 'off' })} />
            </Field>
          </div>
          <label htmlFor="vat" className="flex items-center justify-between gap-4 text-row">
            {t`Registered for VAT`}
            <Switch
              id="vat"
              checked={form.vat_registered}
              onCheckedChange={(vat_registered) => change({ vat_registered })}
            />
          </label>
          <p className="-mb-2 text-sm font-medium text-muted-foreground">{t`Who acts for the company`}</p>
        </>
      )}
      <div className="grid grid-cols-2 gap-3">
        <Field label={t`First name`} error={sentence(wrong.firstname)}>
          <Input {...text('firstname', 40, { autoComplete: 'given-name' })} />
        </Field>
        <Field label={t`Last name`} error={sentence(wrong.lastname)}>
          <Input {...text('lastname', 40, { autoComplete: 'family-name' })} />
        </Field>
      </div>
      <Field
        label={t`ID card or passport number`}
        error={sentence(wrong.idcard)}
        help={draft.wrong_digits.includes('idcard') ? <LookAgain /> : t`For your certificates of withheld tax`}
      >
        <SecretInput value={form.idcard} maxLength={20} onChange={(idcard) => change({ idcard })} />
      </Field>
      <div className="grid grid-cols-2 gap-3">
        {!company && (
          <Field label={t`Date of birth`} error={sentence(wrong.birthdate)}>
            <DateInput value={form.birthdate || null} onChange={(day) => change({ birthdate: day ?? '' })} />
          </Field>
        )}
        <Field
          className={company ? 'col-span-2' : undefined}
          label={t`Mobile number`}
          error={sentence(wrong.mobilenumber)}
        >
          <Input {...text('mobilenumber', 20, { type: 'tel', inputMode: 'tel', autoComplete: 'tel-national' })} />
        </Field>
      </div>
      {!wrong.mobilenumber && typed.length >= 8 && !canBeVerified(typed) && (
        <Note tone="warn" icon={<CircleAlert aria-hidden />}>
          {t`We keep this number, but no SMS reaches it, so it can't be verified. To send the form, give a mobile number of ten digits.`}
        </Note>
      )}
      <Field label={t`E-mail`} error={sentence(wrong.emailaddress)}>
        <Input {...text('emailaddress', 60, { type: 'email', inputMode: 'email', autoComplete: 'email' })} />
      </Field>
      <Address form={form} change={change} wrong={wrong} />
      <div className="grid grid-cols-[1fr_2fr] items-start gap-3">
        <Field label={t`Nationality`} error={sentence(wrong.nationality)}>
          <Input
            {...text('nationality', 2, { autoCapitalize: 'characters', autoComplete: 'country' })}
            onChange={(event) => change({ nationality: event.target.value.toUpperCase() })}
          />
        </Field>
        {form.nationality !== 'TH' && (
          <label htmlFor="resident" className="mt-7 flex min-h-12 items-center justify-between gap-3 text-sm">
            {t`I live in Thailand 180 days a year or more`}
            <Switch id="resident" checked={form.resident} onCheckedChange={(resident) => change({ resident })} />
          </label>
        )}
      </div>
      <Recruiter form={form} change={change} error={sentence(wrong.referercode)} />
    </>
  );
}

function LookAgain() {
  const { t } = useLingui();
  return <span className="text-warn-text">{t`Look again: the last digit does not fit the others.`}</span>;
}

const parts = ['address', 'subdistrict', 'district', 'province', 'postcode'] as const;

/** One line until it is opened. */
function Address({ form, change, wrong }: Omit<Props, 'draft'>) {
  const { t } = useLingui();
  const sentence = useSentence();
  const whole = parts.every((part) => form[part]);
  const [open, setOpen] = useState(!whole);
  const bad = parts.some((part) => wrong[part]);
  if (!open && !bad) {
    return (
      <Field label={t`Address`}>
        <button
          type="button"
          onClick={() => setOpen(true)}
          className="flex min-h-12 w-full items-center justify-between gap-3 rounded-touch bg-card px-3.5 py-2 text-left shadow-[inset_0_0_0_1px_var(--line-strong)]"
        >
          <span className="min-w-0 truncate">{parts.map((part) => form[part]).join(' ')}</span>
          <Pencil aria-label={t`Change`} className="size-[18px] shrink-0 text-quiet" />
        </button>
      </Field>
    );
  }
  const labels = {
    address: t`House number, village, road`,
    subdistrict: t`Subdistrict`,
    district: t`District`,
    province: t`Province`,
    postcode: t`Postcode`,
  };
  return (
    <fieldset className="grid grid-cols-2 gap-x-3 gap-y-4">
      <legend className="mb-3 text-sm font-semibold">{t`Address`}</legend>
      {parts.map((part) => (
        <Field
          key={part}
          label={labels[part]}
          error={sentence(wrong[part])}
          className={part === 'address' ? 'col-span-2' : undefined}
        >
          <Input
            value={form[part]}
            maxLength={part === 'address' ? 100 : part === 'postcode' ? 5 : 60}
            inputMode={part === 'postcode' ? 'numeric' : 'text'}
            autoComplete={part === 'postcode' ? 'postal-code' : part === 'address' ? 'street-address' : 'off'}
            onChange={(event) => change({ [part]: event.target.value })}
          />
        </Field>
      ))}
    </fieldset>
  );
}

/** Who recruited him is named as soon as the code is known. */
function Recruiter({ form, change, error }: { form: Form; change: Props['change']; error: string | undefined }) {
  const { t } = useLingui();
  const code = useSettled(form.referercode.trim().toUpperCase(), 500);
  const found = useQuery({
    ...query('/api/agent/register/recruiter', { referercode: code }),
    enabled: code.length > 2,
    retry: false,
    staleTime: 300_000,
  });
  const nobody = found.isError ? t`Nobody who sells here has this code.` : undefined;
  return (
    <Field label={t`Code of who recruited you`} optional={t`if any`} error={error ?? nobody}>
      <Input
        value={form.referercode}
        maxLength={20}
        autoComplete="off"
        autoCapitalize="characters"
        onChange={(event) => change({ referercode: event.target.value })}
        after={
          found.data && (
            <span role="status" className="flex items-center gap-1.5 text-sm text-ok-text">
              <CircleCheck aria-hidden className="size-[18px] text-ok-text!" />
              {found.data.name}
            </span>
          )
        }
      />
    </Field>
  );
}
