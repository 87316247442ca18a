import { Trans } from '@lingui/react/macro';
import { Price } from '@wlv/ui/price';
import type { PayBy } from './method-choice.tsx';

/** What the button does, with the sum that it takes; without a way to pay it fills the wallet. */
export function PayWords({ way, total, topup }: { way: PayBy | undefined; total: number; topup: number }) {
  const sum = <Price satang={total} />;
  if (way === 'wallet') return <Trans>Pay from Wallet {sum}</Trans>;
  if (way === 'promptpay') return <Trans>Pay {sum} by PromptPay</Trans>;
  if (way === 'card') return <Trans>Pay {sum} by card</Trans>;
  const least = <Price satang={topup} />;
  return <Trans>Top up {least}</Trans>;
}
