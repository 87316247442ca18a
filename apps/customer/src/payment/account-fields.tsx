import { useLingui } from '@lingui/react/macro';
import { ApiError } from '@wlv/client/api-error';
import { banks, useBankName } from '@wlv/client/bank';
import { type AnyFault, faultSentence } from '@wlv/client/faults';
import { Card } from '@wlv/ui/card';
import { Field } from '@wlv/ui/field';
import { Input } from '@wlv/ui/input';
import { Select } from '@wlv/ui/select';

/** The bank account that somebody names. */
export type Account = { bank: string; number: string; name: string };

export interface AccountProps {
  value: Account;
  onChange: (account: Account) => void;
  /** What is missing or wrong, by field. */
  errors: Partial<Record<keyof Account, string>>;
}

/** The bank account of the person himself. */
export function AccountFields({ value, onChange, errors }: AccountProps) {
  const { t } = useLingui();
  const nameOf = useBankName();
  return (
    <Card className="mt-3 grid gap-4 p-4">
      <Field label={t`Bank`} error={errors.bank}>
        <Select
          value={value.bank || undefined}
          placeholder={t`Choose`}
          onChange={(bank) => onChange({ ...value, bank })}
          options={Object.keys(banks).map((code) => ({ value: code, label: nameOf(code) }))}
        />
      </Field>
      <Field label={t`Account number`} error={errors.number}>
        <Input
          inputMode="numeric"
          autoComplete="off"
          maxLength={30}
          value={value.number}
          onChange={(change) => onChange({ ...value, number: change.target.value })}
        />
      </Field>
      <Field label={t`Account name`} help={t`As it stands in your bank book`} error={errors.name}>
        <Input
          autoComplete="name"
          maxLength={100}
          value={value.name}
          onChange={(change) => onChange({ ...value, name: change.target.value })}
        />
      </Field>
    </Card>
  );
}

/** What the person, or the server, found wrong with the account. */
export function useAccountErrors(
  account: Account,
  tried: boolean,
  error: unknown,
): Partial<Record<keyof Account, string>> {
  const { t, i18n } = useLingui();
  const missing = (text: string) => (tried && !text.trim() ? t`Please fill this in` : undefined);
  const refused = error instanceof ApiError && error.fields.find(({ path }) => path === 'account.number');
  return {
    bank: missing(account.bank),
    number: missing(account.number) ?? (refused ? faultSentence(i18n, refused.fault as AnyFault) : undefined),
    name: missing(account.name),
  };
}
