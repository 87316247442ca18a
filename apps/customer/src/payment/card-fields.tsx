import { useLingui } from '@lingui/react/macro';
import { Field } from '@wlv/ui/field';
import { Input } from '@wlv/ui/input';
import { Lock } from 'lucide-react';

/** Never leaves this browser but for the gateway's vault. */
export interface Card {
  name: string;
  number: string;
  /** MM/YY */
  expiry: string;
  code: string;
}

export const emptyCard: Card = { name: '', number: '', expiry: '', code: '' };

export function useCardProblems(card: Card): Partial<Record<keyof Card, string>> {
  const { t } = useLingui();
  const digits = card.number.replace(/\s/g, '');
  const problems: Partial<Record<keyof Card, string>> = {};
  if (!card.name.trim()) problems.name = t`Enter the name as it is on the card.`;
  if (digits.length < 13 || !luhn(digits))
    problems.number = t`This card number is not complete or has a typing mistake.`;
  if (!lasts(card.expiry)) problems.expiry = t`Enter a month and year to come, for example 08/29.`;
  if (!/^\d{3,4}$/.test(card.code)) problems.code = t`Enter the 3 or 4 digits.`;
  return problems;
}

/** The check digit of ISO/IEC 7812. */
function luhn(digits: string) {
  const sum = [...digits].reverse().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

function lasts(expiry: string) {
  const match = /^(\d{2})\/(\d{2})$/.exec(expiry);
  if (!match) return false;
  const [month, year] = [Number(match[1]), 2000 + Number(match[2])];
  return month >= 1 && month <= 12 && new Date(year, month, 1) > new Date();
}

export function CardFields({
  card,
  onChange,
  problems,
}: {
  card: Card;
  onChange: (card: Card) => void;
  problems: Partial<Record<keyof Card, string>>;
}) {
  const { t } = useLingui();
  const set = (field: keyof Card, value: string) => onChange({ ...card, [field]: value });
  return (
    <div className="grid grid-cols-1 gap-4">
      <Field label={t`Card number`} error={problems.number}>
        <Input
          inputMode="numeric"
          autoComplete="cc-number"
          placeholder="4000 1234 5678 9010"
          maxLength={23}
          value={card.number}
          onChange={(e) => set('number', e.target.value.replace(/\D/g, '').replace(/(.{4})(?=.)/g, '$1 '))}
        />
      </Field>
      <Field label={t`Name on the card`} error={problems.name}>
        <Input
          placeholder="SOMCHAI JAIDEE"
          autoComplete="cc-name"
          value={card.name}
          onChange={(e) => set('name', e.target.value)}
        />
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field label={t`Expires (MM/YY)`} error={problems.expiry}>
          <Input
            inputMode="numeric"
            autoComplete="cc-exp"
            placeholder="08/29"
            maxLength={5}
            value={card.expiry}
            onChange={(e) => set('expiry', e.target.value.replace(/\D/g, '').replace(/^(\d{2})(\d)/, '$1/$2'))}
          />
        </Field>
        <Field label={t`Security code`} error={problems.code}>
          <Input
            inputMode="numeric"
            autoComplete="cc-csc"
            placeholder="123"
            maxLength={4}
            value={card.code}
            onChange={(e) => set('code', e.target.value.replace(/\D/g, ''))}
          />
        </Field>
      </div>
      <p className="flex items-start gap-2 text-caption text-quiet">
        <Lock aria-hidden className="mt-[3px] size-3.5 shrink-0" />
        {t`The card goes straight from your phone to the payment company. We never see its number.`}
      </p>
    </div>
  );
}
