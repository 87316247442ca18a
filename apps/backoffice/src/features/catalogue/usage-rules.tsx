import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { capabilities } from '@wlv/client/capabilities';
import { baht, date } from '@wlv/ui/format';
import { useWatch } from 'react-hook-form';
import { BothLanguages, ChoiceField, DayField, FormSection, NumberField, SwitchField } from '../../form/fields.tsx';
import { ManyField } from '../../form/lookup-fields.tsx';
import { statusFilter } from '../../resource/actions.ts';
import { word } from '../../resource/cells.tsx';
import type { Column, Filter } from '../../resource/resource.ts';
import { ConditionsFields, defaultConditions } from './conditions-fields.tsx';

/** What voucher types and gift vouchers have in common: how long, where, and who may get it. */
export const defaultUsageRules = {
  valid_days: 365,
  valid_until: null,
  transfer_rule: 'none' as const,
  transfer_times: 0,
  transfer_together: false,
  resale_cap_percent: null,
  expiry_rule: 'breakage' as const,
  vat_point: 'use' as const,
  conditions_th: '',
  conditions_en: '',
  ...defaultConditions,
  picture_id: null,
  service_points: [] as string[],
};

interface UsageRules {
  valid_days?: number | null;
  valid_until?: string | null;
  transfer_rule?: keyof typeof transferWords;
  transfer_times?: number;
}

export function checkUsageRules({ valid_days, valid_until, transfer_rule, transfer_times }: UsageRules) {
  return {
    ...(!valid_days && !valid_until ? { valid_days: 'field.required' as const } : {}),
    ...(valid_days && valid_until ? { valid_until: 'field.format' as const } : {}),
    ...(valid_until && !/^\d{4}-\d{2}-\d{2}$/.test(valid_until) ? { valid_until: 'field.format' as const } : {}),
    ...(transfer_rule === 'times' && !transfer_times ? { transfer_times: 'field.too_small' as const } : {}),
  };
}

const transferWords = {
  none: { title: msg`Not` },
  times: { title: msg`A number of times` },
  unlimited: { title: msg`As often as wanted` },
};

export function usageRulesColumns(): Column<UsageRules>[] {
  return [
    { name: 'valid_days', title: msg`Valid`, cell: Validity, sorts: true },
    ...(capabilities.transfers
      ? [word<UsageRules, 'transfer_rule'>('transfer_rule', msg`Can be given on`, transferWords)]
      : []),
  ];
}

export function usageRulesFilters<R>(): Filter<R>[] {
  return [
    statusFilter as unknown as Filter<R>,
    ...(capabilities.transfers
      ? [
          {
            name: 'transfer_rule' as keyof R & string,
            title: msg`Can be given on`,
            kind: 'choice' as const,
            choices: Object.entries(transferWords).map(([value, { title }]) => ({ value, title })),
          },
        ]
      : []),
    { name: 'service_points' as keyof R & string, title: msg`Service point`, kind: 'lookup', table: 'service_point' },
  ];
}

function Validity({ row }: { row: UsageRules }) {
  const { t } = useLingui();
  if (row.valid_until) return t`Until ${date(row.valid_until)}`;
  return row.valid_days ? t`${row.valid_days} days from the purchase` : '';
}

interface Usage extends UsageRules {
  items?: number;
  value_satang?: number;
  service_points?: string[];
}

/** How often, how long and where, in one line. */
export function useUsage() {
  const { t } = useLingui();
  return ({ items, value_satang, valid_days, valid_until, service_points = [] }: Usage) => {
    const worth = value_satang === undefined ? t`${items ?? 1} times` : baht(value_satang);
    const until = valid_until ? t`Until ${date(valid_until)}` : t`${valid_days ?? 0} days from the purchase`;
    const where = service_points.length ? t`${service_points.length} places` : t`Everywhere`;
    return [worth, until, where].join(' · ');
  };
}

export function UsageRulesFields() {
  const { t } = useLingui();
  return (
    <>
      <FormSection title={t`How long`}>
        <div className="grid gap-4 sm:grid-cols-2">
          <NumberField
            name="valid_days"
            label={t`Days from the purchase`}
            unit={t`days`}
            help={t`Or a last day instead.`}
          />
          <DayField name="valid_until" label={t`Last day`} help={t`Until 23:59 Thai time`} />
        </div>
        <ChoiceField
          name="expiry_rule"
          label={t`What is left when it expires`}
          options={[
            { value: 'breakage', label: t`Stays with the shop` },
            { value: 'wallet', label: t`Goes back to the customer's Wallet` },
          ]}
        />
      </FormSection>
      <ConditionsFields />
      <FormSection title={t`Where`}>
        <ManyField
          name="service_points"
          table="service_point"
          label={t`Service points`}
          help={t`None chosen: all of them.`}
          none={t`No service point yet`}
        />
      </FormSection>
      {capabilities.transfers && <TransferFields />}
      <FormSection title={t`Conditions and tax`}>
        <BothLanguages name="conditions" label={t`Conditions`} long />
        <ChoiceField
          name="vat_point"
          label={t`VAT falls due`}
          options={[
            { value: 'use', label: t`When it is used` },
            { value: 'sale', label: t`When it is sold` },
          ]}
        />
      </FormSection>
    </>
  );
}

function TransferFields() {
  const { t } = useLingui();
  const rule = useWatch({ name: 'transfer_rule' });
  return (
    <FormSection title={t`Giving it on`}>
      <div className="grid gap-4 sm:grid-cols-2">
        <ChoiceField
          name="transfer_rule"
          label={t`Can be given on`}
          options={[
            { value: 'none', label: t`Not` },
            { value: 'times', label: t`A number of times` },
            { value: 'unlimited', label: t`As often as wanted` },
          ]}
        />
        {rule === 'times' && <NumberField name="transfer_times" label={t`How many times`} unit={t`times`} />}
      </div>
      {rule !== 'none' && (
        <>
          <SwitchField
            name="transfer_together"
            label={t`All of it together`}
            help={t`Off: as many items as the customer likes at a time`}
          />
          <div className="max-w-72">
            <NumberField
              name="resale_cap_percent"
              label={t`When it is sold on, a price is at most`}
              help={t`Of what was paid to the shop, from 1 to 100%. Empty: as set for the whole board.`}
              unit="%"
            />
          </div>
        </>
      )}
    </FormSection>
  );
}
