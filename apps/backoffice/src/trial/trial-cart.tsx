import { useLingui } from '@lingui/react/macro';
import type { Detail } from '@wlv/client/call';
import { amount } from '@wlv/ui/format';
import { Select } from '@wlv/ui/select';
import { Stepper } from '@wlv/ui/stepper';
import { useLookup } from '../resource/lookup.ts';

export type Trial = Detail<'/api/owner/discount/try'>;

export interface TriedLines {
  package_id: string;
  quantity: number;
}

/** The packages of a cart that is only tried, with what each costs, and a way to add others. */
export function TrialCart({
  cart,
  trial,
  onChange,
}: {
  cart: TriedLines[];
  trial: Trial | undefined;
  onChange: (cart: TriedLines[]) => void;
}) {
  const { t } = useLingui();
  const packages = useLookup('salepackage');
  const others = packages.choices.filter(({ value }) => !cart.some((line) => line.package_id === value));
  const set = (id: string, quantity: number) =>
    onChange(cart.map((line) => (line.package_id === id ? { ...line, quantity } : line)));
  return (
    <ul className="divide-y rounded-card bg-card px-3.5 shadow-[inset_0_0_0_1px_var(--line)]">
      {cart.map((line) => (
        <TriedLine
          key={line.package_id}
          name={packages.label(line.package_id) ?? ''}
          quantity={line.quantity}
          price={trial?.lines.find(({ package_id }) => package_id === line.package_id)}
          onChange={(quantity) => set(line.package_id, quantity)}
          {...(cart.length > 1 && { onRemove: () => onChange(cart.filter((other) => other !== line)) })}
        />
      ))}
      {others.length > 0 && (
        <li className="py-3">
          <Select
            size="office"
            label={t`Add a package`}
            placeholder={t`Add a package`}
            value={undefined}
            onChange={(value) => onChange([...cart, { package_id: value, quantity: 1 }])}
            options={others}
          />
        </li>
      )}
    </ul>
  );
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
