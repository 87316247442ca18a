import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isFault } from '@wlv/client/api-error';
import { type Body, query } from '@wlv/client/call';
import { callOnce } from '@wlv/client/call-once';
import { Failure } from '@wlv/client/failure';
import { FaultNote } from '@wlv/client/fault-note';
import { useParams, useSearch } from '@wlv/client/router';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { Field } from '@wlv/ui/field';
import { amount, baht, date } from '@wlv/ui/format';
import { Textarea } from '@wlv/ui/input';
import { Note } from '@wlv/ui/note';
import { Price } from '@wlv/ui/price';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { Ticket } from '@wlv/ui/ticket';
import { CircleAlert, RotateCcw, Send } from 'lucide-react';
import { useState } from 'react';
import { AreaLink } from '../../area.tsx';
import { type Account, useAccountErrors } from '../../payment/account-fields.tsx';
import { InnerPage } from '../../shell/inner.tsx';
import { type Chosen, changed, type How, type Made, type Method, type Options, sumsOf } from './refund.ts';
import { RefundChoice } from './refund-choice.tsx';
import { RefundDone } from './refund-done.tsx';
import { RefundWhere } from './refund-where.tsx';
import { RequestCard } from './request-card.tsx';

/** Who paid has unused items of an order refunded, or asks the shop for it, as its package said when he bought it. */
export function RefundPage() {
  const { t } = useLingui();
  const { orderId = '' } = useParams<'orderId'>();
  const { voucher } = useSearch<{ voucher?: string }>();
  const options = useQuery({ ...query('/api/user/refund/options', { id: orderId }), staleTime: 0 });
  const missing = isFault(options.error, 'not_found') || isFault(options.error, 'input.invalid');
  const [made, setMade] = useState<Made & { method: Method }>();
  return (
    <InnerPage title={t`Refund`} parent={`orders/${orderId}`} foot={!made}>
      {options.isPending && (
        <div role="status" aria-label={t`Loading…`} className="grid grid-cols-1 gap-4 pt-1">
          <Skeleton className="h-[208px] rounded-card" />
          <Skeleton className="h-[160px] rounded-card" />
        </div>
      )}
      {options.isError && (
        <Failure
          title={missing ? t`Order not found yet` : t`The refund did not load`}
          error={options.error}
          onRetry={() => void options.refetch()}
        />
      )}
      {options.data &&
        (made ? (
          <RefundDone made={made} options={options.data} order={orderId} />
        ) : (
          <Choose order={orderId} options={options.data} first={voucher} onMade={setMade} />
        ))}
    </InnerPage>
  );
}

function Choose({
  order,
  options,
  first,
  onMade,
}: {
  order: string;
  options: Options;
  first: string | undefined;
  onMade: (made: Made & { method: Method }) => void;
}) {
  const { t } = useLingui();
  const { requests, vouchers } = options;
  const waiting = requests.some(({ state }) => state === 'asked');
  const open = vouchers.filter(({ how }) => how === 'self' || (how === 'asking' && !waiting));
  const [chosen, setChosen] = useState<Chosen>(() => {
    const one = open.length === 1 ? open[0] : open.find(({ voucher_id: id }) => id === first);
    return one ? { [one.voucher_id]: one.items_left } : {};
  });
  // What he has by himself and what the shop decides on are two things: the first that is chosen says which.
  const of = open.filter(({ voucher_id: id }) => chosen[id]);
  const is: How = (of[0] ?? open[0])?.how === 'asking' ? 'asking' : 'self';
  const [asks, setAsks] = useState(false); // what is chosen leaves too little of the order for its discount
  const how: How = asks ? 'asking' : is;
  const sums = sumsOf(of, chosen);
  const [wanted, setWanted] = useState<Method>('wallet');
  const method = sums.amount <= (options.source?.limit_satang ?? 0) ? wanted : 'wallet';
  const [account, setAccount] = useState<Account>({ bank: '', number: '', name: '' });
  const [tried, setTried] = useState(false);
  const [words, setWords] = useState('');
  const make = useMake(
    how,
    {
      id: order,
      parts: of.map(({ voucher_id }) => ({ voucher_id, items: chosen[voucher_id] ?? 0 })),
      method,
      ...(method === 'bank' ? { account: account as Body<'/api/user/refund/make'>['account'] } : {}),
      amount_satang: sums.amount,
      words,
    },
    {
      onMade,
      onAsked: () => {
        setChosen({});
        setWords('');
        setAsks(false);
      },
      onlyByAsking: () => setAsks(true),
    },
  );
  const sum = baht(sums.amount);
  const errors = useAccountErrors(account, tried && method === 'bank', make.error);
  const lacks = method === 'bank' && !(account.bank && account.number.trim() && account.name.trim());
  if (!vouchers.length && !requests.length) return <NothingLeft order={order} />;
  const closed = (other: How) => {
    if (other === 'asking' && waiting) return t`You have asked for a refund of this order. The shop has yet to answer.`;
    if (of.length && other !== is)
      return other === 'self'
        ? t`This is refunded at once, by itself.`
        : t`The shop decides on this. Ask for it by itself.`;
    return undefined;
  };
  return (
    <div className="grid grid-cols-1 gap-4 pb-4">
      {requests.map((request) => (
        <RequestCard key={request.id} request={request} />
      ))}
      {vouchers.map((voucher) => (
        <RefundChoice
          key={voucher.voucher_id}
          voucher={voucher}
          closed={voucher.how ? closed(voucher.how) : undefined}
          items={chosen[voucher.voucher_id] ?? 0}
          onChange={(items) => {
            setAsks(false);
            setChosen((before) => ({ ...before, [voucher.voucher_id]: items }));
          }}
        />
      ))}
      {open.length > 0 && (
        <>
          <RefundWhere
            source={options.source}
            how={how}
            satang={sums.amount}
            value={method}
            onChange={setWanted}
            account={{ value: account, onChange: setAccount, errors }}
          />
          <Sums sums={sums} debt={options.debt_satang} />
          <p className="px-1 text-sm text-muted-foreground">
            {how === 'self' ? (
              <Trans>What is refunded cannot be used any more.</Trans>
            ) : (
              <Trans>
                The shop should answer within 15 days. Until then you can use it; what is used is not refunded.
              </Trans>
            )}{' '}
            <Until options={options} how={is} />
          </p>
          <Field label={t`Tell the shop why`} optional={t`Optional`}>
            <Textarea
              name="words"
              rows={2}
              maxLength={300}
              value={words}
              onChange={({ target }) => setWords(target.value)}
            />
          </Field>
          <FaultNote error={errors.number && make.isError ? null : make.error} />
          <ActionFoot>
            <Button
              wide
              disabled={sums.amount === 0 || make.isPending}
              onClick={() => (lacks ? setTried(true) : make.mutate())}
            >
              {how === 'self' ? <RotateCcw aria-hidden /> : <Send aria-hidden />}
              {make.isPending
                ? t`One moment…`
                : !sums.amount
                  ? t`Choose what is refunded`
                  : how === 'self'
                    ? t`Refund ${sum}`
                    : t`Ask for ${sum}`}
            </Button>
          </ActionFoot>
        </>
      )}
    </div>
  );
}

