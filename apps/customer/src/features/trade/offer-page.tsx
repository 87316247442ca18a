import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { isFault } from '@wlv/client/api-error';
import { invalidates, mutation, query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { FaultNote } from '@wlv/client/fault-note';
import { pictureURL } from '@wlv/client/media';
import { Mark, useBrand, useTexts } from '@wlv/client/page';
import { useParams } from '@wlv/client/router';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Chip } from '@wlv/ui/chip';
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@wlv/ui/dialog';
import { Disclosure } from '@wlv/ui/disclosure';
import { Fact } from '@wlv/ui/fact';
import { baht, date, dateTime, lastDay } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Picture } from '@wlv/ui/picture';
import { Price } from '@wlv/ui/price';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { Ticket } from '@wlv/ui/ticket';
import { CalendarClock, Hourglass, KeyRound, ReceiptText, Tag } from 'lucide-react';
import { AreaLink } from '../../area.tsx';
import { InnerPage } from '../../shell/inner.tsx';
import { HandChain } from '../../shop/hand-chain.tsx';
import { ServicePoints } from '../../shop/service-points.tsx';
import { ShareButton } from '../../shop/share-button.tsx';
import { Buying } from './buying.tsx';
import { type OfferDetail, saving, useHowMuch, useOfferState, useValidity } from './offer.ts';
import { useOfferLink } from './offer-link.ts';
import { Report } from './report.tsx';
import { BoughtOffer, SoldOffer } from './sold-offer.tsx';
import { SplitOf } from './split-of.tsx';

export function OfferPage() {
  const { t } = useLingui();
  const { offerId = '' } = useParams<'offerId'>();
  const offer = useQuery({
    ...query('/api/user/trade/detail', { id: offerId }),
    // Nobody is notified that what another was paying is on sale again.
    refetchInterval: ({ state: { data } }) => (data?.state === 'reserved' ? 10_000 : false),
  });
  const over = isFault(offer.error, 'offer.over');
  const none = isFault(offer.error, 'offer.not_found') || isFault(offer.error, 'input.invalid');
  const foot =
    offer.data?.state === 'open' || offer.data?.payment_id || offer.data?.bought || offer.data?.state === 'sold';
  return (
    <InnerPage
      title={t`Resale`}
      parent="trade"
      foot={Boolean(foot)}
      actions={offer.data?.state === 'open' && <Share offer={offer.data} />}
    >
      {offer.isPending && <Skeleton className="h-[340px] rounded-card" />}
      {offer.isError && over && <Over />}
      {offer.isError && none && <None />}
      {offer.isError && !over && !none && (
        <Failure title={t`The offer did not load`} error={offer.error} onRetry={() => void offer.refetch()} />
      )}
      {offer.data && !over && <OfferView offer={offer.data} onGone={() => void offer.refetch()} />}
    </InnerPage>
  );
}

function Share({ offer }: { offer: OfferDetail }) {
  const { t } = useLingui();
  const text = useTexts();
  const brand = useBrand();
  const url = useOfferLink(offer.id);
  const name = text(offer, 'name');
  const price = baht(offer.price_satang);
  return <ShareButton text={t`${name} for ${price} at ${brand}`} url={url} />;
}

/** Somebody else was faster, or it ended. */
function Over() {
  const { t } = useLingui();
  return (
    <EmptyState
      title={t`This voucher is not on sale any more`}
      line={t`Somebody was faster, or the offer has ended. You were not charged.`}
      action={
        <Button asChild>
          <AreaLink page="trade" replace>{t`Look at the others`}</AreaLink>
        </Button>
      }
    />
  );
}

/** A link that was cut off, or is made up. */
function None() {
  const { t } = useLingui();
  return (
    <EmptyState
      title={t`Offer not found`}
      line={t`The link may be incomplete. Ask who sent it to send it again.`}
      action={
        <Button asChild>
          <AreaLink page="trade" replace>{t`Look at the others`}</AreaLink>
        </Button>
      }
    />
  );
}

