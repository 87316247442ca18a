import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Body, type Detail, query } from '@wlv/client/call';
import { callOnce } from '@wlv/client/call-once';
import { Failure } from '@wlv/client/failure';
import { FaultNote } from '@wlv/client/fault-note';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Fact } from '@wlv/ui/fact';
import { Field } from '@wlv/ui/field';
import { FilterPill } from '@wlv/ui/filter-pill';
import { baht } from '@wlv/ui/format';
import { Input } from '@wlv/ui/input';
import { Note } from '@wlv/ui/note';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { CircleAlert, CreditCard, Landmark, Send } from 'lucide-react';
import { useState } from 'react';
import { AreaLink } from '../../area.tsx';
import { type Account, AccountFields, useAccountErrors } from '../../payment/account-fields.tsx';
import { InnerPage } from '../../shell/inner.tsx';
import { CashoutCard } from './cashout-card.tsx';
import { changed } from './cashout-changes.ts';

type Options = Detail<'/api/user/cashout/options'>;

/** A customer asks the shop for money of his wallet. It goes back to what he filled it with. */
export function CashoutPage() {
  const { t } = useLingui();
  const options = useQuery({ ...query('/api/user/cashout/options', {}), staleTime: 0 });
  return (
    <InnerPage title={t`Take money out`} parent="wallet" foot>
      {options.isPending && (
        <div role="status" aria-label={t`Loading…`} className="grid grid-cols-1 gap-4 pt-1">
          <Skeleton className="h-[114px] rounded-touch" />
          <Skeleton className="h-[150px] rounded-card" />
        </div>
      )}
      {options.isError && (
        <Failure title={t`Your Wallet did not load`} error={options.error} onRetry={() => void options.refetch()} />
      )}
      {options.data && <Cashout options={options.data} />}
    </InnerPage>
  );
}

function Cashout({ options }: { options: Options }) {
  const { t } = useLingui();
  const { requests, limit_satang: limit } = options;
  const waiting = requests.some(({ state }) => state === 'asked');
  return (
    <div className="grid grid-cols-1 gap-4 pb-4 pt-1">
      {!waiting && (limit > 0 ? <CashoutForm options={options} /> : <Nothing options={options} />)}
      {requests.length > 0 && (
        <section className="grid grid-cols-1 gap-3">
          <h2 className="px-1 text-h2 font-semibold">{t`What you asked for`}</h2>
          {requests.map((request) => (
            <CashoutCard key={request.id} request={request} />
          ))}
        </section>
      )}
    </div>
  );
}

function Nothing({ options }: { options: Options }) {
  const { t } = useLingui();
  const owed = baht(options.debt_satang);
  if (options.debt_satang > 0) {
    return (
      <Note tone="warn" icon={<CircleAlert aria-hidden />} title={t`You owe this shop ${owed}`}>
        {t`What you owe is paid before anything is paid out.`}
      </Note>
    );
  }
  return (
    <EmptyState
      title={t`There is nothing to take out`}
      line={t`Only money that you topped up yourself goes back, to what you paid it with. What came from a sale, a gift or the shop is for spending here.`}
      action={
        <Button asChild variant="outline">
          <AreaLink page="wallet">{t`See your Wallet`}</AreaLink>
        </Button>
      }
    />
  );
}

