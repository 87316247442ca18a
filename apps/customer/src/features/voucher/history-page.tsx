import { Plural, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { call, type Row } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { baht, dateTime } from '@wlv/ui/format';
import { MovementRowSkeleton } from '@wlv/ui/movement-row';
import { EmptyState } from '@wlv/ui/state';
import { QrCode } from 'lucide-react';
import { AreaLink } from '../../area.tsx';
import { InnerPage } from '../../shell/inner.tsx';

/** A full page may have another behind it; the last use seen is where it goes on. */
const pageSize = 30;

export function HistoryPage() {
  const { t } = useLingui();
  return (
    <InnerPage title={t`History of use`} parent="profile">
      <Uses />
    </InnerPage>
  );
}

function Uses() {
  const { t } = useLingui();
  const uses = useInfiniteQuery({
    queryKey: ['/api/user/voucher/history'],
    queryFn: ({ pageParam, signal }) =>
      call('/api/user/voucher/history', { limit: pageSize, ...(pageParam ? { after: pageParam } : {}) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ data }) => (data.length === pageSize ? data.at(-1)?.id : undefined),
  });

  if (uses.isPending) {
    return (
      <Card role="status" aria-label={t`Loading…`} className="py-1">
        <MovementRowSkeleton />
        <MovementRowSkeleton />
        <MovementRowSkeleton />
      </Card>
    );
  }
  if (uses.isError) {
    return <Failure title={t`Your history did not load`} error={uses.error} onRetry={() => void uses.refetch()} />;
  }
  const all = uses.data.pages.flatMap((page) => page.data);
  if (!all.length) {
    return (
      <EmptyState
        title={t`History not found`}
        line={t`Each use will stand here with its place and time.`}
        action={
          <Button asChild>
            <AreaLink page="activevoucher">{t`My Voucher & Ticket`}</AreaLink>
          </Button>
        }
      />
    );
  }
  return (
    <div className="grid grid-cols-1 gap-4 pb-4">
      <Card className="divide-y px-4 py-1">
        {all.map((use) => (
          <UseRow key={use.id} use={use} />
        ))}
      </Card>
      {uses.hasNextPage && (
        <Button
          variant="outline"
          size="md"
          disabled={uses.isFetchingNextPage}
          onClick={() => void uses.fetchNextPage()}
        >{t`Show more`}</Button>
      )}
    </div>
  );
}

function UseRow({ use }: { use: Row<'/api/user/voucher/history'> }) {
  const text = useTexts();
  return (
    <div className="flex items-center gap-3.5 py-3">
      <span className="grid size-[42px] shrink-0 place-items-center rounded-tile bg-accent text-accent-foreground">
        <QrCode aria-hidden className="size-5" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="line-clamp-2 text-row font-medium">{text(use, 'name')}</span>
        <span className="flex flex-wrap gap-x-2 text-caption text-quiet">
          <span>{text(use, 'service_point_name')}</span>
          <span>{dateTime(use.at)}</span>
        </span>
      </span>
      <span className="shrink-0 text-row font-semibold">
        {use.kind === 'baht' ? baht(use.items) : <Plural value={use.items} one="# item" other="# items" />}
      </span>
    </div>
  );
}
