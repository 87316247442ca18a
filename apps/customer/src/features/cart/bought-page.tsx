import { useLingui } from '@lingui/react/macro';
import { pictureURL } from '@wlv/client/media';
import { Mark, useTexts, useTitle } from '@wlv/client/page';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { date, dateTime } from '@wlv/ui/format';
import { Picture } from '@wlv/ui/picture';
import { Price } from '@wlv/ui/price';
import { Ticket } from '@wlv/ui/ticket';
import { Check, Ticket as TicketIcon } from 'lucide-react';
import { AreaLink } from '../../area.tsx';
import type { Bought } from './quote.ts';

/** Done: what was paid, under which number, and the vouchers that are now in hand. */
export function BoughtPage({ bought: order }: { bought: Bought }) {
  const { t } = useLingui();
  const title = order.payment ? t`Purchase successful` : t`Successfully purchased the voucher`;
  const paidBy = { promptpay: t`Paid by PromptPay`, card: t`Paid by card` };
  useTitle(title);
  return (
    <div className="mx-auto max-w-[760px] px-4 pb-40 pt-10 sm:px-6">
      <div role="status" className="grid justify-items-center text-center">
        <span className="grid size-16 place-items-center rounded-full bg-ok-soft text-ok-text">
          <Check aria-hidden className="size-8" strokeWidth={2.5} />
        </span>
        <h1 className="mt-4 text-h1 font-semibold">{title}</h1>
        <p className="mt-1 text-row text-muted-foreground">
          {order.payment ? paidBy[order.payment.method] : t`Paid from your Wallet`}{' '}
          <Price satang={order.total_satang} />
        </p>
        <p className="text-row text-muted-foreground">{t`Your voucher is ready to use.`}</p>
        {order.paid_at && (
          <p className="text-caption text-quiet">{t`Order ${order.number} · ${dateTime(order.paid_at)}`}</p>
        )}
      </div>
      <div className="mt-6 grid grid-cols-1 gap-3.5">
        {order.vouchers.map((voucher) => (
          <VoucherLine key={voucher.id} voucher={voucher} />
        ))}
      </div>
      <ActionFoot className="grid grid-cols-1 gap-2">
        <Button asChild wide>
          <AreaLink page="activevoucher">
            <TicketIcon aria-hidden />
            {t`See my vouchers`}
          </AreaLink>
        </Button>
        <Button asChild variant="ghost" wide>
          <AreaLink page="market">{t`Back to the market`}</AreaLink>
        </Button>
      </ActionFoot>
    </div>
  );
}

function VoucherLine({ voucher }: { voucher: Bought['vouchers'][number] }) {
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
