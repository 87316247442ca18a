import { useLingui } from '@lingui/react/macro';
import { banks, useBankName } from '@wlv/client/bank';
import { matchName, sameName } from '@wlv/client/payee/name';
import { Card } from '@wlv/ui/card';
import { Field } from '@wlv/ui/field';
import { Input } from '@wlv/ui/input';
import { Select } from '@wlv/ui/select';
import { clsx } from 'clsx';
import { CalendarCheck, CircleAlert, CircleCheck, FileText, ShieldCheck } from 'lucide-react';
import { type Form, useSentence, type Wrong } from '../../application/application.ts';
import { Point } from '../../application/intro.tsx';
import { SecretInput } from './secret-input.tsx';

/** Where commission goes: an account in the payee's own name. */
export function AccountStep({
  form,
  change,
  wrong,
}: {
  form: Form;
  change: (patch: Partial<Form>) => void;
  wrong: Wrong;
}) {
  const { t } = useLingui();
  const sentence = useSentence();
  const nameOf = useBankName();
  const name = form.kind === 'company' ? form.company_name : `${form.firstname} ${form.lastname}`.trim();
  return (
    <>
      <Field label={t`Bank`} error={sentence(wrong.bank)}>
        <Select
          value={form.bank || undefined}
          placeholder={t`Choose`}
          onChange={(bank) => change({ bank })}
          options={Object.keys(banks).map((code) => ({ value: code, label: nameOf(code) }))}
        />
      </Field>
      <Field label={t`Account number`} error={sentence(wrong.account_number)}>
        <SecretInput
          numeric
          value={form.account_number}
          maxLength={30}
          onChange={(account_number) => change({ account_number })}
        />
      </Field>
      <div className="grid grid-cols-1 gap-2">
        <Field label={t`Account name`} error={sentence(wrong.account_name)}>
          <Input
            value={form.account_name}
            maxLength={100}
            autoComplete="off"
            onChange={(event) => change({ account_name: event.target.value })}
          />
        </Field>
        {name && <Match account={form.account_name} name={name} />}
      </div>
      <ul className="grid gap-4 px-1 pt-1">
        <Point icon={<CalendarCheck aria-hidden />} title={t`Paid when the shop pays its agents`}>
          {t`What is too little is added to the next time`}
        </Point>
        <Point icon={<FileText aria-hidden />} title={t`Tax is withheld by the rules of that day`}>
          {t`You get a certificate (50 Tawi) whenever some is`}
        </Point>
        <Point icon={<ShieldCheck aria-hidden />} title={t`You can change the account later`}>
          {t`The shop checks it first; it is paid to 7 days after that`}
        </Point>
      </ul>
    </>
  );
}

/** The payee's name, which turns green as it is typed, up to the first letter that is another one. */
function Match({ account, name }: { account: string; name: string }) {
  const { t } = useLingui();
  const match = matchName(account, name);
  const same = sameName(account, name);
  const own = match.wrong?.own;
  const typed = match.wrong?.typed;
  const { left } = match;
  return (
    <Card className="grid gap-2 px-4 py-3.5">
      <p className="text-caption text-quiet">{t`It has to be the name that you gave`}</p>
      <p className="text-h2 font-semibold" aria-hidden>
        {match.parts.map(({ text, right }, i) => (
          <span
            key={i}
            className={clsx(
              'border-b-[3px] pb-1',
              same || right ? 'border-ok-text text-ok-text' : 'border-dotted border-quiet text-quiet',
            )}
          >
            {text === ' ' ? '\u00a0' : text}
          </span>
        ))}
      </p>
      <p role="status" className="flex items-center justify-between gap-3 text-sm">
        {same ? (
          <span className="flex items-center gap-1.5 text-ok-text">
            <CircleCheck aria-hidden className="size-[18px]" />
            {t`The same name`}
          </span>
        ) : match.wrong ? (
          <span className="flex items-center gap-1.5 text-bad-text">
            <CircleAlert aria-hidden className="size-[18px] shrink-0" />
            {own ? t`Another letter: “${typed}”, in your name it is “${own}”` : t`“${typed}” is too much`}
          </span>
        ) : (
          <>
            <span className="flex items-center gap-1.5 text-ok-text">
              {account && <CircleCheck aria-hidden className="size-[18px]" />}
              {account && t`Right as far as here`}
            </span>
            <span className="text-muted-foreground">{t`${left} letters to go`}</span>
          </>
        )}
      </p>
    </Card>
  );
}
