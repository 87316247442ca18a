import { plural } from '@lingui/core/macro';
import { Plural, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { isFault } from '@wlv/client/api-error';
import { query } from '@wlv/client/call';
import { capabilities } from '@wlv/client/capabilities';
import { Failure } from '@wlv/client/failure';
import { pictureURL } from '@wlv/client/media';
import { Mark, usePage, useTexts } from '@wlv/client/page';
import { useParams } from '@wlv/client/router';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Chip } from '@wlv/ui/chip';
import { Disclosure } from '@wlv/ui/disclosure';
import { Fact } from '@wlv/ui/fact';
import { amount, baht, date, dateTime } from '@wlv/ui/format';
import { Remaining } from '@wlv/ui/meter';
import { Note } from '@wlv/ui/note';
import { Picture } from '@wlv/ui/picture';
import { Skeleton } from '@wlv/ui/skeleton';
import { Ticket } from '@wlv/ui/ticket';
import { CalendarClock, CalendarX, CircleX, Gift, QrCode, RotateCcw, ShieldCheck, Snowflake, Tag } from 'lucide-react';
import { AreaLink } from '../../area.tsx';
import { KeptNote } from '../../offline/kept-note.tsx';
import { useVouchers } from '../../offline/vouchers.ts';
import { InnerPage } from '../../shell/inner.tsx';
import { useAfterExpiry } from '../../shop/after-expiry.ts';
import { mayGive } from '../../shop/giving.ts';
import { HandChain } from '../../shop/hand-chain.tsx';
import { ServicePoints } from '../../shop/service-points.tsx';
import { useTransferRule } from '../../shop/transfer-rule.ts';
import { NoServicePoints } from './no-service-points.tsx';
import { useVoucherState, type VoucherDetail } from './voucher.ts';

export function VoucherPage() {
  const { t } = useLingui();
  const { voucherId = '' } = useParams<'voucherId'>();
  const voucher = useVouchers('/api/user/voucher/detail', { id: voucherId });
  const gone = noSuchVoucher(voucher.error);
  const usable = voucher.data?.state === 'ready' || voucher.data?.state === 'in_use';
  return (
    <InnerPage title={t`Voucher`} parent="activevoucher" foot={usable}>
      {voucher.isPending && <VoucherSkeleton />}
      {voucher.isError && (!voucher.data || gone) && (
        <Failure
          title={gone ? t`Voucher not found` : t`The voucher did not load`}
          error={voucher.error}
          onRetry={() => void voucher.refetch()}
        />
      )}
      {voucher.data && !gone && (
        <div className="grid grid-cols-1 gap-3.5">
          <KeptNote of={voucher} />
          <VoucherView voucher={voucher.data} />
        </div>
      )}
    </InnerPage>
  );
}

/** An old link, or one that was cut off. */
const noSuchVoucher = (error: unknown) => isFault(error, 'voucher.not_found') || isFault(error, 'input.invalid');

function VoucherView({ voucher }: { voucher: VoucherDetail }) {
  const { t } = useLingui();
  const text = useTexts();
  const sells = !usePage().org?.suspended;
  const usable = text(voucher, 'usable');
  const conditions = text(voucher, 'conditions');
  return (
    <div className="grid grid-cols-1 gap-3.5">
      <BigTicket voucher={voucher} />
      <FrozenNote voucher={voucher} />
      <VoidNote voucher={voucher} />
      {(voucher.state === 'ready' || voucher.state === 'in_use') && <MoneyNote voucher={voucher} />}
      {capabilities.transfers && voucher.state === 'ready' && <TransferNote voucher={voucher} />}
      {capabilities.transfers && voucher.gift_id && <OnItsWay gift={voucher.gift_id} />}
      {voucher.offer_id && <OnSale offer={voucher.offer_id} />}
      {voucher.state === 'ready' && sells && mayGive(voucher) && <SellOn voucher={voucher.id} />}
      {capabilities.refunds && voucher.refund && <Refund voucher={voucher.id} refund={voucher.refund} />}
      {voucher.state === 'ready' && !voucher.where.length && <NoServicePoints />}
      {usable && (
        <Card className="px-4 py-1">
          <Fact icon={<CalendarClock aria-hidden />} title={usable} />
        </Card>
      )}
      <ServicePoints
        places={voucher.where}
        title={voucher.where.length === 1 ? t`Where to use it` : t`Use it at ${voucher.where.length} places`}
      />
      {voucher.hands?.length > 0 && <HandChain soldAt={voucher.issued_at} hands={voucher.hands} />}
      <Siblings of={voucher} />
      <Conditions text={conditions} />
      <UseHistory uses={voucher.uses} />
      <NextStep voucher={voucher} />
    </div>
  );
}

