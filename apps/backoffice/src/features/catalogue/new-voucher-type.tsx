import { useLingui } from '@lingui/react/macro';
import { Button } from '@wlv/ui/button';
import { date } from '@wlv/ui/format';
import { Stepper } from '@wlv/ui/stepper';
import { ChevronDown, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useController, useWatch } from 'react-hook-form';
import { BothLanguages, ChoiceField, DayField, MoneyField, NumberField, TextField } from '../../form/fields.tsx';
import { PlacesField } from './places-field.tsx';

/** A part that is named here for the first time: a voucher type is made of it when the package is saved. */
export function NewVoucherType({ at, alone, onRemove }: { at: number; alone: boolean; onRemove?: () => void }) {
  const { t } = useLingui();
  const base = `parts.${at}.new_voucher_type`;
  const name: string = useWatch({ name: `${base}.name_th` });
  const [more, setMore] = useState(false);
  return (
    <fieldset
      aria-label={name || t`Thing ${at + 1}`}
      className="grid grid-cols-1 gap-4 rounded-touch p-4 shadow-[inset_0_0_0_2px_var(--brand)]"
    >
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-[1fr_auto]">
        <TextField
          name={`${base}.name_th`}
          label={t`What the customer gets`}
          placeholder={t`Aroma massage, 90 minutes`}
        />
        <Times at={at} name={name} />
      </div>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-[180px_1fr]">
        <ValidDays at={at} />
        <PlacesField name={`${base}.service_points`} label={t`Where it can be used`} />
      </div>
      {!alone && (
        <MoneyField
          name={`${base}.list_price_satang`}
          label={t`Price of one`}
          help={t`It decides this item's share when a package holds several. Empty: an equal share.`}
        />
      )}
      <ChoiceField
        name={`${base}.expiry_rule`}
        label={t`What is left when it expires`}
        options={[
          { value: 'wallet', label: t`Goes back to the customer's Wallet` },
          { value: 'breakage', label: t`Stays with the shop` },
        ]}
      />
      {more && (
        <>
          <TextField name={`${base}.name_en`} label={t`Its name in English`} />
          <BothLanguages name={`${base}.conditions`} label={t`Conditions`} long />
          <DayField
            name={`${base}.valid_until`}
            label={t`Last day instead of days`}
            help={t`Until 23:59 Thai time, whenever it was bought; then leave the days empty.`}
          />
        </>
      )}
      <div className="flex flex-wrap justify-between gap-2">
        <Button variant="ghost" size="row" aria-expanded={more} onClick={() => setMore(!more)}>
          <ChevronDown aria-hidden className={more ? 'rotate-180' : ''} />
          {more ? t`Less` : t`English name, conditions, last day`}
        </Button>
        {onRemove && (
          <Button variant="ghost" size="row" onClick={onRemove}>
            <Trash2 aria-hidden />
            {t`Take away`}
          </Button>
        )}
      </div>
    </fieldset>
  );
}

function Times({ at, name }: { at: number; name: string }) {
  const { t } = useLingui();
  const { field } = useController({ name: `parts.${at}.new_voucher_type.items` });
  return (
    <div className="grid content-start gap-1.5">
      <span aria-hidden className="text-sm font-medium">{t`Times`}</span>
      <span className="flex h-11 items-center">
        <Stepper name={t`How many times: ${name}`} value={field.value} onChange={field.onChange} />
      </span>
    </div>
  );
}

/** Days from the purchase, and the day that they end on for who buys now. */
function ValidDays({ at }: { at: number }) {
  const { t } = useLingui();
  const days: number | null = useWatch({ name: `parts.${at}.new_voucher_type.valid_days` });
  const until = days && days <= 3650 ? date(new Date(Date.now() + days * 86_400_000).toISOString()) : '';
  return (
    <NumberField
      name={`parts.${at}.new_voucher_type.valid_days`}
      label={t`Can be used within`}
      unit={t`days`}
      {...(until ? { help: t`Bought today: until ${until}` } : {})}
    />
  );
}
