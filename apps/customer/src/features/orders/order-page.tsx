import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { isFault } from '@wlv/client/api-error';
import { query } from '@wlv/client/call';
import { capabilities } from '@wlv/client/capabilities';
import { Failure } from '@wlv/client/failure';
import { pictureURL } from '@wlv/client/media';
import { Mark, useTexts } from '@wlv/client/page';
import { useParams } from '@wlv/client/router';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Chip, type ChipTone } from '@wlv/ui/chip';
import { Fact } from '@wlv/ui/fact';
import { amount, dateTime } from '@wlv/ui/format';
import { Picture } from '@wlv/ui/picture';
import { Price } from '@wlv/ui/price';
import { Skeleton } from '@wlv/ui/skeleton';
import { Ticket } from '@wlv/ui/ticket';
import { Gift, ReceiptText, Tag } from 'lucide-react';
import type { ReactNode } from 'react';
import { AreaLink } from '../../area.tsx';
import type { Page } from '../../pages.ts';
import { Reductions } from '../../payment/reductions.tsx';
import { InnerPage } from '../../shell/inner.tsx';
import { type Order, useHandedOn, useHeld, useOrderState, usePaidBy } from './order.ts';
import { Refunds } from './refunds.tsx';

/** What an order was, and where each of its vouchers is now. */
export function OrderPage() {
  const { t } = useLingui();
  const { orderId = '' } = useParams<'orderId'>();
  const order = useQuery({ ...query('/api/user/order/detail', { id: orderId }), staleTime: 0 });
  const missing = isFault(order.error, 'order.not_found') || isFault(order.error, 'input.invalid');
  return (
    <InnerPage title={t({ message: 'Order', context: 'purchase' })} parent="orders">
      {order.isPending && (
        <div role="status" aria-label={t`Loading…`} className="grid grid-cols-1 gap-4 pt-1">
          <Skeleton className="h-[208px] rounded-card" />
          <Skeleton className="h-[160px] rounded-card" />
        </div>
      )}
      {order.isError && (
        <Failure
          title={missing ? t`Order not found yet` : t`The order did not load`}
          error={order.error}
          onRetry={() => void order.refetch()}
        />
      )}
      {order.data && <Loaded order={order.data} />}
    </InnerPage>
  );
}

function Loaded({ order }: { order: Order }) {
  const { t } = useLingui();
  return (
    <div className="grid grid-cols-1 gap-4 pb-6 pt-1">
      <Bill order={order} />
      {order.paid_at ? (
        <>
          {order.lines.some(({ card }) => card) ? (
            <Button asChild wide variant="outline">
              <AreaLink page="member">{t`See the member card`}</AreaLink>
            </Button>
          ) : (
            <>
              <Whereabouts order={order} />
              {capabilities.refunds && <Refunds order={order.id} />}
            </>
          )}
          <Card className="px-4 py-1">
            <Fact
              icon={<ReceiptText aria-hidden />}
              title={t`Receipt`}
              line={order.number}
              opens={(content, className) => (
                <AreaLink page={`receipts/order/${order.id}`} className={className}>
                  {content}
                </AreaLink>
              )}
            />
          </Card>
        </>
      ) : (
        <Button asChild wide>
          <AreaLink page={`order/${order.id}`}>{t`See the payment`}</AreaLink>
        </Button>
      )}
    </div>
  );
}

