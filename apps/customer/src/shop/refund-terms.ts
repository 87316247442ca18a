import { useLingui } from '@lingui/react/macro';
import { date } from '@wlv/ui/format';
import { keepThaiTogether } from '@wlv/ui/thai';

/** What its payer may do who changes his mind, as a package or a line of a cart says it. */
export interface RefundTerms {
  refund_rule: 'none' | 'asking' | 'self';
  refund_fee_basis_points: number;
  /** The last day, of what is bought today. */
  refund_until: string;
}

/** Until when what is not used is refunded, by whom, and what it costs. `handed`: what was given or sold on is somebody else's. */
export function useRefundTerms(terms: RefundTerms, handed: boolean) {
  const { t } = useLingui();
  const until = date(terms.refund_until);
  const percent = terms.refund_fee_basis_points / 100;
  const title = {
    self: t`Not used yet? Get a refund until ${until}`,
    asking: t`Not used yet? Ask for a refund until ${until}`,
    none: t`No refund if you change your mind`,
  }[terms.refund_rule];
  const fee = percent ? t`Into your Wallet, less ${percent}%` : t`Into your Wallet, in full`;
  const lines = {
    self: [fee],
    asking: [t`The shop decides`, fee],
    none: [t`If the shop cannot provide it, you are entitled to a refund`],
  }[terms.refund_rule];
  if (handed) lines.push(t`Once given or sold on, a refund is its holder's`);
  return { title: keepThaiTogether(title), line: keepThaiTogether(lines.join(' · ')) };
}
