import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { callOnce } from '@wlv/client/call-once';
import { FaultNote } from '@wlv/client/fault-note';
import { Button } from '@wlv/ui/button';
import { Checkbox } from '@wlv/ui/checkbox';
import { Field } from '@wlv/ui/field';
import { count } from '@wlv/ui/format';
import { Input } from '@wlv/ui/input';
import { toast } from '@wlv/ui/toast';
import { clsx } from 'clsx';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import {
  BothLanguages,
  ChoiceField,
  FormSection,
  InstantField,
  MoneyField,
  NumberField,
  PercentField,
  SwitchField,
  TextField,
  useFormField,
} from '../../form/fields.tsx';
import { ManyField } from '../../form/lookup-fields.tsx';

/** What a discount takes off, from what, for whom, and how often. */
export function DiscountFields({ fresh, id }: { fresh: boolean; id?: string | undefined }) {
  const { t } = useLingui();
  const [how, kind, onCart] = useWatch({ name: ['how', 'kind', 'class'] }) as [string, string, string];
  const cart = onCart === 'cart';
  return (
    <>
      {fresh && (
        <p className="text-caption text-quiet">{t`Saved, it is not in use yet: start it in the list when it is ready.`}</p>
      )}
      <BothLanguages name="name" label={t`Name`} help={t`Customers read it beside the sum.`} />
      <div className="grid gap-4 sm:grid-cols-2">
        <ChoiceField
          name="how"
          label={t`How it is given`}
          options={[
            { value: 'code', label: t`Customers type a code` },
            { value: 'codes', label: t`Each customer types a code of his own` },
            { value: 'automatic', label: t`By itself` },
          ]}
        />
        {how === 'code' && <TextField name="code" label={t`Code to type`} clean={(text) => text.toUpperCase()} />}
      </div>
      {how === 'codes' &&
        (id ? (
          <MakeCodes id={id} />
        ) : (
          <p className="text-caption text-quiet">{t`Save it first; then make its codes here.`}</p>
        ))}
      <div className="grid gap-4 sm:grid-cols-3">
        <ChoiceField
          name="kind"
          label={t`Counted in`}
          options={[
            { value: 'percent', label: t`Percent` },
            { value: 'baht', label: t`Baht` },
          ]}
        />
        {kind === 'percent' ? (
          <PercentField name="value" label={t`Takes off`} />
        ) : (
          <MoneyField name="value" label={t`Takes off`} help={cart ? undefined : t`Off each piece`} />
        )}
        <MoneyField name="max_satang" label={t`At most`} help={cart ? t`Of an order` : t`Of a line of an order`} />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <ChoiceField
          name="class"
          label={t`Off what`}
          options={[
            { value: 'cart', label: t`The whole cart` },
            { value: 'line', label: t`Single packages` },
          ]}
        />
        <ChoiceField
          name="payer"
          label={t`Who pays it`}
          help={t`Commission is counted of the price after what the shop pays.`}
          options={[
            { value: 'organisation', label: t`The shop` },
            { value: 'agent', label: t`The agent, at most his commission` },
          ]}
        />
      </div>
      <FormSection title={t`For what, and when`}>
        <ManyField
          table="tags"
          name="tags"
          label={t`Packages with a tag`}
          none={t`No tag yet`}
          help={t`Without a tag or a package it is for all.`}
        />
        <ManyField table="salepackage" name="packages" label={t`Single packages`} none={t`No package yet`} />
        <Channels />
        <div className="grid gap-4 sm:grid-cols-2">
          <InstantField name="starts_at" label={t`From`} edge="first" />
          <InstantField name="ends_at" label={t`Until`} edge="last" />
        </div>
        <SwitchField
          name="first_only"
          label={t`Only a first purchase`}
          help={t`A customer who has bought nothing before`}
        />
      </FormSection>
      <FormSection title={t`Limits`}>
        <div className="grid gap-4 sm:grid-cols-2">
          <MoneyField
            name="least_satang"
            label={t`Least total`}
            help={cart ? t`After discounts on single packages` : undefined}
          />
          <NumberField name="least_items" label={t`Least pieces`} />
        </div>
        <div className="grid gap-4 sm:grid-cols-3">
          <NumberField name="uses" label={t`Uses in all`} placeholder={t`Unlimited`} unit={t`times`} />
          <NumberField name="uses_each" label={t`For each customer`} placeholder={t`Unlimited`} unit={t`times`} />
          <MoneyField name="budget_satang" label={t`Budget in all`} />
        </div>
      </FormSection>
      <div className="grid gap-4 sm:grid-cols-2">
        <ChoiceField
          name="stack"
          label={t`Together with others`}
          help={t`Where they do not go together, the customer gets what costs him least.`}
          options={[
            { value: 'alone', label: t`Never` },
            { value: 'with_line', label: t`With discounts on single packages` },
            { value: 'all', label: t`With all` },
          ]}
        />
        <NumberField
          name="position"
          label={t`Position`}
          help={t`Of several on the cart, the smallest is counted first.`}
        />
      </div>
      {!fresh && id && (
        <p className="text-sm">
          <Link
            to="/owner/$screen"
            params={{ screen: 'discountuselist' }}
            search={{ discount_id: [id] } as never}
            className="font-medium text-brand-text"
          >{t`See who has used it`}</Link>
        </p>
      )}
    </>
  );
}

