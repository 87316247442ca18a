import { useLingui } from '@lingui/react/macro';
import { errorSentence, isFault } from '@wlv/client/api-error';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { amount, baht } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Price } from '@wlv/ui/price';
import { Ticket } from '@wlv/ui/ticket';
import { CircleAlert, Plus } from 'lucide-react';
import { useState } from 'react';
import { AreaLink, useArea } from '../../area.tsx';
import type { Basket } from './basket.ts';
import { Consent, useAccepted } from './consent.tsx';
import { DirectSheet } from './direct-sheet.tsx';
import { Lines } from './lines.tsx';
import { type Bought, type Quote, useConfirm } from './quote.ts';
import { ShortWallet, WalletAfter } from './wallet-cards.tsx';

/** Lines, the sum on a ticket, the wallet, the consent; the button carries the exact amount that it charges. */
export function Checkout({
  quote,
  basket,
  stale,
  onChanged,
  onBought,
}: {
  quote: Quote;
  basket: Basket;
  /** A newer price is on its way: nothing can be paid meanwhile. */
  stale: boolean;
  onChanged: () => void;
  onBought: (bought: Bought) => void;
}) {
  const { t } = useLingui();
  const confirm = useConfirm(quote);
  const [accepted, setAccepted] = useAccepted(quote.consents);
  const [asked, setAsked] = useState(false);
  const [direct, setDirect] = useState(false);
  const agreed = accepted || quote.consents.length === 0;
  const short = quote.missing_satang > 0;

  const onceAgreed = (then: () => void) => () => {
    setAsked(true);
    if (!agreed) return document.getElementById('consent')?.focus();
    then();
  };
  const pay = onceAgreed(() => confirm.mutate(undefined, { onSuccess: onBought, onError: onChanged }));

  return (
    <div className="grid grid-cols-1 gap-3.5">
      <Lines quote={quote} basket={basket} />
      <Ticket
        stub={60}
        foot={
          <>
            <span className="flex-1 font-semibold">{t`To pay`}</span>
            <Price satang={quote.total_satang} className="text-[24px] text-brand-text" />
          </>
        }
      >
        <dl className="grid grid-cols-1 gap-[7px] px-4 py-3.5 text-row">
          {quote.lines.map((line) => (
            <LineSum key={line.package_id} line={line} />
          ))}
        </dl>
      </Ticket>
      {short ? <ShortWallet quote={quote} /> : <WalletAfter quote={quote} />}
      {confirm.isError && <ConfirmFailure error={confirm.error} quote={quote} />}
      {quote.consents.length > 0 && (
        <Consent consents={quote.consents} accepted={accepted} onAccept={setAccepted} missing={asked && !agreed} />
      )}
      {short ? (
        <ShortFoot quote={quote} disabled={stale} onDirect={onceAgreed(() => setDirect(true))} />
      ) : (
        <ActionFoot>
          <Button wide disabled={confirm.isPending || stale} aria-busy={confirm.isPending} onClick={pay}>
            {confirm.isPending ? t`Paying…` : t`Pay from Wallet`} <Price satang={quote.total_satang} />
          </Button>
        </ActionFoot>
      )}
      <DirectSheet quote={quote} basket={basket} open={direct && agreed} onOpen={setDirect} onChanged={onChanged} />
    </div>
  );
}

function LineSum({ line }: { line: Quote['lines'][number] }) {
  const { t } = useLingui();
  const each = amount(line.unit_satang);
  return (
    <div className="flex justify-between gap-4">
      <dt className="min-w-0 truncate text-muted-foreground">{t`${line.quantity} × ${each}`}</dt>
      <dd>{amount(line.amount_satang)}</dd>
    </div>
  );
}

/** Says first that no money moved; a changed price is named. */
function ConfirmFailure({ error, quote }: { error: unknown; quote: Quote }) {
  const { t, i18n } = useLingui();
  const now = amount(quote.total_satang);
  const changed = isFault(error, 'order.quote_changed');
  return (
    <Note tone={changed ? 'warn' : 'bad'} role="alert" icon={<CircleAlert aria-hidden />}>
      {changed
        ? t`The price is now ${now}. You have not been charged; please check it again.`
        : errorSentence(i18n, error)}
    </Note>
  );
}

/** A gateway takes 1 to 150,000 baht at once. */
const canBePaidDirectly = (satang: number) => satang >= 1_00 && satang <= 150_000_00;

/** The wallet is short: fill it up and come back, or pay this order past it. */
function ShortFoot({ quote, disabled, onDirect }: { quote: Quote; disabled: boolean; onDirect: () => void }) {
  const { t } = useLingui();
  const { path } = useArea();
  const back = { return: `${path('cart')}${location.search}`, amount: String(quote.topup_satang) };
  return (
    <ActionFoot className="grid grid-cols-1 gap-2">
      <Button asChild wide>
        <AreaLink
          page="wallet/topup"
          search={{ ...back, method: 'promptpay' }}
          aria-label={t`Top up ${baht(quote.topup_satang)}`}
        >
          <Plus aria-hidden strokeWidth={2.25} />
          {t`Top up`}
          <Price satang={quote.topup_satang} />
        </AreaLink>
      </Button>
      {canBePaidDirectly(quote.total_satang) && (
        <Button variant="ghost" wide disabled={disabled} onClick={onDirect}>{t`Pay directly by QR or card`}</Button>
      )}
    </ActionFoot>
  );
}
