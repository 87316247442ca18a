import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { Card } from '@wlv/ui/card';
import { Fact } from '@wlv/ui/fact';
import { baht, date, dateTime } from '@wlv/ui/format';
import { RotateCcw } from 'lucide-react';
import { AreaLink } from '../../area.tsx';

/** What of an order may be refunded still and until when, and the receipts of what was. */
export function Refunds({ order }: { order: string }) {
  const { t } = useLingui();
  const options = useQuery({ ...query('/api/user/refund/options', { id: order }), staleTime: 0 });
  if (options.isError)
    return <Failure title={t`Refunds did not load`} error={options.error} onRetry={() => void options.refetch()} />;
  if (!options.data) return null;
  const { vouchers, refunds } = options.data;
  const self = vouchers.filter(({ how }) => how === 'self').map(({ until }) => until);
  const asking = vouchers.filter(({ how }) => how === 'asking').map(({ until }) => until);
  if (!self.length && !asking.length && !refunds.length) return null;
  return (
    <Card className="divide-y px-4 py-1">
      {self.length > 0 && <Self order={order} until={last(self)} />}
      {self.length === 0 && asking.length > 0 && <Asking until={last(asking)} />}
      {refunds.map((refund) => (
        <Fact
          key={refund.id}
          icon={<RotateCcw aria-hidden />}
          title={t`Refunded ${baht(refund.amount_satang)}`}
          line={`${refund.number} · ${dateTime(refund.at)}`}
          opens={(content, className) => (
            <AreaLink page={`receipts/refund/${refund.id}`} className={className}>
              {content}
            </AreaLink>
          )}
        />
      ))}
    </Card>
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

function Asking({ until }: { until: string }) {
  const { t } = useLingui();
  return (
    <Fact
      icon={<RotateCcw aria-hidden />}
      title={t`Ask the shop for a refund until ${until}`}
      line={t`The shop decides on it`}
    />
  );
}
