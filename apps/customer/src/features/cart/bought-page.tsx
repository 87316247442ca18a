import { Plural, useLingui } from '@lingui/react/macro';
import { pictureURL } from '@wlv/client/media';
import { BrandMark, Mark, useBrand, useTexts, useTitle } from '@wlv/client/page';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Band } from '@wlv/ui/band';
import { Button } from '@wlv/ui/button';
import { baht, date, dateTime } from '@wlv/ui/format';
import { IconButton } from '@wlv/ui/icon-button';
import { Picture } from '@wlv/ui/picture';
import { Price } from '@wlv/ui/price';
import { Ticket } from '@wlv/ui/ticket';
import { ItemStubs, TornTicket } from '@wlv/ui/torn-ticket';
import { Gift, QrCode, Ticket as TicketIcon, X } from 'lucide-react';
import { AreaLink } from '../../area.tsx';
import type { Bought } from './quote.ts';

type Voucher = Bought['vouchers'][number];

interface Props {
  bought: Bought;
  /** Of its vouchers that its buyer wants to give to others, one of each kind. */
  givable: Voucher[];
}

/** Done: what was paid, under which number, and the vouchers that are now in hand. */
export function BoughtPage({ bought: order, givable }: Props) {
  const { t } = useLingui();
  const title = order.payment ? t`Purchase successful` : t`Successfully purchased the voucher`;
  const [first, ...more] = order.vouchers;
  useTitle(title);
  return (
    <div className="pb-44 lg:pb-12">
      <Band className="pb-24">
        <div className="mx-auto max-w-[760px] px-4 pt-2 sm:px-6">
          <IconButton asChild label={t`Back to the market`} className="text-band-foreground">
            <AreaLink page="market">
              <X aria-hidden />
            </AreaLink>
          </IconButton>
          <div role="status" className="grid justify-items-center text-center">
            <h1 className="text-[28px] font-semibold leading-[42px]">{t`It is yours`}</h1>
            <p className="text-row text-band-quiet">
              <PaidBy order={order} /> <Price satang={order.total_satang} />
            </p>
            {order.paid_at && (
              <p className="text-caption text-band-quiet">
                <span>{title}</span> · {t`Order ${order.number} · ${dateTime(order.paid_at)}`}
              </p>
            )}
          </div>
        </div>
      </Band>
      <div className="mx-auto -mt-[74px] max-w-[520px] px-2">
        {first && <FirstVoucher voucher={first} />}
        <div className="grid grid-cols-1 gap-3.5 px-2">
          {more.map((voucher) => (
            <VoucherLine key={voucher.id} voucher={voucher} />
          ))}
        </div>
        {givable.length > 0 && <Give vouchers={givable} />}
        {givable.length === 0 && <Next voucher={more.length ? undefined : first} />}
      </div>
    </div>
  );
}

function PaidBy({ order }: { order: Bought }) {
  const { t } = useLingui();
  const paidBy = { promptpay: t`Paid by PromptPay`, card: t`Paid by card` };
  return order.payment ? paidBy[order.payment.method] : t`Paid from your Wallet`;
}

/** The voucher of the order, or the first of several, as it comes out. */
function FirstVoucher({ voucher }: { voucher: Voucher }) {
  const { t } = useLingui();
  const text = useTexts();
  const brand = useBrand();
  const until = date(voucher.valid_until);
  const item = voucher.kind === 'item';
  return (
    <TornTicket
      stub={
        <>
          <p className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="text-[26px] font-semibold leading-[38px]">
              {item ? <Plural value={voucher.items_total} one="# time" other="# times" /> : baht(voucher.items_total)}
            </span>
            <span className="text-row text-muted-foreground">{t`Valid until ${until}`}</span>
          </p>
          <div className="mb-3 mt-2.5">
            <ItemStubs
              number={item ? voucher.items_total : Number.POSITIVE_INFINITY}
              name={(which) => t`Time ${which}`}
            />
          </div>
          <p className="text-right text-caption text-quiet">{voucher.code}</p>
        </>
      }
    >
      <Picture
        src={pictureURL(voucher.picture, 960)}
        mark={<Mark size={72} />}
        eager
        className="h-[196px] w-full sm:h-[260px]"
      />
      <div className="px-5 pb-3 pt-3">
        <p className="flex items-center gap-2 text-sm text-muted-foreground">
          <BrandMark size={22} />
          {brand}
        </p>
        <h2 className="mt-1 text-lead font-semibold">{text(voucher, 'name')}</h2>
      </div>
    </TornTicket>
  );
}

function VoucherLine({ voucher }: { voucher: Voucher }) {
  const { t } = useLingui();
  const text = useTexts();
  const until = date(voucher.valid_until);
  return (
    <Ticket
      stub={46}
      foot={
        <>
          <span className="flex-1 truncate text-caption text-quiet">{voucher.code}</span>
          <span className="text-caption text-quiet">{t`Valid until ${until}`}</span>
        </>
      }
    >
      <AreaLink page={`activevoucher/${voucher.id}`} className="flex items-center gap-3.5 px-4 pb-3 pt-3.5">
        <Picture
          src={pictureURL(voucher.picture, 160)}
          mark={<Mark size={32} />}
          className="size-[52px] shrink-0 rounded-[12px]"
        />
        <span className="line-clamp-2 min-w-0 flex-1 font-medium">{text(voucher, 'name')}</span>
      </AreaLink>
    </Ticket>
  );
}

/** Each of them becomes a gift of its own. */
function Give({ vouchers }: { vouchers: Voucher[] }) {
  const { t } = useLingui();
  const text = useTexts();
  return (
    <section className="px-2 pt-6">
      <h2 className="pb-2.5 text-h2 font-semibold">{t`Which do you wrap first?`}</h2>
      <ul className="grid grid-cols-1 gap-2.5">
        {vouchers.map((voucher) => (
          <li key={voucher.id}>
            <Button asChild variant="outline" wide className="justify-start!">
              <AreaLink page={`activevoucher/${voucher.id}/give`}>
                <Gift aria-hidden />
                <span className="truncate">{text(voucher, 'name')}</span>
              </AreaLink>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A voucher that was bought alone can be used at once. */
function Next({ voucher }: { voucher: Voucher | undefined }) {
  const { t } = useLingui();
  const usable = voucher?.state === 'ready';
  return (
    <ActionFoot className="grid grid-cols-1 gap-2.5">
      {usable && (
        <Button asChild wide>
          <AreaLink page={`activevoucher/${voucher.id}/use`}>
            <QrCode aria-hidden />
            {t`Use it now`}
          </AreaLink>
        </Button>
      )}
      <Button asChild wide variant={usable ? 'outline' : 'default'}>
        <AreaLink page="activevoucher">
          <TicketIcon aria-hidden />
          {t`See my vouchers`}
        </AreaLink>
      </Button>
    </ActionFoot>
  );
}