/** What was bought, for how much, and how it was paid. */
function Bill({ order }: { order: Order }) {
  const { t } = useLingui();
  const text = useTexts();
  const { word, tone } = useOrderState(order.state);
  const paidBy = usePaidBy(order);
  return (
    <Ticket
      stub={68}
      foot={
        <>
          <span className="flex-1 font-semibold">{order.paid_at ? paidBy : t`Total`}</span>
          <Price
            satang={order.total_satang}
            struck={order.state === 'refunded'}
            className="text-[24px] font-semibold text-brand-text"
          />
        </>
      }
    >
      <div className="px-4 pb-3.5 pt-4">
        <p className="flex flex-wrap items-center justify-between gap-2">
          <span className="text-caption text-quiet">
            {order.number} · {dateTime(order.paid_at ?? order.created_at)}
          </span>
          <Chip tone={tone}>{word}</Chip>
        </p>
        <ul className="mt-2.5 grid grid-cols-1 gap-2">
          {order.lines.map((line) => (
            <li key={line.package_id} className="flex justify-between gap-4 text-row">
              <span className="min-w-0">
                {text(line, 'name')}
                {line.quantity > 1 && (
                  <span className="block text-caption text-quiet">
                    {line.quantity} × {amount(line.unit_satang)}
                  </span>
                )}
              </span>
              <span className="shrink-0 tabular-nums">{amount(line.amount_satang + line.discount_satang)}</span>
            </li>
          ))}
        </ul>
        <div className="mt-2 grid grid-cols-1 gap-1 text-sm empty:hidden">
          <Reductions of={order.discounts} />
        </div>
      </div>
    </Ticket>
  );
}

/** Each voucher where it is now; the payer's own open, and what he handed on opens as he gave or sold it. */
function Whereabouts({ order }: { order: Order }) {
  const { t } = useLingui();
  const text = useTexts();
  const lineOf = new Map(order.held.map((one) => [one.voucher_id, one.line]));
  const several = order.lines.length > 1;
  return (
    <section>
      <h2 className="px-1 pb-2 text-h2 font-semibold">{t`Where it is now`}</h2>
      <Card className="divide-y px-4 py-1">
        {order.lines.map((line, position) => (
          <div key={line.package_id} className="py-0.5">
            {several && <h3 className="pt-2.5 text-caption font-medium text-quiet">{text(line, 'name')}</h3>}
            <ul className="grid grid-cols-1 divide-y">
              {order.vouchers
                .filter((voucher) => lineOf.get(voucher.id) === position)
                .map((voucher) => (
                  <Held key={voucher.id} voucher={voucher} />
                ))}
              {order.handed_on
                .filter((one) => one.line === position)
                .map((one) => (
                  <Gone key={one.subject + one.at + one.items} one={one} />
                ))}
            </ul>
          </div>
        ))}
      </Card>
    </section>
  );
}

function Held({ voucher }: { voucher: Order['vouchers'][number] }) {
  const { word, tone, line } = useHeld(voucher);
  return <Row page={`activevoucher/${voucher.id}`} of={voucher} line={line} tone={tone} word={word} />;
}

function Gone({ one }: { one: Order['handed_on'][number] }) {
  const { word, line } = useHandedOn(one);
  const given = one.by === 'gift';
  return (
    <Row
      page={given ? `gift/${one.subject}` : `trade/${one.subject}`}
      of={one}
      line={line}
      tone="second"
      word={word}
      icon={given ? <Gift aria-hidden /> : <Tag aria-hidden />}
    />
  );
}

function Row({
  page,
  of,
  line,
  tone,
  word,
  icon,
}: {
  page: Page;
  of: { name_th: string; name_en: string; picture: string | null };
  line: string;
  tone: ChipTone;
  word: string;
  icon?: ReactNode;
}) {
  const text = useTexts();
  return (
    <li>
      <AreaLink page={page} className="flex min-h-16 items-center gap-3.5 py-2.5">
        <Picture
          src={pictureURL(of.picture, 160)}
          mark={<Mark size={28} />}
          className="size-12 shrink-0 rounded-[12px]"
        />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
            <span className="min-w-0 text-row font-medium">{text(of, 'name')}</span>
            <Chip tone={tone} icon={icon} className="max-w-full overflow-hidden">
              {word}
            </Chip>
          </span>
          <span className="block text-caption text-quiet">{line}</span>
        </span>
      </AreaLink>
    </li>
  );
}
