import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { errorSentence, isFault } from '@wlv/client/api-error';
import { call, type Detail, invalidates, query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useParams } from '@wlv/client/router';
import { Button } from '@wlv/ui/button';
import { baht } from '@wlv/ui/format';
import { Skeleton } from '@wlv/ui/skeleton';
import { toast } from '@wlv/ui/toast';
import { useEffect, useRef, useState } from 'react';
import { AreaLink, useArea } from '../../area.tsx';
import { cart } from '../../cart/cart-store.ts';
import { rememberedCharge } from '../../payment/away.ts';
import { ChargeEnd } from '../../payment/charge-end.tsx';
import { ChargeWaiting } from '../../payment/charge-waiting.tsx';
import { endWish, isForOthers } from '../../payment/gift-wish.ts';
import { InnerPage } from '../../shell/inner.tsx';
import { mayGive } from '../../shop/giving.ts';
import { BoughtPage } from './bought-page.tsx';

type Order = Detail<'/api/user/order/detail'>;
type Voucher = Order['vouchers'][number];

/** The push comes at once; asking every few seconds finds what a lost push left. */
const pollEvery = 4_000;

/** An order that is paid directly: waiting for its money, paid, or over. */
export function OrderPage() {
  const { t } = useLingui();
  const { orderId = '' } = useParams<'orderId'>();
  const order = useQuery({
    ...query('/api/user/order/detail', { id: orderId === 'back' ? rememberedCharge() : orderId }),
    staleTime: 0,
    // Money may come after the order is over; then it is in the wallet, and this page says so.
    refetchInterval: ({ state: { data } }) => (data && settled(data) ? false : pollEvery),
  });

  if (order.data && !unpaid(order.data)) return <Paid order={order.data} />;
  return (
    <InnerPage
      title={order.data?.payment?.method === 'promptpay' ? t`Pay by PromptPay` : t`Pay for the order`}
      parent="cart"
      foot
    >
      {order.isPending && (
        <div role="status" aria-label={t`Loading…`} className="pt-1">
          <Skeleton className="h-[508px] rounded-card" />
        </div>
      )}
      {order.isError && (
        <Failure
          title={noSuchOrder(order.error) ? t`Order not found yet` : t`The order did not load`}
          error={order.error}
          onRetry={() => void order.refetch()}
        />
      )}
      {order.data &&
        (waiting(order.data) ? <Waiting order={order.data} at={order.dataUpdatedAt} /> : <Over order={order.data} />)}
    </InnerPage>
  );
}

/** What was bought for somebody else is given next; of several kinds, one after the other. */
function Paid({ order }: { order: Order }) {
  const [forOthers] = useState(() => isForOthers(order.id));
  const givable = forOthers ? order.vouchers.filter(mayGive) : [];
  const kinds = givable.filter((voucher, i) => givable.findIndex((other) => isLike(other, voucher)) === i);
  const [first, ...more] = kinds;
  if (first && more.length === 0) return <ToGiving order={order} voucher={first} />;
  return <BoughtPage bought={order} givable={kinds} />;
}

const isLike = (one: Voucher, other: Voucher) =>
  one.name_th === other.name_th &&
  one.kind === other.kind &&
  one.items_left === other.items_left &&
  one.valid_until === other.valid_until;

/** Goes on to the page where it is given, once: who comes back to the order sees the order. */
function ToGiving({ order, voucher }: { order: Order; voucher: Voucher }) {
  const { t } = useLingui();
  const { go } = useArea();
  const started = useRef(false);
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    endWish(order.id);
    toast({ tone: 'ok', title: t`Paid`, line: t`Order ${order.number}. Now wrap the gift.` });
    void go(`activevoucher/${voucher.id}/give`, {}, { replace: true });
  }, [order, voucher, go, t]);
  return null;
}

