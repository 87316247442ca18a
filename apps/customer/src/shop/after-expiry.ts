import { useLingui } from '@lingui/react/macro';
import { keepThaiTogether } from '@wlv/ui/thai';

export type ExpiryRule = 'breakage' | 'wallet';

/** Whose the rest is once a voucher has expired. */
export function useAfterExpiry(rule: ExpiryRule) {
  const { t } = useLingui();
  const words = {
    breakage: t`After it expires, what is left belongs to the shop`,
    wallet: t`After it expires, what is left goes back to your Wallet`,
  };
  return keepThaiTogether(words[rule]);
}
