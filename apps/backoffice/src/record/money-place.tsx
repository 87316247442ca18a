import { useLingui } from '@lingui/react/macro';
import { amount } from '@wlv/ui/format';
import { MoneyBar, MoneyMark } from '@wlv/ui/money-bar';
import type { StorySums } from './story.ts';

/** Where the money is that was paid for vouchers: the parts add up to it. */
export function MoneyPlace({ money, row }: { money: StorySums; row?: boolean }) {
  const { t } = useLingui();
  const all = [
    { key: 'used', name: t`Used`, satang: money.used_satang, colour: 'bg-brand-mark', always: true },
    { key: 'unused', name: t`Not used yet`, satang: money.unused_satang, colour: 'bg-second-mark', always: true },
    { key: 'frozen', name: t`On hold`, satang: money.frozen_satang, colour: 'bg-warn' },
    { key: 'expired', name: t`Expired`, satang: money.expired_satang, colour: 'bg-info' },
    { key: 'returned', name: t`Taken back`, satang: money.returned_satang, colour: 'bg-bad' },
    { key: 'split', name: t`Moved to other vouchers`, satang: money.split_satang, colour: 'bg-input' },
  ];
  const parts = all.filter(({ satang, always }) => always || satang > 0);
  return (
    <>
      <MoneyBar parts={parts} className="mb-2.5" />
      <dl className={row ? 'flex flex-wrap gap-x-8 gap-y-1.5' : 'grid gap-2'}>
        {parts.map(({ key, name, satang, colour }) => (
          <div key={key} className="flex items-center gap-2">
            <MoneyMark colour={colour} />
            <dt className="text-muted-foreground">{name}</dt>
            <dd className={row ? 'font-medium' : 'ml-auto font-medium'}>{amount(satang)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
