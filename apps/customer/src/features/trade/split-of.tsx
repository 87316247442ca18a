import { useLingui } from '@lingui/react/macro';
import { amount } from '@wlv/ui/format';
import { Price } from '@wlv/ui/price';
import { Ticket } from '@wlv/ui/ticket';
import type { OfferDetail } from './offer.ts';

/** Who gets what of a price, and what comes into the seller's wallet. */
export function SplitOf({
  price,
  split,
  sold,
  percents,
}: {
  price: number;
  split: NonNullable<OfferDetail['split']>;
  /** It was; before that the money is only to come. */
  sold: boolean;
  percents?: { fee: string; royalty: string };
}) {
  const { t } = useLingui();
  const rows = [
    [t`Price`, price],
    [percents ? t`Service fee ${percents.fee}` : t`Service fee`, -split.fee_satang],
    [percents ? t`The shop's part ${percents.royalty}` : t`The shop's part`, -split.royalty_satang],
  ] as const;
  return (
    <Ticket
      stub={62}
      foot={
        <>
          <span className="flex-1 font-semibold">{sold ? t`Came into your Wallet` : t`Comes into your Wallet`}</span>
          <Price satang={split.net_satang} className="text-[22px] text-brand-text" />
        </>
      }
    >
      <dl className="grid gap-2 px-4 pb-3 pt-3.5 text-row">
        {rows.map(([name, sum]) => (
          <div key={name} className="flex justify-between gap-3">
            <dt>{name}</dt>
            <dd className="tabular-nums">{sum < 0 ? `−${amount(-sum)}` : amount(sum)}</dd>
          </div>
        ))}
      </dl>
    </Ticket>
  );
}
