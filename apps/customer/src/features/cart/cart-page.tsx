import { Plural, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { Store } from 'lucide-react';
import { AreaLink, useArea } from '../../area.tsx';
import { usePaymentOptions } from '../../payment/payment-options.ts';
import { UnfinishedPurchase } from '../../payment/unfinished-purchase.tsx';
import { WaitingOrders } from '../../payment/waiting-orders.tsx';
import { InnerPage } from '../../shell/inner.tsx';
import { type Basket, useBasket } from './basket.ts';
import { Checkout } from './checkout.tsx';
import { useQuote } from './quote.ts';

export function CartPage() {
  const { t } = useLingui();
  const basket = useBasket();
  const waiting = useQuery(query('/api/user/order/awaiting', {}));
  const waits = Boolean(waiting.data?.data.length);

  return (
    <InnerPage
      title={t`Cart`}
      parent="market"
      foot={basket.lines.length > 0}
      actions={
        basket.lines.length > 0 && (
          <span className="px-2 text-sm font-medium text-muted-foreground">
            <Plural value={basket.lines.length} one="# package" other="# packages" />
          </span>
        )
      }
    >
      <WaitingOrders />
      {basket.lines.length > 0 && <Priced basket={basket} />}
      {basket.lines.length === 0 && <UnfinishedPurchase />}
      {basket.lines.length === 0 && (waits ? <ToTheMarket /> : <NothingInCart />)}
    </InnerPage>
  );
}

function Priced({ basket }: { basket: Basket }) {
  const { t } = useLingui();
  const { go } = useArea();
  const quote = useQuote(basket.lines);

  const options = usePaymentOptions(basket.lines.length > 0);

  if (quote.isPending || options.isPending) return <CartSkeleton lines={basket.lines.length} />;
  if (quote.isError) {
    return (
      <>
        <Failure title={t`We could not price your cart`} error={quote.error} onRetry={() => void quote.refetch()} />
        <div className="grid grid-cols-1 justify-items-center gap-1">
          {basket.lines.length > 0 && (
            <Button variant="ghost" onClick={basket.empty}>
              {t`Empty the cart`}
            </Button>
          )}
        </div>
      </>
    );
  }
  return (
    <Checkout
      quote={quote.data}
      options={options}
      basket={basket}
      stale={quote.isPlaceholderData}
      onChanged={() => void quote.refetch()}
      onBought={({ id }) => {
        basket.paid();
        void go(`order/${id}`);
      }}
    />
  );
}

function NothingInCart() {
  const { t } = useLingui();
  return (
    <EmptyState
      title={t`Your cart is empty`}
      line={t`What you put in it waits here until you pay.`}
      action={<ToTheMarket />}
    />
  );
}

function ToTheMarket() {
  const { t } = useLingui();
  return (
    <Button asChild>
      <AreaLink page="market">
        <Store aria-hidden />
        {t`Go to the market`}
      </AreaLink>
    </Button>
  );
}

function CartSkeleton({ lines }: { lines: number }) {
  const { t } = useLingui();
  return (
    <div role="status" aria-label={t`Loading…`} className="grid grid-cols-1 gap-3.5">
      <Card className="px-4 py-1">
        {Array.from({ length: lines }, (_, i) => `line-${i}`).map((key) => (
          <div key={key} className="flex gap-[13px] py-[13px]">
            <Skeleton className="size-[68px] rounded-[12px]" />
            <div className="grid flex-1 content-between py-1">
              <Skeleton className="h-4 w-4/5" />
              <Skeleton className="h-6 w-1/2" />
            </div>
          </div>
        ))}
      </Card>
      <Skeleton className="h-[120px] rounded-card" />
      <Skeleton className="h-[136px] rounded-card" />
      <ActionFoot>
        <Skeleton className="h-[52px] rounded-touch" />
      </ActionFoot>
    </div>
  );
}
