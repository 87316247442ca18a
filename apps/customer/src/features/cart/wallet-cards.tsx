import { useLingui } from '@lingui/react/macro';
import { Card } from '@wlv/ui/card';
import { baht } from '@wlv/ui/format';
import { Meter } from '@wlv/ui/meter';
import { Wallet } from 'lucide-react';
import type { Quote } from './quote.ts';

/** The wallet does not reach: how far it does, what is missing, and that nothing in the cart is lost. */
export function ShortWallet({ quote }: { quote: Quote }) {
  const { t } = useLingui();
  const missing = baht(quote.missing_satang);
  const least = baht(quote.topup_satang);
  return (
    <Card className="p-4">
      <h2 className="flex items-center gap-2.5 font-semibold">
        <Wallet aria-hidden className="size-[22px] text-warn-text" />
        {t`Not enough in your Wallet`}
      </h2>
      <Meter tone="warn" value={quote.balance_satang / quote.total_satang} className="mb-2 mt-3" />
      <p className="flex justify-between gap-4 text-sm">
        <span className="text-muted-foreground">
          {t`You have`} <b className="font-semibold text-foreground">{baht(quote.balance_satang)}</b>
        </span>
        <span className="font-semibold text-warn-text">{t`${missing} short`}</span>
      </p>
      <p className="mt-2.5 text-caption text-quiet">
        {quote.topup_is_minimum
          ? t`The least top-up is ${least}; the rest stays in your Wallet. Or pay the exact price directly.`
          : t`Top up and we bring you back here to pay. Your cart is kept.`}
      </p>
    </Card>
  );
}

/** What stays in the wallet after paying. */
export function WalletAfter({ quote }: { quote: Quote }) {
  const { t } = useLingui();
  const after = baht(quote.balance_satang - quote.total_satang);
  return (
    <Card className="flex items-center gap-3 p-4">
      <Wallet aria-hidden className="size-[22px] shrink-0 text-brand-text" />
      <div className="min-w-0 flex-1">
        <h2 className="text-row font-semibold">{t`Paid from your Wallet`}</h2>
        <p className="text-caption text-quiet">{t`${after} stays after this`}</p>
      </div>
      <span className="text-row font-semibold">{baht(quote.balance_satang)}</span>
    </Card>
  );
}