function OfferView({ offer, onGone }: { offer: OfferDetail; onGone: () => void }) {
  const { t } = useLingui();
  const text = useTexts();
  const usable = text(offer, 'usable');
  const conditions = text(offer, 'conditions');
  const sold = offer.own && offer.state === 'sold' && offer.split;
  const over = offer.bought || sold;
  return (
    <div className="grid grid-cols-1 gap-3.5 pb-4">
      {offer.bought && <BoughtOffer offer={offer} receipt={<Receipt offer={offer} />} />}
      {sold && <SoldOffer offer={offer} split={sold} />}
      {!over && <What offer={offer} />}
      {!over && <PriceCard offer={offer} />}
      {offer.state === 'open' && !offer.own && <Buying offer={offer} onGone={onGone} />}
      {offer.state === 'reserved' && !offer.own && <BeingPaid offer={offer} />}
      {offer.own && !sold && offer.split && <SplitOf price={offer.price_satang} split={offer.split} />}
      {offer.own && !sold && <Standing offer={offer} />}
      {!sold && <Hands offer={offer} over={offer.bought} />}
      {!sold && <ServicePoints places={offer.where} title={offer.where.length ? t`Where to use it` : undefined} />}
      {!sold && usable && (
        <Card className="px-4 py-1">
          <Fact icon={<CalendarClock aria-hidden />} title={usable} />
        </Card>
      )}
      {!sold && conditions && (
        <Card className="px-4 py-1">
          <Disclosure title={t`Conditions of use`}>{conditions}</Disclosure>
        </Card>
      )}
      <Report offer={offer} />
      {offer.state === 'open' && offer.own && <Cancel offer={offer} />}
      {offer.bought && (
        <Card className="px-4 py-1">
          <Fact
            icon={<ReceiptText aria-hidden />}
            title={t`Receipt`}
            line={offer.number}
            opens={(content, className) => (
              <AreaLink page={`receipts/resale/${offer.id}`} className={className}>
                {content}
              </AreaLink>
            )}
          />
        </Card>
      )}
      {offer.bought && (
        <ActionFoot>
          <Button asChild wide>
            <AreaLink page={offer.voucher_id ? `activevoucher/${offer.voucher_id}` : 'activevoucher'}>
              {offer.voucher_id ? t`Open the voucher` : t`My Voucher & Ticket`}
            </AreaLink>
          </Button>
        </ActionFoot>
      )}
    </div>
  );
}

function Receipt({ offer }: { offer: OfferDetail }) {
  const { t } = useLingui();
  const sum = baht(offer.price_satang);
  const at = offer.ended_at ? dateTime(offer.ended_at) : '';
  const { number } = offer;
  switch (offer.paid_by) {
    case 'promptpay':
      return <>{t`Paid ${sum} by PromptPay on ${at}. Receipt ${number}.`}</>;
    case 'card':
      return <>{t`Paid ${sum} by card on ${at}. Receipt ${number}.`}</>;
    default:
      return <>{t`Paid ${sum} from your Wallet on ${at}. Receipt ${number}.`}</>;
  }
}

/** Who is paying finds his QR again; nobody else can buy it meanwhile. */
function BeingPaid({ offer }: { offer: OfferDetail }) {
  const { t } = useLingui();
  if (!offer.payment_id) {
    return (
      <Note tone="warn" icon={<Hourglass aria-hidden />} title={t`Somebody is paying for it just now`}>
        {t`If no money comes, it is on sale again within ten minutes.`}
      </Note>
    );
  }
  return (
    <>
      <Note tone="warn" icon={<Hourglass aria-hidden />} title={t`Waiting for payment`}>
        {t`It is kept for you until the time to pay is over.`}
      </Note>
      <ActionFoot>
        <Button asChild wide>
          <AreaLink page={`pay/${offer.payment_id}`}>{t`Go on paying`}</AreaLink>
        </Button>
      </ActionFoot>
    </>
  );
}

function What({ offer }: { offer: OfferDetail }) {
  const { t } = useLingui();
  const text = useTexts();
  const much = useHowMuch(offer);
  const { soon } = useValidity(offer);
  const { word, tone } = useOfferState(offer);
  return (
    <Ticket
      stub={70}
      foot={
        <>
          <div className="min-w-0 flex-1">
            <p className="text-caption text-quiet">{t`How much`}</p>
            <p className="font-semibold">{much}</p>
          </div>
          <div className="shrink-0 text-right">
            <p className="text-caption text-quiet">{t`Valid until`}</p>
            <p className={soon ? 'font-semibold text-warn-text' : 'font-semibold'}>{date(offer.valid_until)}</p>
          </div>
        </>
      }
    >
      <div className="flex items-center gap-3.5 px-4 pb-3 pt-3.5">
        <Picture
          src={pictureURL(offer.picture, 160)}
          mark={<Mark size={32} />}
          className="size-[76px] shrink-0 rounded-[12px]"
        />
        <div className="min-w-0 flex-1">
          {(offer.own || offer.state !== 'open') && !offer.bought && <Chip tone={tone}>{word}</Chip>}
          <p className="text-h2 font-semibold">{text(offer, 'name')}</p>
          {offer.vouchers > 1 && (
            <p className="text-caption text-quiet">{t`${offer.vouchers} vouchers, sold together`}</p>
          )}
        </div>
      </div>
    </Ticket>
  );
}

