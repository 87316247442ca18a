import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Body, type Detail, query } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { type AnyFault, faultSentence } from '@wlv/client/faults';
import { useTexts } from '@wlv/client/page';
import { Checkbox } from '@wlv/ui/checkbox';
import { amount } from '@wlv/ui/format';
import { Price } from '@wlv/ui/price';
import { Select } from '@wlv/ui/select';
import { Stepper } from '@wlv/ui/stepper';
import { CircleMinus } from 'lucide-react';
import { useState } from 'react';
import { useLookup } from '../../resource/lookup.ts';
import type { ValuesOf } from '../../resource/resource.ts';

type Values = ValuesOf<'discount'>;
type Trial = Detail<'/api/owner/discount/try'>;

const nobody = 'nobody';

/** What a cart would cost with the discount as the form has it, and which discounts are not given, and why. */
export function DiscountTester({ values, id }: { values: Values; id?: string | undefined }) {
  const { t } = useLingui();
  const packages = useLookup('salepackage');
  const types = useLookup('agenttype');
  const [lines, setLines] = useState<{ package_id: string; quantity: number }[]>();
  const [seller, setSeller] = useState(nobody);
  const [first, setFirst] = useState(true);
  const [used, setUsed] = useState(0);
  const cart = lines ?? packages.choices.slice(0, 1).map(({ value }) => ({ package_id: value, quantity: 1 }));
  const trial = useTrial({ values, id, lines: cart, seller, first, used });
  const others = packages.choices.filter(({ value }) => !cart.some((line) => line.package_id === value));
  const set = (id: string, quantity: number) =>
    setLines(cart.map((line) => (line.package_id === id ? { ...line, quantity } : line)));

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
      <ul className="divide-y rounded-card bg-card px-3.5 shadow-[inset_0_0_0_1px_var(--line)]">
        {cart.map((line) => (
          <TriedLine
            key={line.package_id}
            name={packages.label(line.package_id) ?? ''}
            quantity={line.quantity}
            price={trial.data?.lines.find(({ package_id }) => package_id === line.package_id)}
            onChange={(quantity) => set(line.package_id, quantity)}
            {...(cart.length > 1 && { onRemove: () => setLines(cart.filter((other) => other !== line)) })}
          />
        ))}
        {others.length > 0 && (
          <li className="py-3">
            <Select
              size="office"
              label={t`Add a package`}
              placeholder={t`Add a package`}
              value={undefined}
              onChange={(value) => setLines([...cart, { package_id: value, quantity: 1 }])}
              options={others}
            />
          </li>
        )}
      </ul>
      <FaultNote error={trial.error} />
      {trial.data && <Sums trial={trial.data} />}
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
  lines: { package_id: string; quantity: number }[];
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
    agent_type_id: agent,
  };
  return useQuery({
    ...query('/api/owner/discount/try', body),
    enabled: lines.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  });
}

function TriedLine({
  name,
  quantity,
  price,
  onChange,
  onRemove,
}: {
  name: string;
  quantity: number;
  price: Trial['lines'][number] | undefined;
  onChange: (quantity: number) => void;
  onRemove?: () => void;
}) {
  return (
    <li className="grid grid-cols-1 gap-1.5 py-3">
      <div className="flex items-center justify-between gap-3">
        <span className="min-w-0 truncate font-medium">{name}</span>
        <Stepper name={name} value={quantity} onChange={onChange} {...(onRemove && { onRemove })} />
      </div>
      {price && (
        <p className="flex justify-between gap-3 text-sm tabular-nums">
          <span className="text-quiet">{amount(price.full_satang)}</span>
          {price.full_satang > price.amount_satang && (
            <span className="text-ok-text">−{amount(price.full_satang - price.amount_satang)}</span>
          )}
          <span>{amount(price.amount_satang)}</span>
        </p>
      )}
    </li>
  );
}

function Sums({ trial }: { trial: Trial }) {
  const { t } = useLingui();
  const text = useTexts();
  const rows: (readonly [string, number])[] = [
    [t`Platform fee`, trial.fee_satang],
    [t`Commission`, trial.commission_satang],
  ];
  return (
    <>
      <dl className="grid grid-cols-1 gap-2 text-sm tabular-nums">
        <div className="flex justify-between gap-4">
          <dt className="text-muted-foreground">{t`Before discounts`}</dt>
          <dd>{amount(trial.full_satang)}</dd>
        </div>
        {trial.discounts.map((given) => (
          <div key={given.id} className="flex justify-between gap-4">
            <dt className="text-muted-foreground">{text(given, 'name')}</dt>
            <dd className="text-ok-text">−{amount(given.amount_satang)}</dd>
          </div>
        ))}
        <div className="flex items-center justify-between gap-4 border-y py-3">
          <dt className="font-semibold">{t`The customer pays`}</dt>
          <dd>
            <Price satang={trial.total_satang} className="text-[24px]" />
          </dd>
        </div>
        {rows.map(([name, sum]) => (
          <div key={name} className="flex justify-between gap-4">
            <dt className="text-muted-foreground">{name}</dt>
            <dd>{amount(sum)}</dd>
          </div>
        ))}
        <div className="flex justify-between gap-4 font-semibold">
          <dt>{t`The shop earns`}</dt>
          <dd>{amount(trial.share_satang)}</dd>
        </div>
      </dl>
      {trial.lost.length > 0 && (
        <ul aria-label={t`Not given`} className="grid grid-cols-1 gap-2">
          {trial.lost.map((loss) => (
            <Lost key={loss.discount_id ?? loss.code} loss={loss} />
          ))}
        </ul>
      )}
    </>
  );
}

/** A discount that is not given, and why, as the customer would read it. */
function Lost({ loss }: { loss: Trial['lost'][number] }) {
  const { t, i18n } = useLingui();
  const text = useTexts();
  const other = text(loss, 'other');
  const missing = amount(loss.missing_satang ?? 0);
  const why = {
    'discount.too_little': t`${missing} short of its least total`,
    'discount.not_together': t`not together with ${other}`,
    'discount.yours_used': t`used as often as one customer may`,
    'discount.used_up': t`used up`,
    'discount.other_goods': t`for other packages`,
    'discount.other_channel': t`for other ways of buying`,
    'discount.first_only': t`for a first purchase only`,
    'discount.not_yet': t`not begun yet`,
    'discount.ended': t`over`,
    'discount.no_agent': t`no agent sells it`,
    'discount.too_few': t`too few pieces`,
    'discount.nothing_left': t`nothing is left to reduce`,
  }[loss.fault as string];
  return (
    <li className="flex items-start gap-2.5 text-sm text-muted-foreground">
      <CircleMinus aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>
        <span className="font-medium text-foreground">{text(loss, 'name') || loss.code}</span>{' '}
        {why ?? faultSentence(i18n, loss.fault as AnyFault)}
      </span>
    </li>
  );
}