/** Asks for exactly the sum that is shown. Whatever comes of it, what may be refunded is read anew. */
function useMake(
  how: How,
  body: Body<'/api/user/refund/make'>,
  {
    onMade,
    onAsked,
    onlyByAsking,
  }: { onMade: (made: Made & { method: Method }) => void; onAsked: () => void; onlyByAsking: () => void },
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      if (how === 'self') return onMade({ ...(await callOnce('/api/user/refund/make', body)), method: body.method });
      await callOnce('/api/user/refund/ask', body);
      onAsked();
      window.scrollTo({ top: 0 });
    },
    onError: (error) => {
      if (isFault(error, 'refund.by_asking')) onlyByAsking();
    },
    // Also after a refusal: it was used or given away meanwhile.
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => changed.test(String(queryKey[0])) }),
  });
}

function Until({ options, how: of }: { options: Options; how: How }) {
  const { t } = useLingui();
  const days = [...new Set(options.vouchers.filter(({ how }) => how === of).map(({ until }) => until))];
  const until = days.map(date).join(' · ');
  return of === 'self' ? t`A refund is open until ${until}.` : t`You can ask until ${until}.`;
}

function Sums({ sums, debt }: { sums: ReturnType<typeof sumsOf>; debt: number }) {
  const { t } = useLingui();
  const owed = baht(Math.min(debt, sums.amount));
  return (
    <>
      <Ticket
        stub={60}
        foot={
          <>
            <span className="flex-1 font-semibold">{t`You get back`}</span>
            <Price satang={sums.amount} className="text-[24px] font-semibold text-brand-text" />
          </>
        }
      >
        <dl className="grid gap-2 px-4 py-3.5 text-row">
          <div className="flex justify-between gap-4">
            <dt className="text-muted-foreground">{t`Paid for what is not used`}</dt>
            <dd className="tabular-nums">{amount(sums.paid)}</dd>
          </div>
          <div className="flex justify-between gap-4">
            <dt className="text-muted-foreground">{t`Fee of the shop`}</dt>
            <dd className="tabular-nums">{sums.fee ? `-${amount(sums.fee)}` : amount(0)}</dd>
          </div>
        </dl>
      </Ticket>
      {debt > 0 && sums.amount > 0 && (
        <Note tone="warn" icon={<CircleAlert aria-hidden />}>
          {t`${owed} of it pays what you owe this shop first.`}
        </Note>
      )}
    </>
  );
}

function NothingLeft({ order }: { order: string }) {
  const { t } = useLingui();
  return (
    <EmptyState
      title={t`There is nothing to refund`}
      line={t`You hold no voucher of this order any more.`}
      action={
        <Button asChild>
          <AreaLink page={`orders/${order}`}>{t`See the order`}</AreaLink>
        </Button>
      }
    />
  );
}