/** The price, and beside it what the shop asks for as much today. Both bars have one scale. */
function PriceCard({ offer }: { offer: OfferDetail }) {
  const { t } = useLingui();
  const { satang } = saving(offer);
  const less = baht(satang);
  const shop = offer.shop_price_satang;
  const most = Math.max(offer.price_satang, shop ?? 0);
  const rows = [
    { name: t`This one`, sum: offer.price_satang, colour: 'bg-brand-mark' },
    ...(shop ? [{ name: t`At the shop`, sum: shop, colour: 'bg-quiet/40' }] : []),
  ];
  return (
    <Card className="grid grid-cols-1 gap-2.5 px-4 py-3.5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Price satang={offer.price_satang} className="text-[28px]" />
        {satang > 0 && <Chip tone="warn">{t`${less} below the shop`}</Chip>}
      </div>
      {shop &&
        rows.map(({ name, sum, colour }) => (
          <div key={name} className="flex items-center gap-3 text-row">
            <span className="w-24 shrink-0">{name}</span>
            <span className="h-2 flex-1">
              <span
                aria-hidden
                className={`block h-2 rounded-full ${colour}`}
                style={{ width: `${Math.round((sum * 100) / most)}%` }}
              />
            </span>
            <span className="shrink-0 tabular-nums">{baht(sum)}</span>
          </div>
        ))}
    </Card>
  );
}

/** Through whose hands it went, as the shop knows it, and what becomes of it by the sale. */
function Hands({ offer, over }: { offer: OfferDetail; over: boolean }) {
  const { t } = useLingui();
  return (
    <section aria-label={t`Through whose hands it went`} className="grid grid-cols-1 gap-3.5">
      <HandChain
        soldAt={offer.issued_at}
        hands={over ? [...offer.hands, 'offer'] : offer.hands}
        {...(offer.own || over ? {} : { last: offer.seller })}
      />
      {!over && (
        <Fact
          icon={<KeyRound aria-hidden />}
          title={offer.own ? t`Paid, it is the buyer's at once` : t`Once paid, it is yours at once`}
          line={
            offer.transfer_rule === 'unlimited' || offer.transfers_left > 0
              ? t`The old code is void, and it may be given or sold on again.`
              : t`The old code is void. It cannot be given or sold on again.`
          }
        />
      )}
    </section>
  );
}

/** Until when it is offered, or what became of it. */
function Standing({ offer }: { offer: OfferDetail }) {
  const { t } = useLingui();
  if (offer.state === 'reserved') {
    return (
      <Note tone="warn" icon={<Hourglass aria-hidden />} title={t`Somebody is paying for it just now`}>
        {t`You cannot take it off sale meanwhile. If no money comes, it is on sale again within ten minutes.`}
      </Note>
    );
  }
  if (offer.state !== 'open') {
    return (
      <Note tone="info" icon={<Tag aria-hidden />} title={t`The voucher is with you again`}>
        {offer.state === 'stopped'
          ? offer.stopped_by_shop
            ? t`The shop stopped the offer.`
            : offer.stopped_by_platform
              ? t`Stopped`
              : t`Something happened to the voucher; its page says what.`
          : offer.state === 'ended'
            ? t`Nobody bought it in time.`
            : t`You took it off sale.`}
      </Note>
    );
  }
  const day = lastDay(offer.expires_at);
  return (
    <Fact
      icon={<CalendarClock aria-hidden />}
      title={t`Offered until ${day}`}
      line={t`You can take it off sale until somebody buys it. You cannot use it meanwhile.`}
    />
  );
}

function Cancel({ offer }: { offer: OfferDetail }) {
  const { t } = useLingui();
  const cancel = useMutation({
    ...mutation('/api/user/trade/cancel'),
    onSuccess: invalidates(
      '/api/user/trade/detail',
      '/api/user/trade/list',
      '/api/user/trade/own',
      '/api/user/voucher/list',
      '/api/user/voucher/detail',
    ),
  });
  return (
    <>
      <FaultNote error={cancel.error} />
      <ActionFoot>
        <Dialog>
          <DialogTrigger asChild>
            <Button variant="outline" wide disabled={cancel.isPending} aria-busy={cancel.isPending}>
              {t`Take it off sale`}
            </Button>
          </DialogTrigger>
          <DialogContent
            title={t`Take it off sale?`}
            description={t`You can use the voucher again at once, and offer it anew at any time.`}
          >
            <div className="grid grid-cols-1 gap-2.5">
              <DialogClose asChild>
                <Button wide onClick={() => cancel.mutate({ id: offer.id })}>{t`Take it off sale`}</Button>
              </DialogClose>
              <DialogClose asChild>
                <Button variant="ghost" wide>{t`Leave it on sale`}</Button>
              </DialogClose>
            </div>
          </DialogContent>
        </Dialog>
      </ActionFoot>
    </>
  );
}
