import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type Body, mutation, query } from '@wlv/client/call';
import { callOnce } from '@wlv/client/call-once';
import { FaultNote } from '@wlv/client/fault-note';
import { loadFaults } from '@wlv/client/faults';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { baht } from '@wlv/ui/format';
import { CloudAlert, CloudCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useArea } from '../../area.tsx';
import { MethodChoice } from '../../payment/method-choice.tsx';
import { PayWords } from '../../payment/pay-words.tsx';
import { useFreshenAfterPurchase } from '../../payment/use-freshen.ts';
import { reachOf, ShortWallet, useWalletLine } from '../../payment/wallet-row.tsx';
import { Consent, useAccepted } from '../../shop/consent.tsx';
import { Fields } from './fields.tsx';
import { type CardType, type Form, type Standing, useKeepStanding, type Wrong, wrongOf } from './standing.ts';

const pause = 700;

/** The form of a card type. What is typed is kept on the server, so that a reload loses nothing. */
export function Apply({ standing, type, onSent }: { standing: Standing; type: CardType; onSent: () => void }) {
  const { t, i18n } = useLingui();
  const [form, setForm] = useState<Form>(standing.draft);
  const [wrong, setWrong] = useState<Wrong>({});
  const [asked, setAsked] = useState(false);
  const price = type.price_satang ?? 0;
  const texts = price ? [...standing.texts, ...standing.purchase_texts] : standing.texts;
  const [accepted, setAccepted] = useAccepted(texts);
  const keep = useKeepStanding();
  const top = useRef<HTMLDivElement>(null);
  const save = useMutation(mutation('/api/user/member/save'));
  const freshen = useFreshenAfterPurchase();
  const { go, path } = useArea();
  const wallet = useQuery({ ...query('/api/user/getwallet', {}), enabled: price > 0 });
  // What comes back of the card that this one replaces at once helps to pay.
  const { card } = standing;
  const credit = card && (type.level ?? 0) > card.level && type.approval !== 'always' ? card.credit_satang : 0;
  const back = baht(credit);
  const reach = reachOf((wallet.data?.balance_satang ?? 0) + credit, price);
  const walletLine = useWalletLine(reach);
  const short = price > 0 && reach.missing_satang > 0;
  const outcome = {
    onSuccess: (now: Standing) => {
      keep(now);
      onSent();
    },
    onError: async (error: Error) => {
      await loadFaults().catch(() => undefined);
      setWrong(wrongOf(error));
    },
  };
  const apply = useMutation({ ...mutation('/api/user/member/apply'), ...outcome });
  const buy = useMutation({
    mutationFn: (body: Body<'/api/user/member/buy'>) => callOnce('/api/user/member/buy', body),
    ...outcome,
    onSettled: freshen,
  });
  const sent = price ? buy : apply;

  const { mutate } = save;
  const kept = useRef(standing.draft);
  useEffect(() => {
    if (kept.current === form) return;
    const timer = setTimeout(() => {
      kept.current = form;
      mutate(form);
    }, pause);
    return () => clearTimeout(timer);
  }, [form, mutate]);

  // The first field that is wrong is looked at.
  useEffect(() => {
    if (Object.keys(wrong).length) top.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [wrong]);

  const agreed = accepted || texts.length === 0;
  const send = () => {
    if (short) {
      const here = `${path('registermember')}?card=${type.id}`;
      return void go('wallet/topup', { amount: String(reach.topup_satang), return: here });
    }
    setAsked(true);
    if (!agreed) return document.getElementById('consent')?.focus();
    const body = {
      card_type_id: type.id ?? '',
      form,
      version_ids: standing.texts.map(({ _id }) => _id),
      lang: i18n.locale === 'en' ? ('en' as const) : ('th' as const),
    };
    if (!price) return apply.mutate(body);
    buy.mutate({ ...body, price_satang: price, accepted: standing.purchase_texts.map(({ _id }) => _id) });
  };
  return (
    <div ref={top} className="grid grid-cols-1 gap-5 pt-2">
      <p role="status" className="flex items-center gap-2 text-sm text-quiet">
        {save.isError ? (
          <CloudAlert aria-hidden className="size-[18px]" />
        ) : (
          <CloudCheck aria-hidden className="size-[18px]" />
        )}
        {save.isError ? t`Not kept yet` : t`What you filled in is kept`}
      </p>
      <Fields type={type} form={form} change={(patch) => setForm((now) => ({ ...now, ...patch }))} wrong={wrong} />
      {price > 0 && wallet.data && (
        <>
          <MethodChoice methods={short ? [] : ['wallet']} value="wallet" onChange={() => {}} walletLine={walletLine}>
            {short && <ShortWallet reach={reach} onTopup={undefined} />}
          </MethodChoice>
          {credit > 0 && (
            <p className="text-sm text-quiet">{t`Of it, ${back} comes back of the card that you have now, for the days that are left.`}</p>
          )}
          <p className="text-sm text-quiet">
            {t`If the shop does not approve, or you take the application back, all of it goes back to your Wallet.`}
          </p>
        </>
      )}
      {texts.length > 0 && (
        <Consent consents={texts} accepted={accepted} onAccept={setAccepted} missing={asked && !agreed} />
      )}
      <FaultNote error={sent.error && !Object.keys(wrongOf(sent.error)).length ? sent.error : null} />
      <ActionFoot>
        <Button wide disabled={sent.isPending || (price > 0 && !wallet.data)} onClick={send}>
          {price ? <PayWords way={short ? undefined : 'wallet'} total={price} topup={reach.topup_satang} /> : t`Apply`}
        </Button>
      </ActionFoot>
    </div>
  );
}
