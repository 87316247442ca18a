import { Plural, useLingui } from '@lingui/react/macro';
import { capabilities } from '@wlv/client/capabilities';
import { count } from '@wlv/ui/format';
import { KpiCard } from '@wlv/ui/kpi-card';
import { Price } from '@wlv/ui/price';
import { clsx } from 'clsx';
import { Landmark, ShoppingBag, TicketCheck, TrendingUp, UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Dashboard } from './dashboard.ts';

/** One number each, with how it changed; of what this person may see. */
export function Figures({ now: { sales, uses, customers, money }, days }: { now: Dashboard; days: number }) {
  const { t } = useLingui();
  return (
    <div
      className={clsx(
        'grid grid-cols-1 gap-4',
        // Three and one below would look like a mistake.
        sales && uses && customers && money
          ? 'sm:grid-cols-2 min-[1312px]:grid-cols-4'
          : 'sm:grid-cols-[repeat(auto-fit,minmax(240px,1fr))]',
      )}
    >
      {sales && (
        <KpiCard
          icon={<ShoppingBag aria-hidden className="text-brand-text" />}
          name={t`Sales`}
          value={<Price satang={sales.gross_satang} />}
          {...change(sales.gross_satang, sales.before_satang)}
          {...trend(sales.days.map((day) => day.gross_satang))}
        />
      )}
      {uses && (
        <KpiCard
          icon={<TicketCheck aria-hidden className="text-brand-text" />}
          name={t`Redemptions`}
          value={<Unit number={uses.count} unit={<Plural value={uses.count} one="time" other="times" />} />}
          {...change(uses.count, uses.before)}
          {...trend(uses.days.map((day) => day.count))}
        />
      )}
      {customers && (
        <KpiCard
          icon={<UserPlus aria-hidden className="text-brand-text" />}
          name={t`New customers`}
          value={
            <Unit number={customers.count} unit={<Plural value={customers.count} one="person" other="people" />} />
          }
          {...change(customers.count, customers.before)}
          {...trend(customers.days.map((day) => day.count))}
        />
      )}
      {money && (
        <KpiCard
          icon={<Landmark aria-hidden className="text-brand-text" />}
          value={<Price satang={money.payable_satang} />}
          {...earned(money.payable_satang)}
        />
      )}
    </div>
  );

  function earned(satang: number) {
    if (!capabilities.payouts)
      return { name: t`Yours already`, change: satang ? t`used by customers` : t`Nothing used yet` };
    return {
      name: t`Ready to be paid out`,
      change: satang ? t`Waiting for the next transfer` : t`Nothing to be transferred now`,
    };
  }

  function trend(values: number[]) {
    return days > 1 && values.some(Boolean) ? { trend: values } : {};
  }

  function change(value: number, was: number): { change: ReactNode; good?: boolean } {
    if (!was) return { change: value ? before('none') : before('neither') };
    const percent = ((value - was) / was) * 100;
    if (!percent) return { change: before('same') };
    const up = percent > 0;
    const said = count(Number(Math.abs(percent).toFixed(Math.abs(percent) < 100 ? 1 : 0)));
    return {
      good: up,
      change: (
        <span className="inline-flex items-center gap-1">
          <TrendingUp aria-hidden className={clsx('size-[15px] shrink-0', !up && '-scale-y-100')} />
          {up ? more(said) : less(said)}
        </span>
      ),
    };
  }

  function more(percent: string) {
    return days > 1 ? t`Up ${percent}% on the ${days} days before` : t`Up ${percent}% on yesterday`;
  }

  function less(percent: string) {
    return days > 1 ? t`Down ${percent}% on the ${days} days before` : t`Down ${percent}% on yesterday`;
  }

  function before(what: 'none' | 'neither' | 'same') {
    const yesterday = days === 1;
    if (what === 'neither') return yesterday ? t`None today yet` : t`None in this time yet`;
    if (what === 'none') return yesterday ? t`None yesterday` : t`None in the ${days} days before`;
    return yesterday ? t`The same as yesterday` : t`The same as the ${days} days before`;
  }
}

function Unit({ number, unit }: { number: number; unit: ReactNode }) {
  return (
    <>
      {count(number)} <span className="text-sm font-normal text-muted-foreground">{unit}</span>
    </>
  );
}
