import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Body, query } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { Checkbox } from '@wlv/ui/checkbox';
import { Select } from '@wlv/ui/select';
import { Stepper } from '@wlv/ui/stepper';
import { useState } from 'react';
import { useLookup } from '../../resource/lookup.ts';
import type { ValuesOf } from '../../resource/resource.ts';
import { TrialCart, type TriedLines } from '../../trial/trial-cart.tsx';
import { TrialSums } from '../../trial/trial-sums.tsx';

type Values = ValuesOf<'discount'>;

const nobody = 'nobody';

/** What a cart would cost with the discount as the form has it, and which discounts are not given, and why. */
export function DiscountTester({ values, id }: { values: Values; id?: string | undefined }) {
  const { t } = useLingui();
  const packages = useLookup('salepackage');
  const types = useLookup('agenttype');
  const [lines, setLines] = useState<TriedLines[]>();
  const [seller, setSeller] = useState(nobody);
  const [first, setFirst] = useState(true);
  const [used, setUsed] = useState(0);
  const cart = lines ?? packages.choices.slice(0, 1).map(({ value }) => ({ package_id: value, quantity: 1 }));
  const trial = useTrial({ values, id, lines: cart, seller, first, used });

  return (
    <section aria-label={t`Try a cart`} className="grid grid-cols-1 gap-4">
      <div className="flex items-baseline justify-between gap-3">
        <h3 className="text-base font-semibold">{t`Try a cart`}</h3>
        <span className="text-caption text-quiet">{t`With what is not saved yet`}</span>
      </div>
      <Select
        size="office"
        label={t`Who sells it`}
        value={seller}
        onChange={setSeller}
        options={[
          { value: nobody, label: t`Online shop` },
          ...types.choices.map(({ value, label }) => ({ value, label: t`Agent: ${label}` })),
        ]}
      />
      <div className="flex flex-wrap items-center justify-between gap-3 text-sm">
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox inside is a button, which a label may name */}
        <label className="flex items-center gap-2.5">
          <Checkbox size="office" checked={first} onCheckedChange={() => setFirst(!first)} />
          {t`First purchase`}
        </label>
        <span className="flex items-center gap-2.5">
          {t`Used before`}
          <Stepper name={t`Used before`} min={0} value={used} onChange={setUsed} />
        </span>
      </div>
      <TrialCart cart={cart} trial={trial.data} onChange={setLines} />
      <FaultNote error={trial.error} />
      {trial.data && <TrialSums trial={trial.data} />}
    </section>
  );
}

/** A number that the form has not yet is none. */
const whole = (values: Values): Values => ({
  ...values,
  value: values.value ?? 0,
  least_satang: values.least_satang ?? 0,
  least_items: values.least_items ?? 0,
  position: values.position ?? 0,
});

function useTrial(of: {
  values: Values;
  id: string | undefined;
  lines: TriedLines[];
  seller: string;
  first: boolean;
  used: number;
}) {
  const { t } = useLingui();
  const { values, id, lines, seller, first, used } = of;
  const agent = seller === nobody ? null : seller;
  const name = values.name_th || t`This discount`;
  const body: Body<'/api/owner/discount/try'> = {
    // While no code is typed, the cart is tried with a made-up one: which it is changes no sum.
    discount: {
      ...whole(values),
      ...(id && { id }),
      name_th: name,
      code: values.code || (values.how === 'code' ? 'CODE' : ''),
    },
    lines,
    codes: [],
    first,
    used_each: used,
    channel: agent ? 3 : 2,
    recruited: false,
    agent_type_id: agent,
  };
  return useQuery({
    ...query('/api/owner/discount/try', body),
    enabled: lines.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  });
}