const noSuchOrder = (error: unknown) => isFault(error, 'order.not_found') || isFault(error, 'input.invalid');
const unpaid = (order: Order) => order.state === 'awaiting' || order.state === 'expired';
const settled = (order: Order) => !unpaid(order) || order.payment?.credited;
/** The clock ends the wait before the server has written it down. */
const waiting = ({ state, payment }: Order) =>
  state === 'awaiting' && (payment?.state === 'created' || payment?.state === 'awaiting');

function Waiting({ order, at }: { order: Order; at: number }) {
  const { t, i18n } = useLingui();
  const cancel = useMutation({
    mutationFn: () => call('/api/user/order/cancel', { id: order.id }),
    onSuccess: invalidates('/api/user/order/detail', '/api/user/order/awaiting', '/api/user/get/salepackage'),
    onError: (error) => toast({ tone: 'bad', title: errorSentence(i18n, error) }),
  });
  if (!order.payment) return null;
  return (
    <>
      <p role="status" className="mx-auto max-w-[440px] px-1 pb-2 text-row font-medium">{t`Order successfully`}</p>
      <ChargeWaiting
        charge={order.payment}
        ahead={Date.parse(order.payment.server_time) - at}
        onceIn={t`Once it is in, your vouchers appear on this page. You may close it meanwhile.`}
        hint={t`Save the QR, open your bank's app and scan it from the picture. If you pay after the time is over, the money comes into your Wallet.`}
        otherwise={
          <Button
            variant="outline"
            className="flex-1"
            disabled={cancel.isPending}
            onClick={() => cancel.mutate()}
          >{t`Cancel the order`}</Button>
        }
      />
    </>
  );
}

/** Without its money: what happened to it, and the way back to the same cart. */
function Over({ order }: { order: Order }) {
  const { t } = useLingui();
  const { go } = useArea();
  const { payment } = order;
  const again = () => {
    for (const line of order.lines) cart.set(line.package_id, line.quantity);
    void go('cart', {}, { replace: true });
  };
  return (
    <ChargeEnd {...useEnding(payment)}>
      <Button wide onClick={again}>{t`Put it back into the cart`}</Button>
      {payment?.credited && (
        <Button asChild variant="ghost" wide>
          <AreaLink page="wallet" replace>{t`Open the Wallet`}</AreaLink>
        </Button>
      )}
    </ChargeEnd>
  );
}

function useEnding(payment: Order['payment']) {
  const { t } = useLingui();
  const later = t`If you have paid just now, wait a moment: it comes into your Wallet and this page will tell.`;
  const whyNotMade = useWhyNotMade(payment);
  if (payment?.credited) {
    const amount = baht(payment.captured_satang);
    return {
      end: 'late',
      title: t`${amount} is in your Wallet`,
      line: whyNotMade,
    } as const;
  }
  if (payment?.failure === 'cancelled') {
    return { end: 'failed', title: t`The order is cancelled`, line: `${t`No money has moved.`} ${later}` } as const;
  }
  if (payment?.state === 'failed') {
    return {
      end: 'failed',
      title: t`The payment did not go through`,
      line: t`You have not been charged. Try again, or pay another way.`,
    } as const;
  }
  return { end: 'late', title: t`The time to pay is over`, line: `${t`No money has moved.`} ${later}` } as const;
}

/** Why money that came in did not make the order. */
function useWhyNotMade(payment: Order['payment']) {
  const { t } = useLingui();
  if (!payment?.late) return t`Part of the payment was sent back, so the order was not made.`;
  switch (payment.failure) {
    case '':
      return t`You paid after the time was over, so the order was not made. Nothing is lost: pay for it from your Wallet.`;
    case 'cancelled':
      return t`The money came in after you cancelled the order. Nothing is lost: it is yours to spend from your Wallet.`;
    default: // declined, or the payment company did not answer in time
      return t`The payment had failed and the money came in afterwards, so the order was not made. Nothing is lost: pay for it from your Wallet.`;
  }
}