function BigTicket({ voucher }: { voucher: VoucherDetail }) {
  const { t } = useLingui();
  const text = useTexts();
  const { word, tone } = useVoucherState(voucher);
  const { items_left: left, items_total: total, kind } = voucher;
  const [rest, all] = kind === 'baht' ? [amount(left), amount(total)] : [left, total];
  return (
    <Ticket
      stub={74}
      foot={
        <>
          <div className="min-w-0 flex-1">
            <p className="text-caption text-quiet">{t`Left`}</p>
            <p className="flex items-center gap-2.5 text-h2 font-semibold">
              {kind === 'baht' ? t`฿${rest} of ${all}` : t`${rest} of ${plural(total, { one: '#', other: '#' })}`}
              {kind === 'item' && <Remaining left={left} total={total} kind={kind} />}
            </p>
          </div>
          <div className="shrink-0 text-right">
            <p className="text-caption text-quiet">{voucher.used_at ? t`All used on` : t`Valid until`}</p>
            <p className="text-base font-semibold leading-7">{date(voucher.used_at ?? voucher.valid_until)}</p>
          </div>
        </>
      }
    >
      <Picture
        src={pictureURL(voucher.picture, 960)}
        mark={<Mark size={64} />}
        eager
        className="h-[156px] w-full sm:h-[240px]"
      />
      <div className="px-4 pb-3 pt-3.5">
        <div className="mb-1 flex items-center justify-between">
          <Chip tone={tone}>{word}</Chip>
          <span className="text-caption text-quiet">{voucher.code}</span>
        </div>
        <h2 className="text-h2 font-semibold leading-[29px]">{text(voucher, 'name')}</h2>
        {capabilities.transfers && voucher.given_by && voucher.hands?.at(-1) !== 'offer' && (
          <p className="flex items-center gap-1.5 pt-0.5 text-caption text-quiet">
            <Gift aria-hidden className="size-4 shrink-0" />
            <span className="min-w-0 truncate">{t`Given by ${voucher.given_by}`}</span>
          </p>
        )}
      </div>
    </Ticket>
  );
}

/** Why it cannot be used now, and what ends that. */
function FrozenNote({ voucher }: { voucher: VoucherDetail }) {
  const { t } = useLingui();
  if (!voucher.frozen_because) return null;
  return (
    <Note tone="warn" icon={<Snowflake aria-hidden />} title={t`On hold: it cannot be used now`}>
      {
        {
          dispute: t`The bank of whoever paid for it has asked the money back. It can be used again when the bank decides for the shop, and is cancelled when it decides for the payer.`,
          refund: t`Some of the money paid for it was sent back. It can be used again as soon as the shop has settled that.`,
          shop: t`The shop has put it on hold. When it lifts the hold, the days on hold are added to the last day. Ask the shop if you want to know why.`,
        }[voucher.frozen_because]
      }
    </Note>
  );
}

/** What came of the money. What a phone kept of an earlier release does not say so. */
function VoidNote({ voucher: { void_satang: paid } }: { voucher: VoucherDetail }) {
  const { t } = useLingui();
  if (paid === null || paid === undefined) return null;
  const sum = baht(paid);
  return (
    <Note tone="warn" icon={<CircleX aria-hidden />} title={t`The shop has cancelled it`}>
      {paid > 0
        ? t`${sum} for what was not used came into your Wallet. Ask the shop if you want to know why.`
        : t`Ask the shop if you want to know why.`}
    </Note>
  );
}

/** Whose the money is until it is used, and whose after the last day. */
function MoneyNote({ voucher }: { voucher: VoucherDetail }) {
  const { t } = useLingui();
  const { org } = usePage();
  const afterExpiry = useAfterExpiry(voucher.expiry_rule);
  if (!org?.protected) return <Note tone="brand" icon={<CalendarX aria-hidden />} title={afterExpiry} />;
  const title =
    voucher.hands?.at(-1) === 'gift'
      ? t`Its value is kept for you until you use it or it expires`
      : t`Your money is safe until you use it or it expires`;
  return (
    <Note tone="brand" icon={<ShieldCheck aria-hidden />} title={title}>
      {afterExpiry}
    </Note>
  );
}

function TransferNote({ voucher }: { voucher: VoucherDetail }) {
  const { title, line } = useTransferRule({
    rule: voucher.transfer_rule,
    times: voucher.transfers_left,
    together: voucher.transfer_together,
  });
  return (
    <Note tone="brand" icon={<Gift aria-hidden />} title={title}>
      {line}
    </Note>
  );
}

/** Where its link is, and where it is taken back. */
function OnItsWay({ gift }: { gift: string }) {
  const { t } = useLingui();
  if (!gift) return null;
  return (
    <Note tone="info" icon={<Gift aria-hidden />} title={t`It is on its way as a gift`}>
      {t`You can use it again if nobody receives it, or if you take it back.`}
      <AreaLink page={`gift/${gift}`} className="mt-1 flex min-h-11 items-center font-medium underline">
        {t`Open the gift`}
      </AreaLink>
    </Note>
  );
}

/** Where its price is, and where it is taken off sale. */
function OnSale({ offer }: { offer: string }) {
  const { t } = useLingui();
  return (
    <Note tone="info" icon={<Tag aria-hidden />} title={t`It is on sale`}>
      {t`You can use it again if nobody buys it, or if you take it off sale.`}
      <AreaLink page={`trade/${offer}`} className="mt-1 flex min-h-11 items-center font-medium underline">
        {t`Open the offer`}
      </AreaLink>
    </Note>
  );
}