/** Ways of buying, each a pill that is on or off; none is all. */
function Channels() {
  const { t } = useLingui();
  const { value, onChange } = useFormField<number[]>('channels', t`Ways of buying`);
  const chosen = value ?? [];
  const ways = [
    [2, t`Online shop`],
    [3, t`An agent's link`],
    [1, t`Counter`],
  ] as const;
  return (
    <fieldset className="grid grid-cols-1 gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{t`Ways of buying`}</legend>
      <div className="flex flex-wrap gap-2">
        {ways.map(([number, name]) => {
          const on = chosen.includes(number);
          return (
            // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox inside is a button, which a label may name
            <label
              key={number}
              className={clsx(
                'flex h-9 items-center gap-2.5 rounded-small px-3',
                on ? 'bg-accent text-accent-foreground' : 'text-muted-foreground shadow-[inset_0_0_0_1px_var(--line)]',
              )}
            >
              <Checkbox
                size="office"
                checked={on}
                onCheckedChange={() => onChange(on ? chosen.filter((one) => one !== number) : [...chosen, number])}
              />
              {name}
            </label>
          );
        })}
      </div>
      <p className="text-caption text-quiet">{t`None chosen means all.`}</p>
    </fieldset>
  );
}

/** Makes codes that nobody guesses; their list is a file from there. */
function MakeCodes({ id }: { id: string }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const [number, setNumber] = useState('100');
  const make = useMutation({
    mutationFn: () => {
      const body = { id, number: Number(number), uses: 1 };
      return callOnce('/api/owner/discountcode/make', body);
    },
    onSuccess: ({ number: made }) => {
      toast({ tone: 'ok', title: t`${count(made)} codes made` });
      void client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).endsWith('/discountcode') });
    },
  });
  const wrong = !(Number(number) >= 1 && Number(number) <= 5_000);
  return (
    <FormSection title={t`Codes`}>
      <div className="flex flex-wrap items-start gap-3">
        <Field label={t`How many`} help={t`Each can be used once.`} className="w-40">
          <Input
            size="office"
            inputMode="numeric"
            value={number}
            onChange={(event) => setNumber(event.target.value.replace(/\D/g, ''))}
          />
        </Field>
        <Button
          size="office"
          variant="outline"
          className="mt-[26px]"
          disabled={wrong || make.isPending}
          onClick={() => make.mutate()}
        >{t`Make codes`}</Button>
        <Link
          to="/owner/$screen"
          params={{ screen: 'discountcodelist' }}
          search={{ discount_id: [id] } as never}
          className="mt-9 text-sm font-medium text-brand-text"
        >{t`See the codes`}</Link>
      </div>
      <FaultNote error={make.error} />
    </FormSection>
  );
}
