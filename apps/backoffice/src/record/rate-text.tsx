import { useLingui } from '@lingui/react/macro';
import { amount, percent } from '@wlv/ui/format';

/** What an agent earns: percent of the price, or baht for each piece. */
export function RateText({ kind, value = 0 }: { kind: string | undefined; value: number | undefined }) {
  const { t } = useLingui();
  if (kind === 'baht') {
    const sum = amount(value);
    return t`฿${sum} a piece`;
  }
  return percent(value);
}
