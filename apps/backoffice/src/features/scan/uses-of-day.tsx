import { useLingui } from '@lingui/react/macro';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { Failure } from '@wlv/client/failure';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { MovementRowSkeleton } from '@wlv/ui/movement-row';
import { EmptyState } from '@wlv/ui/state';
import type { ReactNode } from 'react';

/** What was used on a day, latest first, a page more at a time. */
export function UsesOfDay<Use>({
  of: uses,
  today,
  row,
  head,
}: {
  of: Pick<
    UseInfiniteQueryResult<{ pages: { data: Use[] }[] }>,
    'data' | 'error' | 'refetch' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'
  >;
  today: boolean;
  row: (use: Use) => ReactNode;
  head?: ReactNode;
}) {
  const { t } = useLingui();
  if (uses.error) {
    return <Failure title={t`This day's list did not load`} error={uses.error} onRetry={() => void uses.refetch()} />;
  }
  if (!uses.data) {
    return (
      <Card role="status" aria-label={t`Loading…`} className="py-1">
        <MovementRowSkeleton />
        <MovementRowSkeleton />
        <MovementRowSkeleton />
      </Card>
    );
  }
  const rows = uses.data.pages.flatMap(({ data }) => data);
  if (!rows.length) {
    return today ? (
      <EmptyState title={t`Nobody has come yet today`} line={t`Each voucher you confirm will stand here.`} />
    ) : (
      <EmptyState title={t`Nobody came on this day`} line={t`Choose another day.`} />
    );
  }
  return (
    <>
      {head}
      <Card className="divide-y px-4 py-1">{rows.map(row)}</Card>
      {uses.hasNextPage && (
        <Button variant="outline" disabled={uses.isFetchingNextPage} onClick={() => void uses.fetchNextPage()}>
          {t`Show more`}
        </Button>
      )}
    </>
  );
}
