import { useLingui } from '@lingui/react/macro';
import { Note } from '@wlv/ui/note';
import { Scale } from 'lucide-react';
import { useWatch } from 'react-hook-form';
import { ChoiceField, FormSection, NumberField, PercentField } from '../../form/fields.tsx';
import { isProtected, lawfulDays, type PackageValues } from './package.ts';

/** What who paid may do when he changes his mind. What the law decides of a class is said instead of asked. */
export function PackageRefunds() {
  const { t } = useLingui();
  const [kind, rule] = useWatch<PackageValues, ['class', 'refund_rule']>({ name: ['class', 'refund_rule'] });
  const byLaw = isProtected(kind);
  return (
    <FormSection title={t`If the customer changes his mind`}>
      <ChoiceField
        name="class"
        label={t`What is sold`}
        help={t`For beauty care and fitness the law protects the customer more.`}
        options={[
          { value: 'ordinary', label: t`Anything else` },
          { value: 'beauty', label: t`Beauty care` },
          { value: 'fitness', label: t`Fitness` },
        ]}
      />
      {byLaw ? (
        <Note icon={<Scale aria-hidden />}>
          {t`By law the customer gets unused items refunded by himself, in full, for at least ${lawfulDays} days. What is left when it expires goes back to his Wallet, whatever the voucher type says.`}
        </Note>
      ) : (
        <ChoiceField
          name="refund_rule"
          label={t`A refund of unused items`}
          help={t`To who paid, while he still has them himself. Packages sold already keep their rule.`}
          options={[
            { value: 'self', label: t`The customer does it himself` },
            { value: 'asking', label: t`The customer asks, you decide` },
            { value: 'none', label: t`Not` },
          ]}
        />
      )}
      {(byLaw || rule !== 'none') && (
        <div className="grid gap-4 sm:grid-cols-2">
          <NumberField
            name="refund_days"
            label={t`Refund within`}
            unit={t`days`}
            help={t`To the end of the last day, counted from the day after the sale`}
          />
          {!byLaw && (
            <PercentField name="refund_fee_basis_points" label={t`You keep`} help={t`Of what was paid for the items`} />
          )}
        </div>
      )}
    </FormSection>
  );
}
