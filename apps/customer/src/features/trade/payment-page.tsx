import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { errorSentence, isFault } from '@wlv/client/api-error';
import { call, type Detail, invalidates, query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useParams } from '@wlv/client/router';
import { Button } from '@wlv/ui/button';
import { baht } from '@wlv/ui/format';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { toast } from '@wlv/ui/toast';
import { useEffect } from 'react';
import { AreaLink, useArea } from '../../area.tsx';
import { rememberedCharge } from '../../payment/away.ts';
import { ChargeEnd } from '../../payment/charge-end.tsx';
import { ChargeWaiting } from '../../payment/charge-waiting.tsx';
import { InnerPage } from '../../shell/inner.tsx';

type Payment = Detail<'/api/user/trade/payment'>;

/** The push comes at once; asking every few seconds finds what a lost push left. */
const pollEvery = 4_000;

/** A payment of an offer: waiting for its money, paid, or over. */
export function PaymentPage() {
  const { t } = useLingui();
  const { paymentId = '' } = useParams<'paymentId'>();
  const payment = useQuery({
    ...query('/api/user/trade/payment', { id: paymentId === 'back' ? rememberedCharge() : paymentId }),
    staleTime: 0,
    // Money may come after the payment is over; then it is in the wallet, and this page says so.
    refetchInterval: ({ state: { data } }) => (data && settled(data) ? false : pollEvery),
  });
  return (
    <InnerPage
      title={payment.data?.payment.method === 'promptpay' ? t`Pay by PromptPay` : t`Pay for the voucher`}
      parent={payment.data ? `trade/${payment.data.offer_id}` : 'trade'}
      foot
    >
      {payment.isPending && (
        <div role="status" aria-label={t`Loading…`} className="pt-1">
          <Skeleton className="h-[508px] rounded-card" />
        </div>
      )}
      {payment.isError && none(payment.error) && (
        <EmptyState
          title={t`We don't know this payment`}
          line={t`What you paid for stands in your history, and money that was kept for you in your Wallet.`}
          action={
            <Button asChild>
              <AreaLink page="history" replace>{t`History`}</AreaLink>
            </Button>
          }
        />
      )}
      {payment.isError && !none(payment.error) && (
        <Failure title={t`The payment did not load`} error={payment.error} onRetry={() => void payment.refetch()} />
      )}
      {payment.data && waiting(payment.data) && <Waiting payment={payment.data} at={payment.dataUpdatedAt} />}
      {payment.data?.state === 'paid' && <Paid offer={payment.data.offer_id} />}
      {payment.data && !waiting(payment.data) && payment.data.state !== 'paid' && <Ended payment={payment.data} />}
    </InnerPage>
  );
}

const none = (error: unknown) => isFault(error, 'offer.not_found') || isFault(error, 'input.invalid');
const settled = ({ state, payment }: Payment) => state === 'paid' || payment.credited;
/** The clock ends the wait before the server has written it down. */
const waiting = ({ state, payment }: Payment) =>
  state === 'open' && (payment.state === 'created' || payment.state === 'awaiting');

function Waiting({ payment, at }: { payment: Payment; at: number }) {
  const { t, i18n } = useLingui();
  const giveUp = useMutation({
    mutationFn: () => call('/api/user/trade/giveup', { id: payment.id }),
    onSuccess: invalidates('/api/user/trade/payment', '/api/user/trade/detail', '/api/user/trade/list'),
    onError: (error) => toast({ tone: 'bad', title: errorSentence(i18n, error) }),
  });
  return (
    <>
      <p
        role="status"
        className="mx-auto max-w-[440px] px-1 pb-2 text-row font-medium"
      >{t`The voucher is kept for you`}</p>
      <ChargeWaiting
        charge={payment.payment}
        ahead={Date.parse(payment.payment.server_time) - at}
        onceIn={t`Once it is in, the voucher is yours and this page says so. You may close it meanwhile.`}
        hint={t`Save the QR, open your bank's app and scan it from the picture. If you pay after the time is over, the money comes into your Wallet.`}
        otherwise={
          <Button
            variant="outline"
            className="flex-1"
            disabled={giveUp.isPending}
            onClick={() => giveUp.mutate()}
          >{t`Do not buy it`}</Button>
        }
      />
    </>
  );
}

/** The offer shows its buyer the voucher that is his now, and what he paid. */
function Paid({ offer }: { offer: string }) {
  const { t } = useLingui();
  const { go } = useArea();
  const client = useQueryClient();
  useEffect(() => {
    void client.invalidateQueries({ queryKey: ['/api/user/trade/detail'] });
    go(`trade/${offer}`, {}, { replace: true });
  }, [client, go, offer]);
  return (
    <div role="status" aria-label={t`Loading…`}>
      <Skeleton className="h-[508px] rounded-card" />
    </div>
  );
}

/** How it ended without the voucher: with the money in the wallet, or with nothing moved; and the way back to the offer. */
function Ended({ payment }: { payment: Payment }) {
  const { t } = useLingui();
  const ending = useEnding(payment);
  return (
    <ChargeEnd {...ending}>
      <Button asChild wide>
        <AreaLink page={`trade/${payment.offer_id}`} replace>{t`Back to the offer`}</AreaLink>
      </Button>
      {payment.payment.credited && (
        <Button asChild variant="ghost" wide>
          <AreaLink page="wallet" replace>{t`Open the Wallet`}</AreaLink>
        </Button>
      )}
    </ChargeEnd>
  );
}

function useEnding({ state, payment }: Payment) {
  const { t } = useLingui();
  const nothing = t`No money has moved.`;
  const later = t`If you have paid just now, wait a moment: it comes into your Wallet and this page will tell.`;
  if (payment.credited) {
    const amount = baht(payment.captured_satang);
    return {
      end: 'late',
      title: t`${amount} is in your Wallet`,
      line:
        state === 'stopped'
          ? t`The offer ended before your money came in, so you did not buy it. Nothing is lost: the money is yours to spend.`
          : t`Your money came in too late or not in full, so you did not buy it. Nothing is lost: the money is yours to spend.`,
    } as const;
  }
  if (state === 'stopped') {
    return {
      end: 'failed',
      title: t`The offer has ended`,
      line: `${t`Do not pay for it any more.`} ${later}`,
    } as const;
  }
  if (payment.failure === 'cancelled') {
    return { end: 'failed', title: t`You gave it up`, line: `${nothing} ${later}` } as const;
  }
  if (payment.state === 'failed') {
    return {
      end: 'failed',
      title: t`The payment did not go through`,
      line: t`You have not been charged. Try again, or pay another way.`,
    } as const;
  }
  return { end: 'late', title: t`The time to pay is over`, line: `${nothing} ${later}` } as const;
}
