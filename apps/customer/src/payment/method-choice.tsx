import { useLingui } from '@lingui/react/macro';
import { Card } from '@wlv/ui/card';
import { CreditCard, type LucideIcon, QrCode, Wallet } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import type { Method } from './use-pay.ts';

/** What an order can be paid with: straight, or from the wallet. */
export type PayBy = Method | 'wallet';

/** How to pay: a PromptPay QR from any bank, a card, or the wallet. `children` are rows below that are no choice. */
export function MethodChoice<Offered extends PayBy>({
  methods,
  value,
  onChange,
  walletLine,
  children,
}: {
  methods: Offered[];
  value: Offered | undefined;
  onChange: (method: Offered) => void;
  walletLine?: string;
  children?: ReactNode;
}) {
  const { t } = useLingui();
  const name = useId();
  const words = {
    promptpay: { Icon: QrCode, title: t`PromptPay`, line: t`Scan with any Thai bank's app` },
    card: { Icon: CreditCard, title: t`Credit or debit card`, line: 'Visa · Mastercard · JCB' },
    wallet: { Icon: Wallet, title: t`Wallet`, line: walletLine },
  };
  return (
    <fieldset>
      <legend className="mb-2 px-1 font-semibold">{t`Pay by`}</legend>
      <Card className="divide-y px-4">
        {methods.map((method) => (
          <label key={method} className="flex cursor-pointer has-focus-visible:outline-2">
            <MethodRow {...words[method]} on={method === value}>
              <input
                type="radio"
                name={name}
                value={method}
                checked={method === value}
                onChange={() => onChange(method)}
                className="size-[22px] shrink-0 accent-(--brand)"
              />
            </MethodRow>
          </label>
        ))}
        {children}
      </Card>
    </fieldset>
  );
}

/** One way to pay, in words; what is chosen or done with it stands at its end. */
export function MethodRow({
  Icon,
  title,
  line,
  on,
  children,
}: {
  Icon: LucideIcon;
  title: string;
  line: ReactNode;
  on?: boolean;
  children: ReactNode;
}) {
  return (
    <div className="flex min-w-0 flex-1 items-center gap-3.5 py-3">
      <span
        className={`grid size-[42px] shrink-0 place-items-center rounded-tile ${on ? 'bg-accent text-accent-foreground' : 'bg-muted text-muted-foreground'}`}
      >
        <Icon aria-hidden className="size-5" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block text-row font-medium">{title}</span>
        <span className="block text-caption text-quiet">{line}</span>
      </span>
      {children}
    </div>
  );
}
