import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { wasAnswered } from '@wlv/client/api-error';
import { query, type Row } from '@wlv/client/call';
import { useTexts } from '@wlv/client/page';
import { useNow } from '@wlv/client/use-now';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { baht, countdown } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { ChevronRight, CircleAlert, Hourglass } from 'lucide-react';
import { AreaLink } from '../area.tsx';

type Order = Row<'/api/user/order/awaiting'>;

/** Orders that wait for their money, so that somebody who closed the page finds his QR again. */
export function WaitingOrders() {
  const { t } = useLingui();
  const orders = useQuery({ ...query('/api/user/order/awaiting', {}), staleTime: 0 });
  // Without a connection what they stand above says so.
  if (wasAnswered(orders.error)) {
    return (
      <Note tone="bad" role="alert" icon={<CircleAlert aria-hidden />} className="mb-3.5">
        <p>{t`Orders that wait for payment did not load. They are kept.`}</p>
        <Button variant="outline" size="md" className="mt-3" onClick={() => void orders.refetch()}>
          {t`Try again`}
        </Button>
      </Note>
    );
  }
  if (!orders.data?.data.length) return null;
  return (
    <section aria-label={t`Waiting for payment`} className="mb-3.5 grid grid-cols-1 gap-2.5">
      {orders.data.data.map((order) => (
        <WaitingOrder key={order.id} order={order} at={orders.dataUpdatedAt} />
      ))}
    </section>
  );
}

function WaitingOrder({ order, at }: { order: Order; at: number }) {
  const { t } = useLingui();
  const text = useTexts();
  const now = useNow(Date.parse(order.payment?.server_time ?? '') - at);
  const left = Math.max(0, (Date.parse(order.payment?.expires_at ?? '') - now) / 1000);
  const [first] = order.lines;
  return (
    <Card>
      <AreaLink page={`order/${order.id}`} className="flex items-center gap-3.5 rounded-card p-4">
        <span className="grid size-[42px] shrink-0 place-items-center rounded-tile bg-warn-soft text-warn-text">
          <Hourglass aria-hidden className="size-5" />
        </span>
        <span className="min-w-0 flex-1">
          <span className="block text-row font-semibold">{t`Waiting for payment`}</span>
          <span className="block truncate text-caption text-quiet">{first && text(first, 'name')}</span>
          <span className="block text-sm font-medium">
            {baht(order.total_satang)} · {t`${countdown(left)} left`}
          </span>
        </span>
        <ChevronRight aria-hidden className="size-5 shrink-0 text-quiet" />
      </AreaLink>
    </Card>
  );
}
