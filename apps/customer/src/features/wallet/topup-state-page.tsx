import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useParams, useSearch } from '@wlv/client/router';
import { Button } from '@wlv/ui/button';
import { Skeleton } from '@wlv/ui/skeleton';
import { useEffect } from 'react';
import { AreaLink } from '../../area.tsx';
import { rememberedCharge } from '../../payment/away.ts';
import { type Charge, ChargeWaiting } from '../../payment/charge-waiting.tsx';
import { FinishOrder } from '../../payment/finish-order.tsx';
import { plannedPurchase } from '../../payment/planned-purchase.ts';
import { InnerPage } from '../../shell/inner.tsx';
import { TopupDone, TopupOver } from './topup-end.tsx';

/** The push comes at once; asking every few seconds finds what a lost push left. */
const pollEvery = 4_000;

export function TopupStatePage() {
  const { t } = useLingui();
  const { topupId = '' } = useParams<'topupId'>();
  const id = topupId === 'back' ? rememberedCharge() : topupId;
  const { return: returnTo, order } = useSearch<{ return?: string; order?: string }>();
  const topup = useQuery({
    ...query('/api/user/wallet/topup/get', { id }),
    staleTime: 0,
    // A capture may come after the QR has run out, so an expired one is asked about as well.
    refetchInterval: ({ state }) =>
      state.data && ['captured', 'failed'].includes(state.data.state) ? false : pollEvery,
  });
  useFreshWallet(topup.data?.state);

  return (
    <InnerPage title={t`Top up`} parent="wallet" foot>
      {topup.isPending && <TopupStateSkeleton />}
      {topup.isError && (
        <Failure title={t`The top-up did not load`} error={topup.error} onRetry={() => void topup.refetch()} />
      )}
      {(topup.data?.state === 'awaiting' || topup.data?.state === 'created') && (
        <ChargeWaiting
          charge={topup.data}
          ahead={Date.parse(topup.data.server_time) - topup.dataUpdatedAt}
          onceIn={
            order && plannedPurchase(order)
              ? t`Once it is in we pay for your order, and your vouchers appear here. Come back to this page within 10 minutes of paying; later the money waits in your Wallet.`
              : t`This page changes by itself once you have paid. You may close it meanwhile.`
          }
          hint={t`Save the QR, open your bank's app and scan it from the picture. If you pay after the time is over, the money still comes into your Wallet.`}
          otherwise={
            <Button asChild variant="outline" className="flex-1">
              <AreaLink
                page="wallet/topup"
                search={{ amount: String(topup.data.amount_satang), return: returnTo, order }}
                replace
              >{t`Pay another way`}</AreaLink>
            </Button>
          }
        />
      )}
      {topup.data?.state === 'captured' && <TopupIn topup={topup.data} returnTo={returnTo} order={order} />}
      {(topup.data?.state === 'expired' || topup.data?.state === 'failed') && (
        <TopupOver topup={topup.data} returnTo={returnTo} order={order} />
      )}
    </InnerPage>
  );
}

/** The money is in: it pays for the order that it was topped up for, or stays. */
function TopupIn({ order, ...end }: { topup: Charge; returnTo: string | undefined; order: string | undefined }) {
  const stays = <TopupDone {...end} />;
  return order ? <FinishOrder planKey={order} {...end} otherwise={stays} /> : stays;
}

/** Money that has come in changes the balance and every price that looks at it. */
function useFreshWallet(state: Charge['state'] | undefined) {
  const client = useQueryClient();
  useEffect(() => {
    if (state !== 'captured') return;
    for (const path of ['/api/user/getwallet', '/api/user/wallet/movements', '/api/user/order/quote']) {
      void client.invalidateQueries({ queryKey: [path] });
    }
  }, [client, state]);
}

function TopupStateSkeleton() {
  const { t } = useLingui();
  return (
    <div role="status" aria-label={t`Loading…`} className="pt-1">
      <Skeleton className="h-[508px] rounded-card" />
    </div>
  );
}
