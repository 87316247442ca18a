import { useLingui } from '@lingui/react/macro';
import { RetryOptions } from '@wlv/client/retry-options';
import { Checkbox } from '@wlv/ui/checkbox';
import { FormError } from '@wlv/ui/field';
import { clsx } from 'clsx';
import { useWatch } from 'react-hook-form';
import { useLookup } from '../resource/lookup.ts';
import type { Table } from '../resource/resource.ts';
import { ChoiceField, type FieldProps, useFormField } from './fields.tsx';

/** One row of another table. */
export function LookupField({ table, ...field }: FieldProps & { table: Table }) {
  const { t } = useLingui();
  const chosen: string | null | undefined = useWatch({ name: field.name });
  const { choices, isPending, asked } = useLookup(table, chosen ? [chosen] : []);
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <ChoiceField {...field} options={choices} placeholder={isPending ? t`Loading…` : t`Choose`} />
      <RetryOptions of={asked} />
    </div>
  );
}

/** Some rows of another table, each a pill that is on or off. */
export function ManyField({ table, name, label, help, none }: FieldProps & { table: Table; none: string }) {
  const { value, onChange, error } = useFormField<string[]>(name, label);
  const chosen = value ?? [];
  const { choices, asked } = useLookup(table, chosen);
  return (
    <fieldset className="grid grid-cols-1 gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <div className="flex flex-wrap gap-2">
        {choices.map((choice) => {
          const on = chosen.includes(choice.value);
          return (
            // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox inside is a button, which a label may name
            <label
              key={choice.value}
              className={clsx(
                'flex h-9 items-center gap-2.5 rounded-small px-3',
                on ? 'bg-accent text-accent-foreground' : 'text-muted-foreground shadow-[inset_0_0_0_1px_var(--line)]',
              )}
            >
              <Checkbox
                size="office"
                checked={on}
                onCheckedChange={() =>
                  onChange(on ? chosen.filter((one) => one !== choice.value) : [...chosen, choice.value])
                }
              />
              {choice.label}
            </label>
          );
        })}
        {!choices.length && !asked.isError && <p className="text-quiet">{none}</p>}
      </div>
      <RetryOptions of={asked} />
      {error ? <FormError>{error}</FormError> : help && <p className="text-caption text-quiet">{help}</p>}
    </fieldset>
  );
}
