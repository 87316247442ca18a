import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { errorSentence, isFault } from '@wlv/client/api-error';
import { callOnce, hadNoEffect } from '@wlv/client/call-once';
import { useReplace } from '@wlv/client/replace';
import { Button } from '@wlv/ui/button';
import { baht } from '@wlv/ui/format';
import { WaitingRing } from '@wlv/ui/ring';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useArea } from '../area.tsx';
import { cart } from '../cart/cart-store.ts';
import { ChargeEnd } from './charge-end.tsx';
import type { Charge } from './charge-waiting.tsx';
import { keepWish } from './gift-wish.ts';
import { dropPlan, endPlan, plannedPurchase } from './planned-purchase.ts';
import { useFreshenAfterPurchase } from './use-freshen.ts';

/** How long after the money is in an order is still made by itself. Who comes back later decides anew. */
const soon = 10 * 60_000;

/** Says whether the buyer is still waiting for what he topped up for: the money came in time, and not long ago. */
function isSoon({ late, captured_at, server_time }: Charge) {
  return !late && captured_at !== null && Date.parse(server_time) - Date.parse(captured_at) < soon;
}

/** Says whether the order was not made. Under a key that another page has used with another price, it was made there. */
const isRefused = (error: unknown) => hadNoEffect(error) && !isFault(error, 'idempotency.key_reused');

/**
 * Makes the order that a top-up was for, now that its money is in: under the key that it was planned with, so that a reload, another page
 * or another top-up of the same plan makes no second one. `otherwise` is shown where nothing is planned any more.
 */
export function FinishOrder({
  topup,
  planKey,
  returnTo,
  otherwise,
}: {
  topup: Charge;
  /** The key of the plan. */
  planKey: string;
  returnTo: string | undefined;
  otherwise: ReactNode;
}) {
  const { go } = useArea();
  const freshen = useFreshenAfterPurchase();
  const [planned] = useState(() => plannedPurchase(planKey));
  const finish = useMutation({
    mutationFn: async () => {
      // Another page may have made it, or its buyer has bought something else instead.
      const plan = plannedPurchase(planKey);
      if (!plan || plan.order) return plan?.order;
      try {
        const made = await callOnce('/api/user/order/confirm', plan.body, plan.body.lines, plan.key);
        endPlan(plan.key, made.id);
        keepWish(made.id);
        for (const line of plan.cart ? plan.body.lines : []) cart.remove(line.package_id);
        freshen();
        return made.id;
      } catch (error) {
        if (isRefused(error)) dropPlan();
        throw error;
      }
    },
    onSuccess: (id) => id && go(`order/${id}`, {}, { replace: true }),
  });

  const waits = planned !== undefined && (planned.order !== undefined || isSoon(topup));
  const started = useRef(false);
  const { mutate } = finish;
  useEffect(() => {
    if (!waits || started.current) return;
    started.current = true;
    mutate();
  }, [waits, mutate]);

  if (!waits || (finish.isSuccess && !finish.data)) return otherwise;
  if (finish.isError) {
    return <NotFinished topup={topup} error={finish.error} returnTo={returnTo} onRetry={() => mutate()} />;
  }
  return <Finishing />;
}

function Finishing() {
  const { t } = useLingui();
  return (
    <div role="status" className="grid justify-items-center gap-4 px-6 pt-14 text-center">
      <WaitingRing />
      <h2 className="text-h1 font-semibold">{t`The money is in. Issuing your vouchers…`}</h2>
    </div>
  );
}

/** What became of the money comes first: it is in the wallet, or nobody knows yet whether it has paid for the order. */
function NotFinished({
  topup,
  error,
  returnTo,
  onRetry,
}: {
  topup: Charge;
  error: unknown;
  returnTo: string | undefined;
  onRetry: () => void;
}) {
  const { t, i18n } = useLingui();
  const { path } = useArea();
  const replace = useReplace();
  const amount = baht(topup.captured_satang);
  if (!isRefused(error)) {
    return (
      <ChargeEnd
        end="late"
        title={t`The money is in, the order is not known yet`}
        line={`${errorSentence(i18n, error)} ${t`Try again: it is made once, however often you try.`}`}
      >
        <Button wide onClick={onRetry}>{t`Try again`}</Button>
      </ChargeEnd>
    );
  }
  return (
    <ChargeEnd
      end="late"
      title={t`${amount} is in your Wallet`}
      line={`${t`The order was not made.`} ${
        isFault(error, 'order.quote_changed')
          ? t`The price has changed meanwhile. Please look at it again.`
          : errorSentence(i18n, error)
      }`}
    >
      <Button wide onClick={() => replace(returnTo ?? path('cart'))}>{t`Look at the order again`}</Button>
    </ChargeEnd>
  );
}
