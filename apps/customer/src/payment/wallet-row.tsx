import { useLingui } from '@lingui/react/macro';
import { Button } from '@wlv/ui/button';
import { baht } from '@wlv/ui/format';
import { Wallet } from 'lucide-react';
import { MethodRow } from './method-choice.tsx';

/** What a wallet has beside what it has to pay, and what to fill it up with. */
export interface Reach {
  balance_satang: number;
  total_satang: number;
  missing_satang: number;
  topup_satang: number;
  topup_is_minimum: boolean;
}

/** What the server takes least. */
const leastTopUp = 100_00;

/** How far a wallet goes for a price. */
export function reachOf(balance: number, price: number): Reach {
  const missing = Math.max(0, price - balance);
  return {
    balance_satang: balance,
    total_satang: price,
    missing_satang: missing,
    topup_satang: Math.max(missing, leastTopUp),
    topup_is_minimum: missing > 0 && missing < leastTopUp,
  };
}

/** The wallet does not reach: how far it does, and how much fills it up; without `onTopup` the page's foot does that. */
export function ShortWallet({ reach, onTopup }: { reach: Reach; onTopup: (() => void) | undefined }) {
  const { t } = useLingui();
  const has = baht(reach.balance_satang);
  const missing = baht(reach.missing_satang);
  const topup = baht(reach.topup_satang);
  return (
    <div>
      <MethodRow
        Icon={Wallet}
        title={t`Wallet`}
        line={reach.balance_satang > 0 ? t`You have ${has}, ${missing} short` : t`You have ${has}`}
      >
        {onTopup && (
          <Button variant="outline" size="md" className="px-3! text-sm!" onClick={onTopup}>{t`Top up ${topup}`}</Button>
        )}
      </MethodRow>
      {reach.topup_is_minimum && (
        <p className="pb-3 text-caption text-quiet">{t`The least top-up is ${topup}; the rest stays in your Wallet.`}</p>
      )}
    </div>
  );
}

/** What stays in the wallet after paying. */
export function useWalletLine(reach: Reach) {
  const { t } = useLingui();
  const has = baht(reach.balance_satang);
  const after = baht(reach.balance_satang - reach.total_satang);
  return t`You have ${has}, ${after} stays after this`;
}
