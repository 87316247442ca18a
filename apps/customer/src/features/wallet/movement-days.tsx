import { useLingui } from '@lingui/react/macro';
import { Button } from '@wlv/ui/button';
import { byDay } from '@wlv/ui/by-day';
import { Card } from '@wlv/ui/card';
import { MovementRowSkeleton } from '@wlv/ui/movement-row';
import { Skeleton } from '@wlv/ui/skeleton';
import { useState } from 'react';
import { DayTitle } from '../../shop/day-title.tsx';
import { type Movement, MovementLine } from './movement-line.tsx';
import { MovementSheet } from './movement-sheet.tsx';

/** The query that movements come from, as far as there are more of them. */
export interface MorePages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => Promise<unknown>;
}

/** Movements by day, newest first, each of which opens. */
export function MovementDays({ movements, pages }: { movements: Movement[]; pages: MorePages }) {
  const { t } = useLingui();
  const [open, setOpen] = useState<Movement>();
  return (
    <>
      {byDay(movements).map(({ day, rows }) => (
        <section key={day} className="mb-3.5">
          <DayTitle day={day} level="h3" />
          <Card className="py-1">
            {rows.map((movement, i) => (
              <div key={movement.id}>
                {i > 0 && <div className="ml-[72px] h-px bg-border" />}
                <MovementLine movement={movement} onOpen={() => setOpen(movement)} />
              </div>
            ))}
          </Card>
        </section>
      ))}
      {pages.hasNextPage && (
        <Button
          variant="outline"
          size="md"
          wide
          disabled={pages.isFetchingNextPage}
          onClick={() => void pages.fetchNextPage()}
        >{t`Show more`}</Button>
      )}
      <MovementSheet movement={open} onClose={() => setOpen(undefined)} />
    </>
  );
}

export function MovementsSkeleton() {
  const { t } = useLingui();
  return (
    <div role="status" aria-label={t`Loading…`}>
      <Skeleton className="mb-2 mt-2 h-3.5 w-28" />
      <Card className="py-1">
        <MovementRowSkeleton />
        <MovementRowSkeleton />
        <MovementRowSkeleton />
      </Card>
    </div>
  );
}
