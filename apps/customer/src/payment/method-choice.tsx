import { useLingui } from '@lingui/react/macro';
import { CreditCard, QrCode } from 'lucide-react';
import { useId } from 'react';

type Method = 'promptpay' | 'card';

/** How to pay: a PromptPay QR from any bank, or a card. */
export function MethodChoice({
  methods,
  value,
  onChange,
}: {
  methods: Method[];
  value: Method;
  onChange: (method: Method) => void;
}) {
  const { t } = useLingui();
  const name = useId();
  const words = {
    promptpay: {
      Icon: QrCode,
      title: t`PromptPay QR`,
      line: t`Scan with any Thai bank's app; the QR lasts 10 minutes`,
    },
    card: { Icon: CreditCard, title: t`Credit or debit card`, line: t`Your bank may ask for its one-time code` },
  };
  return (
    <fieldset className="grid grid-cols-1 gap-2.5">
      <legend className="mb-1.5 text-sm font-medium">{t`Pay by`}</legend>
      {methods.map((method) => {
        const { Icon, title, line } = words[method];
        return (
          <label
            key={method}
            className="flex items-center gap-3.5 rounded-card bg-card p-4 shadow-[inset_0_0_0_1px_var(--line)] has-checked:shadow-[inset_0_0_0_2px_var(--brand-mark)] has-focus-visible:outline-2"
          >
            <span className="grid size-[42px] shrink-0 place-items-center rounded-tile bg-accent text-accent-foreground">
              <Icon aria-hidden className="size-5" />
            </span>
            <span className="min-w-0 flex-1">
              <span className="block text-row font-medium">{title}</span>
              <span className="block text-caption text-quiet">{line}</span>
            </span>
            <input
              type="radio"
              name={name}
              value={method}
              checked={method === value}
              onChange={() => onChange(method)}
              className="size-5 accent-(--brand)"
            />
          </label>
        );
      })}
    </fieldset>
  );
}
