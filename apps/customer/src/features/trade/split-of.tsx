import { useLingui } from '@lingui/react/macro';
import { amount } from '@wlv/ui/format';
import { Price } from '@wlv/ui/price';
import { Ticket } from '@wlv/ui/ticket';
import type { OfferDetail } from './offer.ts';

type Split = NonNullable<OfferDetail['split']>;
interface Percents {
  fee: string;
  royalty: string;
}

/** A price, and what goes off it. */
export function useSplitRows(price: number, split: Split, percents?: Percents) {
  const { t } = useLingui();
  return [
    [t`Price`, price],
    [percents ? t`Service fee ${percents.fee}` : t`Service fee`, -split.fee_satang],
    [percents ? t`The shop's part ${percents.royalty}` : t`The shop's part`, -split.royalty_satang],
  ] as const;
}

/** Who gets what of a price, and what would come into the seller's wallet. */
export function SplitOf({ price, split, percents }: { price: number; split: Split; percents?: Percents }) {
  const { t } = useLingui();
  const rows = useSplitRows(price, split, percents);
  return (
    <Ticket
      stub={62}
      foot={
        <>
          <span className="flex-1 font-semibold">{t`Comes into your Wallet`}</span>
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
