import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FaultNote } from '@wlv/client/fault-note';
import { RetryOptions } from '@wlv/client/retry-options';
import { Button } from '@wlv/ui/button';
import { Checkbox } from '@wlv/ui/checkbox';
import { FormError } from '@wlv/ui/field';
import { Input } from '@wlv/ui/input';
import { clsx } from 'clsx';
import { Check, MapPinPlus } from 'lucide-react';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { useFormField } from '../../form/fields.tsx';
import { saveRecord } from '../../resource/calls.ts';
import { useLookup } from '../../resource/lookup.ts';
import { freshServicePoint } from './service-point.ts';

/** Where something can be used: everywhere, also at places that open later, until one is taken away. The first place is named here. */
export function PlacesField({ name, label }: { name: string; label: string }) {
  const { t } = useLingui();
  const { value, onChange, error, ref } = useFormField<string[]>(name, label);
  const { choices, isPending, asked } = useLookup('service_point', value);
  const all = value.length === 0;
  const chosen = all ? choices.map((choice) => choice.value) : value;
  const put = (next: string[]) => onChange(next.length === choices.length ? [] : next);
  return (
    <fieldset className="grid grid-cols-1 content-start gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <div className="flex flex-wrap gap-2">
        {choices.map((choice, i) => {
          const on = chosen.includes(choice.value);
          return (
            // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox inside is a button, which a label may name
            <label
              key={choice.value}
              className={clsx(
                'flex min-h-11 items-center gap-2.5 rounded-small px-3',
                on ? 'bg-accent text-accent-foreground' : 'text-muted-foreground shadow-[inset_0_0_0_1px_var(--line)]',
              )}
            >
              <Checkbox
                {...(i === 0 ? { ref } : {})}
                size="office"
                checked={on}
                disabled={on && chosen.length === 1}
                aria-invalid={error ? true : undefined}
                onCheckedChange={() =>
                  put(on ? chosen.filter((one) => one !== choice.value) : [...chosen, choice.value])
                }
              />
              {choice.label}
            </label>
          );
        })}
      </div>
      {!choices.length && !isPending && !asked.isError && <FirstPlace invalid={Boolean(error)} inputRef={ref} />}
      <RetryOptions of={asked} />
      {error ? (
        <FormError>{error}</FormError>
      ) : (
        choices.length > 1 && (
          <p className="text-caption text-quiet">
            {all ? t`Everywhere, also at places that you add later.` : t`Only there.`}
          </p>
        )
      )}
    </fieldset>
  );
}

/** A shop without a place: its name is enough to go on; address, phone and map come later. */
function FirstPlace({ invalid, inputRef }: { invalid: boolean; inputRef: React.Ref<HTMLInputElement> }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const add = useMutation({
    mutationFn: () => saveRecord('service_point', { ...freshServicePoint, name_th: name.trim() }),
    onSuccess: () =>
      client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).endsWith('/service_point') }),
  });
  if (!can('servicepoint', 'i')) return <p className="text-quiet">{t`No service point yet. Ask who may add one.`}</p>;
  const send = () => {
    if (name.trim() && !add.isPending) add.mutate();
  };
  return (
    <>
      <div className="flex gap-2">
        <Input
          ref={inputRef}
          size="office"
          className="min-w-0 flex-1"
          maxLength={80}
          aria-label={t`Name of the first place`}
          aria-invalid={invalid || undefined}
          placeholder={t`Nimman branch`}
          value={name}
          onChange={(event) => setName(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            send();
          }}
        />
        <Button variant="outline" size="office" disabled={!name.trim() || add.isPending} onClick={send}>
          {add.isSuccess ? <Check aria-hidden /> : <MapPinPlus aria-hidden />}
          {t`Add the place`}
        </Button>
      </div>
      <p className="text-caption text-quiet">{t`The name is enough for now. Address, phone and map can come later.`}</p>
      <FaultNote error={add.error} />
    </>
  );
}
