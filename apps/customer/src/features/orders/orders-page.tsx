import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { pictureURL } from '@wlv/client/media';
import { Mark, useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Chip } from '@wlv/ui/chip';
import { date } from '@wlv/ui/format';
import { MovementRowSkeleton } from '@wlv/ui/movement-row';
import { Picture } from '@wlv/ui/picture';
import { Price } from '@wlv/ui/price';
import { EmptyState } from '@wlv/ui/state';
import { AreaLink } from '../../area.tsx';
import { InnerPage } from '../../shell/inner.tsx';
import { type Listed, useOrderState } from './order.ts';

/** A full page may have another behind it; the last order seen is where it goes on. */
const pageSize = 50;

/** What the person bought from the shop, and what still waits for its money. */
export function OrdersPage() {
  const { t } = useLingui();
  return (
    <InnerPage title={t`My orders`} parent="profile">
      <Orders />
    </InnerPage>
  );
}

function Orders() {
  const { t } = useLingui();
  const orders = useInfiniteQuery({
    queryKey: ['/api/user/order/list'],
    queryFn: ({ pageParam, signal }) => call('/api/user/order/list', pageParam ? { after: pageParam } : {}, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ data }) => (data.length === pageSize ? data.at(-1)?.id : undefined),
    staleTime: 0,
  });
  if (orders.isPending) {
    return (
      <Card role="status" aria-label={t`Loading…`} className="py-1">
        <MovementRowSkeleton />
        <MovementRowSkeleton />
        <MovementRowSkeleton />
      </Card>
    );
  }
  if (orders.isError) {
    return <Failure title={t`Your orders did not load`} error={orders.error} onRetry={() => void orders.refetch()} />;
  }
  const all = orders.data.pages.flatMap((page) => page.data);
  if (!all.length) {
    return (
      <EmptyState
        title={t`No orders yet`}
        line={t`What you buy from the shop will stand here.`}
        action={
          <Button asChild>
            <AreaLink page="market">{t`Open the market`}</AreaLink>
          </Button>
        }
      />
    );
  }
  return (
    <div className="grid grid-cols-1 gap-4 pb-4">
      <Card className="divide-y px-4 py-1">
        {all.map((order) => (
          <OrderRow key={order.id} order={order} />
        ))}
      </Card>
      {orders.hasNextPage && (
        <Button
          variant="outline"
          size="md"
          disabled={orders.isFetchingNextPage}
          onClick={() => void orders.fetchNextPage()}
        >{t`Show more`}</Button>
      )}
    </div>
  );
}

function OrderRow({ order }: { order: Listed }) {
  const { t } = useLingui();
  const text = useTexts();
  const { word, tone } = useOrderState(order.state);
  const name = text(order, 'name');
  const others = order.packages - 1;
  const vouchers = order.vouchers > 0 && t`${plural(order.vouchers, { one: '# voucher', other: '# vouchers' })}`;
  return (
    <AreaLink
      page={order.state === 'awaiting' ? `order/${order.id}` : `orders/${order.id}`}
      className="flex min-h-16 items-center gap-3.5 py-3"
    >
      <Picture
        src={pictureURL(order.picture, 160)}
        mark={<Mark size={32} />}
        className="size-[52px] shrink-0 rounded-[12px]"
      />
      <span className="min-w-0 flex-1">
        <span className="line-clamp-2 text-row font-medium">{others > 0 ? t`${name} and ${others} more` : name}</span>
        <span className="block text-caption text-quiet">
          {[date(order.paid_at ?? order.created_at), vouchers].filter(Boolean).join(' · ')}
        </span>
      </span>
      <span className="grid shrink-0 justify-items-end gap-1">
        <Price satang={order.total_satang} className="text-base" />
        <Chip tone={tone}>{word}</Chip>
      </span>
    </AreaLink>
  );
}