function CashoutForm({ options: { limit_satang: limit, balance_satang: balance, sources } }: { options: Options }) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const [account, setAccount] = useState<Account>({ bank: '', number: '', name: '' });
  const [tried, setTried] = useState(false);
  const satang = Math.round(Number(text) * 100) || 0;
  const parts = split(sources, Math.min(satang, limit));
  const byBank = parts.some(({ method }) => method === 'bank');
  const ask = useAsk({
    amount_satang: satang,
    ...(byBank ? { account: account as Body<'/api/user/cashout/ask'>['account'] } : {}),
  });
  const errors = useAccountErrors(account, tried && byBank, ask.error);
  const lacks = byBank && !(account.bank && account.number.trim() && account.name.trim());
  const most = baht(limit);
  const sum = baht(satang);
  const all = baht(balance);
  const problem = satang > limit ? t`Enter ${most} or less.` : tried && !satang ? t`Please fill this in` : undefined;
  return (
    <form
      noValidate
      className="grid grid-cols-1 gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (satang > 0 && satang <= limit && !lacks) ask.mutate();
      }}
    >
      <Field label={t`Amount`} help={t`Up to ${most}`} error={problem}>
        <Input
          inputMode="decimal"
          value={text}
          onChange={(event) => setText(event.target.value.replace(/[^\d.]/g, '').replace(/(\.\d{0,2}).*/, '$1'))}
          before={<span className="text-[20px] font-medium text-quiet">฿</span>}
          className="h-[60px]! text-[24px]! font-semibold"
        />
      </Field>
      <div>
        <FilterPill on={satang === limit} onClick={() => setText((limit / 100).toFixed(2))}>
          {t`All of it, ${most}`}
        </FilterPill>
      </div>
      {limit < balance && (
        <p className="px-1 text-sm text-muted-foreground">
          {t`Of ${all} in your Wallet, this is what you topped up yourself. The rest is for spending here.`}
        </p>
      )}
      {parts.length > 0 && <Where parts={parts} />}
      {byBank && <AccountFields value={account} onChange={setAccount} errors={errors} />}
      <p className="px-1 text-sm text-muted-foreground">
        {t`The shop should answer and pay within 15 days. Until it approves, the money stays in your Wallet and you can spend it. What cannot be sent comes back into your Wallet.`}
      </p>
      <FaultNote error={errors.number && ask.isError ? null : ask.error} />
      <ActionFoot>
        <Button type="submit" wide disabled={ask.isPending || satang > limit}>
          <Send aria-hidden />
          {ask.isPending
            ? t`One moment…`
            : satang > 0
              ? t({ message: `Ask for ${sum}`, context: 'money of the Wallet' })
              : t`Ask the shop for it`}
        </Button>
      </ActionFoot>
    </form>
  );
}

/** How much of a sum goes to each source, in their order, as the server will split it. */
function split(sources: Options['sources'], satang: number) {
  let rest = satang;
  const parts = sources.map((source) => {
    const part = Math.min(source.limit_satang, rest);
    rest -= part;
    return { method: source.method, digits: source.card_digits, satang: part };
  });
  return parts.filter((part) => part.satang > 0);
}

/** Where it goes: each card by itself, and what came in by PromptPay to one bank account. */
function Where({ parts }: { parts: ReturnType<typeof split> }) {
  const { t } = useLingui();
  const cards = parts.filter(({ method }) => method === 'card');
  const toBank = parts.reduce((sum, { method, satang }) => sum + (method === 'bank' ? satang : 0), 0);
  const byTransfer = baht(toBank);
  return (
    <section>
      <h2 className="mb-2 px-1 font-semibold">{t`Where it goes`}</h2>
      <Card className="divide-y px-4 py-1">
        {cards.map(({ digits, satang }, i) => {
          const sum = baht(satang);
          return (
            <Fact
              key={i}
              icon={<CreditCard aria-hidden />}
              title={digits ? t`${sum} to your card ····${digits}` : t`${sum} to the card that you paid with`}
              line={t`Your bank needs about 5–10 days, when the shop has approved it`}
            />
          );
        })}
        {toBank > 0 && (
          <Fact
            icon={<Landmark aria-hidden />}
            title={t`${byTransfer} to your bank account`}
            line={t`You topped this up by PromptPay. The shop transfers it to the account that you name here.`}
          />
        )}
      </Card>
    </section>
  );
}

/** Asks for the sum. Whatever comes of it, what may be taken out is read anew. */
function useAsk(body: Body<'/api/user/cashout/ask'>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      await callOnce('/api/user/cashout/ask', body);
      window.scrollTo({ top: 0 });
    },
    // Also after a refusal: money was spent or sent back meanwhile.
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => changed.test(String(queryKey[0])) }),
  });
}
