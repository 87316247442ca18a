import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { callOnce } from '@wlv/client/call-once';
import { Failure } from '@wlv/client/failure';
import { FaultNote } from '@wlv/client/fault-note';
import { Button } from '@wlv/ui/button';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { Price } from '@wlv/ui/price';
import { Skeleton } from '@wlv/ui/skeleton';
import { useState } from 'react';
import { useArea } from '../../area.tsx';
import { CardFields, emptyCard, useCardProblems } from '../../payment/card-fields.tsx';
import { MethodChoice } from '../../payment/method-choice.tsx';
import { type Means, type Method, type Option, usePay } from '../../payment/use-pay.ts';
import type { Basket } from './basket.ts';
import { type Quote, useBuying } from './quote.ts';

interface Props {
  quote: Quote;
  basket: Basket;
  /** The price may have moved: it is asked for again. */
  onChanged: () => void;
}

/** Pays for the order past the wallet: by QR or card, the exact sum. */
export function DirectSheet({ open, onOpen, ...props }: Props & { open: boolean; onOpen: (open: boolean) => void }) {
  const { t } = useLingui();
  const options = useQuery({ ...query('/api/user/wallet/payment-options', {}), staleTime: 600_000, enabled: open });
  return (
    <Dialog open={open} onOpenChange={onOpen}>
      {open && (
        <DialogContent
          shape="sheet"
          title={t`Pay for this order directly`}
          description={t`Your Wallet is not touched. The order is kept for you for 10 minutes.`}
        >
          {options.isPending && <Skeleton className="h-[170px] rounded-card" />}
          {options.isError && (
            <Failure title={t`Ways to pay did not load`} error={options.error} onRetry={() => void options.refetch()} />
          )}
          {options.data && <DirectForm options={options.data.data} {...props} />}
        </DialogContent>
      )}
    </Dialog>
  );
}

function useDirect({ quote, basket, onChanged }: Props) {
  const { go, path } = useArea();
  const { body, freshen } = useBuying(quote);
  return usePay({
    send: async (means: Means, intent) => {
      const order = await callOnce('/api/user/order/pay', { ...body, ...means }, { lines: body.lines, ...intent });
      basket.paid(); // the order holds it now
      freshen();
      return order;
    },
    back: path('order/back'),
    bank: (order) => (order.state === 'awaiting' ? (order.payment?.authorize_url ?? '') : ''),
    onSuccess: (order) => void go(`order/${order.id}`, {}, { replace: true }),
    onError: onChanged,
  });
}

function DirectForm({ options, ...props }: Props & { options: Option[] }) {
  const { t } = useLingui();
  const pay = useDirect(props);
  const [method, setMethod] = useState<Method>(options[0]?.method ?? 'promptpay');
  const [card, setCard] = useState(emptyCard);
  const [asked, setAsked] = useState(false);
  const problems = useCardProblems(card);
  const option = options.find((o) => o.method === method);
  const byCard = method === 'card';

  const submit = () => {
    setAsked(true);
    if (!option || (byCard && Object.values(problems).some(Boolean))) return;
    pay.mutate({ choice: { method, ...(byCard ? { card, option } : {}) } });
  };

  return (
    <form
      noValidate
      className="grid grid-cols-1 gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <MethodChoice methods={options.map((o) => o.method)} value={method} onChange={setMethod} />
      {byCard && <CardFields card={card} onChange={setCard} problems={asked ? problems : {}} />}
      <FaultNote error={pay.error} />
      <Button type="submit" wide disabled={pay.isPending || !option} aria-busy={pay.isPending}>
        {pay.isPending ? t`One moment…` : t`Pay`} <Price satang={props.quote.total_satang} />
      </Button>
    </form>
  );
}
