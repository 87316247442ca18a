import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useBankName } from '@wlv/client/bank';
import { type Detail, query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { Card } from '@wlv/ui/card';
import { Fact } from '@wlv/ui/fact';
import { baht, date, dateTime } from '@wlv/ui/format';
import { CreditCard, Landmark, RotateCcw, Send } from 'lucide-react';
import { AreaLink } from '../../area.tsx';

/** What of an order may be refunded still and until when, and the receipts of what was. */
export function Refunds({ order }: { order: string }) {
  const { t } = useLingui();
  const options = useQuery({ ...query('/api/user/refund/options', { id: order }), staleTime: 0 });
  if (options.isError)
    return <Failure title={t`Refunds did not load`} error={options.error} onRetry={() => void options.refetch()} />;
  if (!options.data) return null;
  const { vouchers, refunds, requests } = options.data;
  const self = vouchers.filter(({ how }) => how === 'self').map(({ until }) => until);
  const asking = vouchers.filter(({ how }) => how === 'asking').map(({ until }) => until);
  const open = requests.filter(({ state }) => state !== 'done');
  const waits = open.some(({ state }) => state === 'asked');
  if (!self.length && !asking.length && !refunds.length && !open.length) return null;
  return (
    <Card className="divide-y px-4 py-1">
      {self.length > 0 && <Self order={order} until={last(self)} />}
      {self.length === 0 && asking.length > 0 && !waits && <Asking order={order} until={last(asking)} />}
      {open.map((request) => (
        <Asked key={request.id} order={order} request={request} />
      ))}
      {refunds.map((refund) => (
        <Refunded key={refund.id} refund={refund} />
      ))}
    </Card>
  );
}

/** A refund, and how far it has come where it went to a card or a bank account. */
function Refunded({ refund }: { refund: Detail<'/api/user/refund/options'>['refunds'][number] }) {
  const { t } = useLingui();
  const { method, state, digits } = refund;
  const account = `${useBankName()(refund.bank)} ····${digits}`;
  const due = refund.due_at ? date(refund.due_at) : '';
  const card = digits ? t`your card ····${digits}` : t`the card that you paid with`;
  const day = date(refund.ended_at);
  const transferred = {
    approved: t`The shop should transfer it to ${account} by ${due}`,
    sent: t`The shop has given its bank the transfer to ${account}, and waits until it is confirmed`,
    done: t`Transferred to ${account} on ${day}`,
    failed: t`It could not be transferred, so it is in your Wallet`,
  }[state];
  const sent = {
    approved: t`On its way to ${card}`,
    sent: t`On its way to ${card}`,
    done: t`Sent to ${card} on ${day}. Your bank needs about 5–10 days to show it.`,
    failed: t`The card could not take it, so it is in your Wallet`,
  }[state];
  const sum = baht(refund.amount_satang);
  const says = { wallet: undefined, card: sent, bank: transferred }[method];
  const Icon = { wallet: RotateCcw, card: CreditCard, bank: Landmark }[method];
  const number = `${refund.number} · ${dateTime(refund.at)}`;
  return (
    <Fact
      icon={<Icon aria-hidden />}
      title={state === 'approved' || state === 'sent' ? t`Refund of ${sum}` : t`Refunded ${sum}`}
      line={says ?? number}
      opens={(content, className) => (
        <AreaLink page={`receipts/refund/${refund.id}`} className={className}>
          {content}
        </AreaLink>
      )}
    />
  );
}

const last = (days: string[]) => date(days.toSorted().at(-1) ?? '');

function Self({ order, until }: { order: string; until: string }) {
  const { t } = useLingui();
  return (
    <Fact
      icon={<RotateCcw aria-hidden />}
      title={t`Get a refund`}
      line={t`Of what is not used, until ${until}`}
      opens={(content, className) => (
        <AreaLink page={`orders/${order}/refund`} className={className}>
          {content}
        </AreaLink>
      )}
    />
  );
}

function Asking({ order, until }: { order: string; until: string }) {
  const { t } = useLingui();
  return (
    <Fact
      icon={<RotateCcw aria-hidden />}
      title={t`Ask the shop for a refund`}
      line={t`Of what is not used, until ${until}. The shop decides.`}
      opens={(content, className) => (
        <AreaLink page={`orders/${order}/refund`} className={className}>
          {content}
        </AreaLink>
      )}
    />
  );
}

/** What he asked the shop to refund, and where that is now. */
function Asked({ order, request }: { order: string; request: Detail<'/api/user/refund/options'>['requests'][number] }) {
  const { t } = useLingui();
  const sum = baht(request.amount_satang);
  const due = date(request.due_at);
  const says = {
    asked: [
      t`You asked for ${sum}`,
      Date.parse(request.due_at) < Date.now()
        ? t`The shop should have answered by ${due}`
        : t`The shop should answer by ${due}`,
    ],
    refused: [t`The shop refused a refund of ${sum}`, request.answer],
    changed: [t`Look at your request for ${sum} again`, t`Some of it is gone, so nothing was refunded`],
    withdrawn: [t`You withdrew your request for ${sum}`, request.answered_at ? dateTime(request.answered_at) : ''],
    done: [t`Refunded ${sum}`, ''],
  }[request.state];
  return (
    <Fact
      icon={<Send aria-hidden />}
      title={says[0]}
      line={says[1]}
      opens={(content, className) => (
        <AreaLink page={`orders/${order}/refund`} className={className}>
          {content}
        </AreaLink>
      )}
    />
  );
}
