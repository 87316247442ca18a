import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isFault } from '@wlv/client/api-error';
import { query } from '@wlv/client/call';
import { callOnce } from '@wlv/client/call-once';
import { Failure } from '@wlv/client/failure';
import { FaultNote } from '@wlv/client/fault-note';
import { useParams, useSearch } from '@wlv/client/router';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Fact } from '@wlv/ui/fact';
import { amount, baht, date } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Price } from '@wlv/ui/price';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { Ticket } from '@wlv/ui/ticket';
import { CircleAlert, RotateCcw, Wallet } from 'lucide-react';
import { useState } from 'react';
import { AreaLink } from '../../area.tsx';
import { InnerPage } from '../../shell/inner.tsx';
import { type Chosen, type Made, type Options, sumsOf } from './refund.ts';
import { RefundChoice } from './refund-choice.tsx';
import { RefundDone } from './refund-done.tsx';

/** Who paid has unused items of an order refunded, as its package said when he bought it. */
export function RefundPage() {
  const { t } = useLingui();
  const { orderId = '' } = useParams<'orderId'>();
  const { voucher } = useSearch<{ voucher?: string }>();
  const options = useQuery({ ...query('/api/user/refund/options', { id: orderId }), staleTime: 0 });
  const missing = isFault(options.error, 'not_found') || isFault(options.error, 'input.invalid');
  const [made, setMade] = useState<Made>();
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
  onMade: (made: Made) => void;
}) {
  const { t } = useLingui();
  const open = options.vouchers.filter(({ how }) => how === 'self');
  const [chosen, setChosen] = useState<Chosen>(() => {
    const one = open.length === 1 ? open[0] : open.find(({ voucher_id: id }) => id === first);
    return one ? { [one.voucher_id]: one.items_left } : {};
  });
  const sums = sumsOf(open, chosen);
  const make = useMake(order, chosen, sums.amount, onMade);
  const sum = baht(sums.amount);
  if (!options.vouchers.length) return <NothingLeft order={order} />;
  return (
    <div className="grid grid-cols-1 gap-4 pb-4">
      {options.vouchers.map((voucher) => (
        <RefundChoice
          key={voucher.voucher_id}
          voucher={voucher}
          items={chosen[voucher.voucher_id] ?? 0}
          onChange={(items) => setChosen((before) => ({ ...before, [voucher.voucher_id]: items }))}
        />
      ))}
      {open.length > 0 && (
        <>
          <Card className="px-4 py-1">
            <Fact icon={<Wallet aria-hidden />} title={t`Into your Wallet`} line={t`At once`} />
          </Card>
          <Sums sums={sums} debt={options.debt_satang} />
          <p className="px-1 text-sm text-muted-foreground">
            <Trans>What is refunded cannot be used any more.</Trans> <Until options={options} />
          </p>
          <FaultNote error={make.error} />
          <ActionFoot>
            <Button wide disabled={sums.amount === 0 || make.isPending} onClick={() => make.mutate()}>
              <RotateCcw aria-hidden />
              {make.isPending ? t`One moment…` : sums.amount ? t`Refund ${sum}` : t`Choose what is refunded`}
            </Button>
          </ActionFoot>
        </>
      )}
    </div>
  );
}

/** Asks for exactly the sum that is shown. Whatever comes of it, what may be refunded is read anew. */
function useMake(order: string, chosen: Chosen, satang: number, onMade: (made: Made) => void) {
  const client = useQueryClient();
  const parts = Object.entries(chosen)
    .filter(([, items]) => items > 0)
    .map(([voucher_id, items]) => ({ voucher_id, items }));
  return useMutation({
    mutationFn: () => callOnce('/api/user/refund/make', { id: order, parts, amount_satang: satang }),
    // Also after a refusal: it was used or given away meanwhile.
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => changed.test(String(queryKey[0])) }),
    onSuccess: onMade,
  });
}

/** A refund changes what an order, its vouchers and the wallet say. */
const changed = /^\/api\/user\/(refund|order|voucher|wallet|getwallet|history)/;

function Until({ options }: { options: Options }) {
  const { t } = useLingui();
  const days = [...new Set(options.vouchers.filter(({ how }) => how === 'self').map(({ until }) => until))];
  const until = days.map(date).join(' · ');
  return t`A refund is open until ${until}.`;
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
