import { useLingui } from '@lingui/react/macro';
import { Button } from '@wlv/ui/button';
import { baht } from '@wlv/ui/format';
import { Wallet } from 'lucide-react';
import { MethodRow } from '../../payment/method-choice.tsx';
import type { Quote } from './quote.ts';

/** The wallet does not reach: how far it does, and how much fills it up; without `onTopup` the page's foot does that. */
export function ShortWallet({ quote, onTopup }: { quote: Quote; onTopup: (() => void) | undefined }) {
  const { t } = useLingui();
  const has = baht(quote.balance_satang);
  const missing = baht(quote.missing_satang);
  const topup = baht(quote.topup_satang);
  return (
    <div>
      <MethodRow
        Icon={Wallet}
        title={t`Wallet`}
        line={quote.balance_satang > 0 ? t`You have ${has}, ${missing} short` : t`You have ${has}`}
      >
        {onTopup && (
          <Button variant="outline" size="md" className="px-3! text-sm!" onClick={onTopup}>{t`Top up ${topup}`}</Button>
        )}
      </MethodRow>
      {quote.topup_is_minimum && (
        <p className="pb-3 text-caption text-quiet">{t`The least top-up is ${topup}; the rest stays in your Wallet.`}</p>
      )}
    </div>
  );
}

/** What stays in the wallet after paying. */
export function useWalletLine(quote: Quote) {
  const { t } = useLingui();
  const has = baht(quote.balance_satang);
  const after = baht(quote.balance_satang - quote.total_satang);
  return t`You have ${has}, ${after} stays after this`;
}
