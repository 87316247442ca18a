import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ApiError } from '@wlv/client/api-error';
import { invalidates, query } from '@wlv/client/call';
import { callOnce } from '@wlv/client/call-once';
import { Failure } from '@wlv/client/failure';
import { FaultNote } from '@wlv/client/fault-note';
import { useSignedIn } from '@wlv/client/use-signed-in';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { useState } from 'react';
import { AreaLink, useArea } from '../../area.tsx';
import { CardFields, emptyCard, useCardProblems } from '../../payment/card-fields.tsx';
import { MethodChoice, type PayBy } from '../../payment/method-choice.tsx';
import { PayWords } from '../../payment/pay-words.tsx';
import { canBePaidDirectly, usePaymentOptions } from '../../payment/payment-options.ts';
import { type Means, usePay } from '../../payment/use-pay.ts';
import { type Reach, reachOf, ShortWallet, useWalletLine } from '../../payment/wallet-row.tsx';
import { Consent, useAccepted } from '../../shop/consent.tsx';
import type { OfferDetail } from './offer.ts';

/** Sells nothing that the person has not seen the price of: it never changes. */
export function Buying({ offer, onGone }: { offer: OfferDetail; onGone: () => void }) {
  const { t } = useLingui();
  const { path } = useArea();
  const signedIn = useSignedIn('user');
  const wallet = useQuery({ ...query('/api/user/getwallet', {}), enabled: Boolean(signedIn) });
  if (!signedIn) {
    return (
      <ActionFoot>
        <Button asChild wide>
          <AreaLink page="home" search={{ next: path(`trade/${offer.id}`) }}>{t`Sign in to buy it`}</AreaLink>
        </Button>
      </ActionFoot>
    );
  }
  if (wallet.isError) {
    return <Failure title={t`Your Wallet did not load`} error={wallet.error} onRetry={() => void wallet.refetch()} />;
  }
  if (!wallet.data) return null;
  return <PayFor offer={offer} reach={reachOf(wallet.data.balance_satang, offer.price_satang)} onGone={onGone} />;
}

/** How to pay, the consent, and the button that carries the price. */
function PayFor({ offer, reach, onGone }: { offer: OfferDetail; reach: Reach; onGone: () => void }) {
  const { t } = useLingui();
  const { go, path } = useArea();
  const options = usePaymentOptions();
  const { buy, pay } = usePurchase(offer, onGone);
  const walletLine = useWalletLine(reach);
  const [accepted, setAccepted] = useAccepted(offer.consents);
  const [asked, setAsked] = useState(false);
  const [chosen, setChosen] = useState<PayBy>();
  const [card, setCard] = useState(emptyCard);
  const [askedCard, setAskedCard] = useState(false);
  const cardProblems = useCardProblems(card);

  const agreed = accepted || offer.consents.length === 0;
  const short = reach.missing_satang > 0;
  const direct = canBePaidDirectly(offer.price_satang) ? (options.data?.data ?? []) : [];
  const ways: PayBy[] = [...(short ? [] : (['wallet'] as const)), ...direct.map(({ method }) => method)];
  const way = ways.find((offered) => offered === chosen) ?? ways[0];
  const busy = buy.isPending || pay.isPending;
  const topUp = () =>
    void go('wallet/topup', { amount: String(reach.topup_satang), return: path(`trade/${offer.id}`) });
  const submit = () => {
    const option = direct.find(({ method }) => method === way);
    if (!option && way !== 'wallet') return topUp();
    setAsked(true);
    if (!agreed) return document.getElementById('consent')?.focus();
    if (!option) return buy.mutate();
    if (option.method === 'promptpay') return pay.mutate({ choice: { method: 'promptpay' } });
    setAskedCard(true);
    if (Object.values(cardProblems).some(Boolean)) return;
    pay.mutate({ choice: { method: 'card', card, option } });
  };
  return (
    <>
      <MethodChoice methods={ways} value={way} onChange={setChosen} walletLine={walletLine}>
        {short && <ShortWallet reach={reach} onTopup={direct.length > 0 ? topUp : undefined} />}
      </MethodChoice>
      {options.isError && (
        <Failure title={t`Ways to pay did not load`} error={options.error} onRetry={() => void options.refetch()} />
      )}
      {way === 'card' && <CardFields card={card} onChange={setCard} problems={askedCard ? cardProblems : {}} />}
      <FaultNote error={way === 'wallet' ? buy.error : pay.error} />
      {offer.consents.length > 0 && (
        <Consent consents={offer.consents} accepted={accepted} onAccept={setAccepted} missing={asked && !agreed} />
      )}
      <ActionFoot>
        <Button wide disabled={busy || options.isPending} aria-busy={busy} onClick={submit}>
          {busy ? t`One moment…` : <PayWords way={way} total={reach.total_satang} topup={reach.topup_satang} />}
        </Button>
      </ActionFoot>
    </>
  );
}

/** Buys an offer from the wallet, or begins to pay it by QR or card. */
function usePurchase(offer: OfferDetail, onGone: () => void) {
  const { i18n } = useLingui();
  const { go, path } = useArea();
  const body = {
    id: offer.id,
    accepted: offer.consents.map(({ _id }) => _id),
    lang: i18n.locale === 'en' ? ('en' as const) : ('th' as const),
  };
  const changed = invalidates(
    '/api/user/trade/detail',
    '/api/user/trade/list',
    '/api/user/trade/own',
    '/api/user/voucher/list',
    '/api/user/getwallet',
    '/api/user/wallet/movements',
  );
  const buy = useMutation({
    mutationFn: () => callOnce('/api/user/trade/buy', body, offer.id),
    onSuccess: async (...bought) => {
      await changed(...bought);
      window.scrollTo({ top: 0 }); // what is new stands first
    },
    onError: (error) => {
      if (error instanceof ApiError && error.fault?.startsWith('offer.')) onGone();
    },
  });
  const pay = usePay({
    send: (means: Means, intent) =>
      callOnce('/api/user/trade/pay', { ...body, ...means }, { offer: offer.id, ...intent }),
    back: path('pay/back'),
    bank: ({ state, payment }) => (state === 'open' ? payment.authorize_url : ''),
    onSuccess: ({ id }) => void go(`pay/${id}`),
    onError: onGone,
  });
  return { buy, pay };
}
