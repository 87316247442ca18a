import { Plural, useLingui } from '@lingui/react/macro';
import { capabilities } from '@wlv/client/capabilities';
import { Card } from '@wlv/ui/card';
import { amount } from '@wlv/ui/format';
import { MoneyBar, MoneyMark } from '@wlv/ui/money-bar';
import { Price } from '@wlv/ui/price';
import type { ReactNode } from 'react';
import { HeldInWallets } from '../../shell/held-in-wallets.tsx';
import type { Dashboard } from './dashboard.ts';

/** Where the money is now; the parts add up to the satang. */
export function MoneyCard({ money }: { money: NonNullable<Dashboard['money']> }) {
  const { t } = useLingui();
  const parts: { name: string; line: ReactNode; satang: number; colour: string }[] = [
    {
      name: t`Waiting to be used`,
      line: t`kept safe for customers`,
      satang: money.unearned_satang,
      colour: 'bg-second-mark',
    },
    {
      ...(capabilities.payouts
        ? { name: t`Ready to be paid out`, line: t`used, waiting for transfer` }
        : { name: t`Yours already`, line: t`used by customers` }),
      satang: money.payable_satang,
      colour: 'bg-brand-mark',
    },
    {
      name: t`Agents' commissions`,
      line: <Plural value={money.agents} one="# person" other="# people" />,
      satang: money.commission_satang,
      colour: 'bg-info',
    },
  ];
  const total = parts.reduce((sum, part) => sum + part.satang, 0);
  return (
    <Card office className="px-[18px] py-4">
      <h2 className="text-base font-semibold">{t`Where the money is`}</h2>
      <p className="text-caption text-quiet">{t`All that was paid for vouchers, since the shop opened`}</p>
      <p className="mt-1 text-h1-office">
        <Price satang={total} />
      </p>
      <MoneyBar
        parts={parts.map(({ name, satang, colour }) => ({ key: name, satang, colour }))}
        className="mb-3 mt-2.5"
      />
      <ul>
        {parts.map((part) => (
          <li key={part.name} className="flex items-start gap-[11px] py-1.5">
            <span className="mt-1.5">
              <MoneyMark colour={part.colour} />
            </span>
            <span className="min-w-0 flex-1">
              <span className="font-medium">{part.name}</span>{' '}
              <span className="text-caption text-quiet">· {part.line}</span>
            </span>
            <span className="font-medium">{amount(part.satang)}</span>
          </li>
        ))}
      </ul>
      <div className="mt-3 border-t pt-3">
        <HeldInWallets held={money.wallets} />
      </div>
      {total === 0 && (
        <p className="mt-3 border-t pt-3 text-caption text-quiet">
          {t`When somebody buys, the money is kept here until the voucher is used.`}
        </p>
      )}
    </Card>
  );
}
