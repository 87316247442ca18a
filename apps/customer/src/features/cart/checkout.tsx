import { useLingui } from '@lingui/react/macro';
import { isFault } from '@wlv/client/api-error';
import { capabilities } from '@wlv/client/capabilities';
import { Failure } from '@wlv/client/failure';
import { FaultNote } from '@wlv/client/fault-note';
import { Link } from '@wlv/client/router';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { amount } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Price } from '@wlv/ui/price';
import { Ticket } from '@wlv/ui/ticket';
import { CircleAlert, MessageCircle } from 'lucide-react';
import { useState } from 'react';
import { useArea } from '../../area.tsx';
import { CardFields, emptyCard, useCardProblems } from '../../payment/card-fields.tsx';
import { isNextForOthers, setNextForOthers } from '../../payment/gift-wish.ts';
import { MethodChoice, type PayBy } from '../../payment/method-choice.tsx';
import { PayWords } from '../../payment/pay-words.tsx';
import { canBePaidDirectly, type usePaymentOptions } from '../../payment/payment-options.ts';
import { planOf, planPurchase } from '../../payment/planned-purchase.ts';
import { ShortWallet, useWalletLine } from '../../payment/wallet-row.tsx';
import { Consent, useAccepted } from '../../shop/consent.tsx';
import { ShopContact } from '../../shop/shop-contact.tsx';
import type { Basket } from './basket.ts';
import { DiscountCode } from './discount-code.tsx';
import { ForOthers } from './for-others.tsx';
import { AfterLastDays, LineSums, Lines, Refunds } from './lines.tsx';
import { type Bought, linesOf, type Quote, useBuying, useConfirm, useDirect } from './quote.ts';

/** Lines and their sum on a ticket, how to pay, the consent; the button carries the exact amount that it charges. */
export function Checkout({
  quote,
  options,
  basket,
  stale,
  onChanged,
  onBought,
}: {
  quote: Quote;
  options: ReturnType<typeof usePaymentOptions>;
  basket: Basket;
  /** A newer price is on its way: nothing can be paid meanwhile. */
  stale: boolean;
  onChanged: () => void;
  onBought: (bought: Bought) => void;
}) {
  const { t } = useLingui();
  const confirm = useConfirm(quote);
  const pay = useDirect({ quote, basket, onChanged });
  const topUp = useTopUp(quote, basket);
  const walletLine = useWalletLine(quote);
  // Who comes back from a top-up finds the tick that he left.
  const [accepted, setAccepted] = useAccepted(quote.consents, planOf(linesOf(quote.lines))?.body.accepted);
  const [forOthers, setForOthers] = useState(isNextForOthers);
  const [asked, setAsked] = useState(false);
  const [chosen, setChosen] = useState<PayBy>();
  const [card, setCard] = useState(emptyCard);
  const [askedCard, setAskedCard] = useState(false);
  const cardProblems = useCardProblems(card);

  const agreed = accepted || quote.consents.length === 0;
  const short = quote.missing_satang > 0;
  const direct = canBePaidDirectly(quote.total_satang) ? (options.data?.data ?? []) : [];
  const ways: PayBy[] = [...(short ? [] : (['wallet'] as const)), ...direct.map(({ method }) => method)];
  const way = ways.find((offered) => offered === chosen) ?? ways[0];
  const busy = confirm.isPending || pay.isPending;

  const onceAgreed = (then: () => void) => () => {
    setAsked(true);
    if (!agreed) return document.getElementById('consent')?.focus();
    then();
  };
  const submit = onceAgreed(() => {
    if (way === 'wallet') return confirm.mutate(undefined, { onSuccess: onBought, onError: onChanged });
    const option = direct.find(({ method }) => method === way);
    if (!option) return topUp();
    if (option.method === 'promptpay') return pay.mutate({ choice: { method: 'promptpay' } });
    setAskedCard(true);
    if (Object.values(cardProblems).some(Boolean)) return;
    pay.mutate({ choice: { method: 'card', card, option } });
  });

  return (
    <div className="grid grid-cols-1 gap-3.5">
      <Ticket
        stub={60}
        foot={
          <>
            <span className="flex-1 font-semibold">{t`To pay`}</span>
            <Price satang={quote.total_satang} className="text-[24px] text-brand-text" />
          </>
        }
      >
        <Lines quote={quote} basket={basket} />
        <LineSums quote={quote} />
      </Ticket>
      <DiscountCode quote={quote} basket={basket} />
      <AfterLastDays quote={quote} />
      {capabilities.refunds && <Refunds quote={quote} />}
      {capabilities.transfers && (
        <ForOthers
          quote={quote}
          checked={forOthers}
          onChange={(wished) => {
            setNextForOthers(wished);
            setForOthers(wished);
          }}
        />
      )}
      <MethodChoice methods={ways} value={way} onChange={setChosen} walletLine={walletLine}>
        {short && <ShortWallet reach={quote} onTopup={direct.length > 0 ? onceAgreed(topUp) : undefined} />}
      </MethodChoice>
      {options.isError && (
        <Failure title={t`Ways to pay did not load`} error={options.error} onRetry={() => void options.refetch()} />
      )}
      {way === 'card' && <CardFields card={card} onChange={setCard} problems={askedCard ? cardProblems : {}} />}
      <PayFailure error={way === 'wallet' ? confirm.error : pay.error} quote={quote} />
      {quote.consents.length > 0 && (
        <Consent consents={quote.consents} accepted={accepted} onAccept={setAccepted} missing={asked && !agreed} />
      )}
      <Link
        to="/contact"
        className="inline-flex min-h-11 items-center gap-2.5 px-1 text-sm font-medium text-brand-text"
      >
        <MessageCircle aria-hidden className="size-[18px]" />
        {t`Something unclear? Ask the shop`}
      </Link>
      <ShopContact />
      <ActionFoot>
        <Button wide disabled={busy || stale} aria-busy={busy} onClick={submit}>
          {busy ? t`One moment…` : <PayWords way={way} total={quote.total_satang} topup={quote.topup_satang} />}
        </Button>
      </ActionFoot>
    </div>
  );
}

/** Fills the wallet; the order is made by itself once the money is in. */
function useTopUp(quote: Quote, basket: Basket) {
  const { go, path } = useArea();
  const { body } = useBuying(quote);
  const back = `${path('cart')}${location.search}`;
  return () =>
    void go('wallet/topup', {
      amount: String(quote.topup_satang),
      method: 'promptpay',
      return: back,
      order: planPurchase(body, basket.isCart, back),
    });
}

/** Says first that no money moved; a changed price is named. */
function PayFailure({ error, quote }: { error: unknown; quote: Quote }) {
  const { t } = useLingui();
  const now = amount(quote.total_satang);
  if (!isFault(error, 'order.quote_changed')) return <FaultNote error={error} />;
  return (
    <Note tone="warn" role="alert" icon={<CircleAlert aria-hidden />}>
      {t`The price is now ${now}. You have not been charged; please check it again.`}
    </Note>
  );
}