/** Only where the shop lets its customers sell on. */
function SellOn({ voucher }: { voucher: string }) {
  const { t } = useLingui();
  const setting = useQuery({ ...query('/api/user/trade/setting', {}), staleTime: 600_000 });
  if (!setting.data?.open) return null;
  return (
    <Fact
      icon={<Tag aria-hidden />}
      title={t`Sell it to another customer`}
      line={t`The money comes into your Wallet.`}
      opens={(content, className) => (
        <AreaLink page={`activevoucher/${voucher}/sell`} className={className}>
          {content}
        </AreaLink>
      )}
    />
  );
}

/** For who paid and changes his mind. What a phone kept of an earlier release says nothing of it. */
function Refund({ voucher, refund }: { voucher: string; refund: NonNullable<VoucherDetail['refund']> }) {
  const { t } = useLingui();
  const until = date(refund.until);
  const asking = refund.refund_rule === 'asking';
  return (
    <Fact
      icon={<RotateCcw aria-hidden />}
      title={asking ? t`Ask the shop for a refund` : t`Get a refund`}
      line={asking ? t`Of what is not used, until ${until}. The shop decides.` : t`Of what is not used, until ${until}`}
      opens={(content, className) => (
        <AreaLink page={`orders/${refund.order_id}/refund`} search={{ voucher }} className={className}>
          {content}
        </AreaLink>
      )}
    />
  );
}

/** His other vouchers that were made of one with this. What a phone kept of an earlier release names none. */
function Siblings({ of: { siblings = [] } }: { of: VoucherDetail }) {
  const { t } = useLingui();
  if (!siblings.length) return null;
  return (
    <Card className="px-4 py-1">
      <h2 className="pt-2.5 font-medium">{t`From the same voucher, yours as well`}</h2>
      <ul className="divide-y">
        {siblings.map((sibling) => (
          <Sibling key={sibling.id} voucher={sibling} />
        ))}
      </ul>
    </Card>
  );
}

function Sibling({ voucher }: { voucher: VoucherDetail['siblings'][number] }) {
  const { word, tone } = useVoucherState(voucher);
  const { items_left: left, kind } = voucher;
  return (
    <li>
      <AreaLink page={`activevoucher/${voucher.id}`} className="flex min-h-11 items-center gap-3 py-2 text-sm">
        <span className="min-w-0 flex-1">
          <span className="block font-medium">
            {kind === 'baht' ? `฿${amount(left)}` : <Plural value={left} one="# time left" other="# times left" />}
          </span>
          <span className="text-caption text-quiet">{voucher.code}</span>
        </span>
        <Chip tone={tone}>{word}</Chip>
      </AreaLink>
    </li>
  );
}

function Conditions({ text }: { text: string }) {
  const { t } = useLingui();
  if (!text) return null;
  return (
    <Card className="px-4 py-1">
      <Disclosure title={t`Conditions of use`} open>
        {text}
      </Disclosure>
    </Card>
  );
}

function UseHistory({ uses }: { uses: VoucherDetail['uses'] }) {
  const { t } = useLingui();
  const text = useTexts();
  if (!uses.length) return null;
  return (
    <section className="px-1 pb-2">
      <h2 className="font-medium">{t`History of this voucher`}</h2>
      <ul className="mt-1 divide-y">
        {uses.map((use) => (
          <li key={use.id} className="flex justify-between gap-4 py-2.5 text-sm">
            <span className="text-muted-foreground">{text(use, 'service_point_name')}</span>
            <span className="shrink-0 text-quiet">{dateTime(use.at)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function NextStep({ voucher }: { voucher: VoucherDetail }) {
  const { t } = useLingui();
  const inUse = voucher.state === 'in_use';
  const usable = inUse || (voucher.state === 'ready' && voucher.where.length > 0);
  const givable = capabilities.transfers && !usePage().org?.suspended && mayGive(voucher);
  if (!usable && !givable) return null;
  return (
    <ActionFoot className="flex gap-2.5">
      {givable && (
        <Button asChild variant="outline" className={usable ? undefined : 'flex-1'}>
          <AreaLink page={`activevoucher/${voucher.id}/give`}>
            <Gift aria-hidden />
            {t`Give as a gift`}
          </AreaLink>
        </Button>
      )}
      {usable && (
        <Button asChild className="flex-1">
          <AreaLink page={`activevoucher/${voucher.id}/${inUse ? 'qr' : 'use'}`}>
            <QrCode aria-hidden />
            {inUse ? t`Open QR` : t`Use`}
          </AreaLink>
        </Button>
      )}
    </ActionFoot>
  );
}

function VoucherSkeleton() {
  const { t } = useLingui();
  return (
    <div role="status" aria-label={t`Loading…`} className="grid grid-cols-1 gap-3.5">
      <Skeleton className="h-[315px] rounded-card" />
      <Skeleton className="h-[96px] rounded-touch" />
      <Skeleton className="h-[128px] rounded-card" />
    </div>
  );
}
