import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { pictureURL } from '@wlv/client/media';
import { BrandMark, Mark, useBrand, useTexts } from '@wlv/client/page';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { Fact } from '@wlv/ui/fact';
import { amount, date, dateTime } from '@wlv/ui/format';
import { Picture } from '@wlv/ui/picture';
import { Price } from '@wlv/ui/price';
import { ItemStubs, TornTicket } from '@wlv/ui/torn-ticket';
import { KeyRound, Wallet } from 'lucide-react';
import type { ReactNode } from 'react';
import { AreaLink } from '../../area.tsx';
import { type OfferDetail, useHowMuch } from './offer.ts';
import { useSplitRows } from './split-of.tsx';

/** For its seller: the ticket is another's now, and its stub says what came into the wallet for it. */
export function SoldOffer({ offer, split }: { offer: OfferDetail; split: NonNullable<OfferDetail['split']> }) {
  const { t } = useLingui();
  const { buyer, number } = offer;
  const at = offer.ended_at ? dateTime(offer.ended_at) : '';
  const rows = useSplitRows(offer.price_satang, split);
  const wallet = useQuery(query('/api/user/getwallet', {}));
  return (
    <>
      <Heading title={t`You have sold it`} line={t`${buyer} bought it on ${at}`} />
      <TornTicket
        stub={
          <>
            <p className="flex items-center gap-3 font-medium">
              <span className="grid size-10 shrink-0 place-items-center rounded-tile bg-ok-soft text-ok-text">
                <Wallet aria-hidden className="size-5" />
              </span>
              {t`Came into your Wallet`}
            </p>
            <p className="pb-2 pt-1 font-semibold text-ok-text">
              <span className="text-[34px] leading-[50px]">+</span>
              <Price satang={split.net_satang} className="text-[34px] leading-[50px]" />
            </p>
            <dl className="grid gap-1.5 text-row">
              {rows.map(([name, sum]) => (
                <div key={name} className="flex justify-between gap-3">
                  <dt>{name}</dt>
                  <dd className="tabular-nums">{sum < 0 ? `−${amount(-sum)}` : amount(sum)}</dd>
                </div>
              ))}
              {wallet.data && (
                <div className="mt-1 flex justify-between gap-3 border-t pt-2 font-medium">
                  <dt>{t`In your Wallet now`}</dt>
                  <dd className="tabular-nums">{amount(wallet.data.balance_satang)}</dd>
                </div>
              )}
            </dl>
            <p className="pt-2.5 text-caption text-quiet">{t`Receipt ${number}`}</p>
          </>
        }
      >
        <What offer={offer}>
          <span
            aria-hidden
            className="absolute bottom-3 right-4 -rotate-6 rounded-[12px] border-[3px] border-current bg-card px-3.5 py-0.5 text-[22px] font-semibold leading-[34px] text-ok-text outline-[3px] outline-card outline-solid"
          >
            {t({ message: 'Sold', context: 'an offer' })}
          </span>
        </What>
      </TornTicket>
      <Fact
        icon={<KeyRound aria-hidden />}
        title={t`The old code does not work any more`}
        line={t`The buyer has a new one.`}
      />
      <ActionFoot>
        <div className="grid grid-cols-1 gap-2.5">
          <Button asChild wide>
            <AreaLink page="wallet">
              <Wallet aria-hidden />
              {t`To the Wallet`}
            </AreaLink>
          </Button>
          <Button asChild variant="ghost" wide>
            <AreaLink page="activevoucher">{t`My Voucher & Ticket`}</AreaLink>
          </Button>
        </div>
      </ActionFoot>
    </>
  );
}

/** For its buyer: the ticket that is his now. `receipt` says what he paid. */
export function BoughtOffer({ offer, receipt }: { offer: OfferDetail; receipt: ReactNode }) {
  const { t } = useLingui();
  const much = useHowMuch(offer);
  const until = date(offer.valid_until);
  return (
    <>
      <Heading title={t`It is yours`} line={receipt} />
      <TornTicket
        stub={
          <>
            <p className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className="text-[26px] font-semibold leading-[38px]">{much}</span>
              <span className="text-row text-muted-foreground">{t`Valid until ${until}`}</span>
            </p>
            <div className="mt-2.5">
              <ItemStubs
                number={offer.kind === 'item' ? offer.items : Number.POSITIVE_INFINITY}
                name={(which) => t`Time ${which}`}
              />
            </div>
          </>
        }
      >
        <What offer={offer} />
      </TornTicket>
    </>
  );
}

function Heading({ title, line }: { title: string; line: ReactNode }) {
  return (
    <div role="status" className="grid justify-items-center px-2 pt-1 text-center">
      <h2 className="text-[28px] font-semibold leading-[42px]">{title}</h2>
      <p className="text-row text-muted-foreground">{line}</p>
    </div>
  );
}

/** What the ticket was for; `children` lie over its picture. */
function What({ offer, children }: { offer: OfferDetail; children?: ReactNode }) {
  const { t } = useLingui();
  const text = useTexts();
  const brand = useBrand();
  const much = useHowMuch(offer);
  const until = date(offer.valid_until);
  return (
    <>
      <div className="relative">
        <Picture
          src={pictureURL(offer.picture, 960)}
          mark={<Mark size={72} />}
          eager
          className="h-[176px] w-full sm:h-[260px]"
        />
        {children}
      </div>
      <div className="px-5 pb-3 pt-3">
        <p className="flex items-center gap-2 text-sm text-muted-foreground">
          <BrandMark size={22} />
          {brand}
        </p>
        <p className="mt-1 text-lead font-semibold">{text(offer, 'name')}</p>
        <p className="text-caption text-quiet">
          {much} · {t`Valid until ${until}`}
          {offer.vouchers > 1 && <> · {t`${offer.vouchers} vouchers, sold together`}</>}
        </p>
      </div>
    </>
  );
}
