import { useLingui } from '@lingui/react/macro';
import { callOnce } from '@wlv/client/call-once';
import { Failure } from '@wlv/client/failure';
import { FaultNote } from '@wlv/client/fault-note';
import { useSearch } from '@wlv/client/router';
import { writeSearch } from '@wlv/client/search';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { Field } from '@wlv/ui/field';
import { FilterPill } from '@wlv/ui/filter-pill';
import { baht } from '@wlv/ui/format';
import { Input } from '@wlv/ui/input';
import { Note } from '@wlv/ui/note';
import { Price } from '@wlv/ui/price';
import { Skeleton } from '@wlv/ui/skeleton';
import { ShieldCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useArea } from '../../area.tsx';
import { CardFields, emptyCard, useCardProblems } from '../../payment/card-fields.tsx';
import { MethodChoice } from '../../payment/method-choice.tsx';
import { usePaymentOptions } from '../../payment/payment-options.ts';
import { type Means, type Method, type Option, usePay } from '../../payment/use-pay.ts';
import { InnerPage } from '../../shell/inner.tsx';

interface TopupSearch {
  /** Satang. */
  amount?: string;
  method?: Method;
  /** Where to go on when the money is in. */
  return?: string;
  /** The plan that is carried out once the money is in (payment/planned-purchase.ts). */
  order?: string;
}

const least = 100_00;
const most = 150_000_00;
/** What one QR can carry. */
const canTopUp = (satang: number) => satang >= least && satang <= most;
const quick = [100_00, 300_00, 500_00, 1_000_00, 2_000_00];

export function TopupPage() {
  const { t } = useLingui();
  const options = usePaymentOptions();
  return (
    <InnerPage title={t`Top up`} parent="wallet" foot>
      {options.isPending && <TopupSkeleton />}
      {options.isError && (
        <Failure title={t`Ways to pay did not load`} error={options.error} onRetry={() => void options.refetch()} />
      )}
      {options.data && <TopupForm options={options.data.data} />}
    </InnerPage>
  );
}

/** What the API takes of a path to come back to after 3-D Secure. A card is charged even where the way on from there is longer. */
const longestReturn = 2000;

function useTopup() {
  const { go, path } = useArea();
  const { return: returnTo, order } = useSearch<TopupSearch>();
  const back = path('wallet/topup/back') + writeSearch({ return: returnTo, order });
  return usePay({
    send: (body: { amount_satang: number } & Means, intent) => callOnce('/api/user/wallet/topup', body, intent),
    back: back.length <= longestReturn ? back : path('wallet/topup/back'),
    bank: (topup) => (topup.state === 'awaiting' ? topup.authorize_url : ''),
    onSuccess: (topup) => void go(`wallet/topup/${topup.id}`, { return: returnTo, order }, { replace: true }),
  });
}

function TopupForm({ options }: { options: Option[] }) {
  const { t } = useLingui();
  const search = useSearch<TopupSearch>();
  const topup = useTopup();
  const [amount, setAmount] = useState(Number(search.amount) || 500_00);
  const [method, setMethod] = useState<Method>(search.method ?? options[0]?.method ?? 'promptpay');
  const [card, setCard] = useState(emptyCard);
  const [asked, setAsked] = useState(false);
  const problems = useCardProblems(card);
  const option = options.find((o) => o.method === method);
  const possible = canTopUp(amount);

  // From the cart the amount and the way are decided already: go on to the QR.
  const decided = search.method === 'promptpay' && canTopUp(Number(search.amount));
  const started = useRef(false);
  const { mutate } = topup;
  useEffect(() => {
    if (!decided || started.current) return;
    started.current = true;
    mutate({ amount_satang: Number(search.amount), choice: { method: 'promptpay' } });
  }, [decided, mutate, search.amount]);

  const submit = () => {
    setAsked(true);
    if (!possible || (method === 'card' && Object.values(problems).some(Boolean))) return;
    topup.mutate({
      amount_satang: amount,
      choice: { method, ...(method === 'card' && option ? { card, option } : {}) },
    });
  };

  if (decided && !topup.isError) return <TopupSkeleton />;
  return (
    <form
      noValidate
      className="grid grid-cols-1 gap-5 pt-1"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <AmountChoice amount={amount} onChange={setAmount} />
      <MethodChoice methods={options.map((o) => o.method)} value={method} onChange={setMethod} />
      {method === 'card' && <CardFields card={card} onChange={setCard} problems={asked ? problems : {}} />}
      <FaultNote error={topup.error} />
      <Note icon={<ShieldCheck aria-hidden />}>
        {t`Money in your Wallet can be followed to the satang, and is only spent when you confirm an order.`}
      </Note>
      <ActionFoot>
        <Button type="submit" wide disabled={topup.isPending || !possible} aria-busy={topup.isPending}>
          {topup.isPending ? t`One moment…` : t`Top up`} <Price satang={amount} />
        </Button>
      </ActionFoot>
    </form>
  );
}

function AmountChoice({ amount, onChange }: { amount: number; onChange: (satang: number) => void }) {
  const { t } = useLingui();
  const [text, setText] = useState(String(amount / 100));
  const minimum = baht(least);
  const maximum = baht(most);
  const type = (next: string) => {
    const cleaned = next.replace(/[^\d.]/g, '').replace(/(\.\d{0,2}).*/, '$1');
    setText(cleaned);
    onChange(Math.round(Number(cleaned) * 100) || 0);
  };
  return (
    <div className="grid grid-cols-1 gap-3">
      <Field
        label={t`Amount`}
        help={t`At least ${minimum}`}
        error={amount < least ? t`Enter ${minimum} or more.` : amount > most ? t`Enter ${maximum} or less.` : undefined}
      >
        <Input
          inputMode="decimal"
          value={text}
          onChange={(event) => type(event.target.value)}
          before={<span className="text-[20px] font-medium text-quiet">฿</span>}
          className="h-[60px]! text-[24px]! font-semibold"
        />
      </Field>
      <div role="group" aria-label={t`Quick amounts`} className="no-scrollbar -mx-4 flex gap-2 overflow-x-auto px-4">
        {quick.map((satang) => (
          <FilterPill key={satang} on={satang === amount} onClick={() => type(String(satang / 100))}>
            {baht(satang).replace('.00', '')}
          </FilterPill>
        ))}
      </div>
    </div>
  );
}

function TopupSkeleton() {
  const { t } = useLingui();
  return (
    <div role="status" aria-label={t`Loading…`} className="grid grid-cols-1 gap-5 pt-1">
      <Skeleton className="h-[114px] rounded-touch" />
      <Skeleton className="h-10 rounded-full" />
      <Skeleton className="h-[150px] rounded-card" />
    </div>
  );
}
