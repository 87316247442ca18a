import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { call } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useSearch } from '@wlv/client/router';
import { Button } from '@wlv/ui/button';
import { byDay } from '@wlv/ui/by-day';
import { Card } from '@wlv/ui/card';
import { FilterPill, FilterPills } from '@wlv/ui/filter-pill';
import { MovementRowSkeleton } from '@wlv/ui/movement-row';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { useEffect, useRef } from 'react';
import { AreaLink } from '../../area.tsx';
import type { Page } from '../../pages.ts';
import { InnerPage } from '../../shell/inner.tsx';
import { DayTitle } from '../../shop/day-title.tsx';
import type { Event, Group, Month } from './event.ts';
import { EventRow } from './event-row.tsx';
import { MonthChoice } from './month-choice.tsx';

const groups: Group[] = ['', 'use', 'gift', 'order', 'resale'];

/** What an address may say in the place of a group or a month, only as far as it is one. */
function useChosen() {
  const { part, month = '' } = useSearch<{ part?: string; month?: string }>();
  return {
    group: groups.find((one) => one === part) ?? '',
    month: /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? month : '',
  };
}

/** The pages of what was chosen. While these come there are those of the choice before, of which the months alone still hold. */
function useHistory({ group, month }: { group: Group; month: string }) {
  return useInfiniteQuery({
    queryKey: ['/api/user/history/list', { group, month }],
    queryFn: ({ pageParam, signal }) =>
      call('/api/user/history/list', { group, month, ...(pageParam ? { after: pageParam } : {}) }, { signal }),
    initialPageParam: undefined as Pick<Event, 'id' | 'kind' | 'at'> | undefined,
    getNextPageParam: ({ data, more }) => {
      const last = data.at(-1);
      return more && last ? { id: last.id, kind: last.kind, at: last.at } : undefined;
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** What happened to the person's vouchers, newest first, by what it was and by month. */
export function HistoryPage() {
  const { t } = useLingui();
  const chosen = useChosen();
  const months = useHistory(chosen).data?.pages[0]?.months ?? [];
  return (
    <InnerPage
      title={t`History`}
      parent="profile"
      actions={months.length > 0 && <MonthChoice months={months} chosen={chosen.month} part={chosen.group} />}
    >
      <Groups months={months} {...chosen} />
      <Events {...chosen} />
    </InnerPage>
  );
}

/** How many events of each group there are in a month, or in all. */
function counted(months: Month[], month: string) {
  const some = months.filter((one) => !month || one.month === month);
  const sum = (of: Exclude<keyof Month, 'month'>) => some.reduce((all, one) => all + one[of], 0);
  return { '': sum('all'), use: sum('use'), gift: sum('gift'), order: sum('order'), resale: sum('resale') };
}

function Groups({ months, group, month }: { months: Month[]; group: Group; month: string }) {
  const { t } = useLingui();
  const names: Record<Group, string> = {
    '': t({ message: 'All', context: 'history' }),
    use: t({ message: 'Uses', context: 'history' }),
    gift: t`Gifts`,
    order: t({ message: 'Orders', context: 'history' }),
    resale: t`Resale`,
  };
  const counts = counted(months, month);
  const row = useRef<HTMLDivElement>(null);
  const haveFigures = months.length > 0;
  useEffect(() => {
    // What was chosen may stand out of the screen to the right. The pills grow when their figures come.
    const chosen = row.current?.querySelector(`[data-part="${group}"]`);
    chosen?.scrollIntoView({ block: 'nearest', inline: haveFigures ? 'center' : 'nearest' });
  }, [group, haveFigures]);
  return (
    <FilterPills ref={row} aria-label={t`Which`} className="-mx-4 pb-2 pt-1 sm:-mx-6">
      {groups.map((one) => (
        <FilterPill key={one} asChild on={group === one} data-part={one}>
          <AreaLink page="history" search={{ part: one || undefined, month: month || undefined }} replace>
            {names[one]}
            {counts[one] > 0 && <span>{counts[one]}</span>}
          </AreaLink>
        </FilterPill>
      ))}
    </FilterPills>
  );
}

function Events({ group, month }: { group: Group; month: string }) {
  const { t } = useLingui();
  const history = useHistory({ group, month });
  if (history.isError) {
    return (
      <Failure title={t`Your history did not load`} error={history.error} onRetry={() => void history.refetch()} />
    );
  }
  if (history.isPending || history.isPlaceholderData) return <EventsSkeleton />;
  const all = history.data.pages.flatMap((page) => page.data);
  if (!all.length) return <None group={group} month={month} />;
  return (
    <div className="pb-4">
      {byDay(all).map(({ day, rows }) => (
        <section key={day} className="mb-3.5">
          <DayTitle day={day} />
          <Card className="py-1">
            {rows.map((event, i) => (
              <div key={event.kind + event.id}>
                {i > 0 && <div className="ml-[76px] h-px bg-border" />}
                <EventRow event={event} />
              </div>
            ))}
          </Card>
        </section>
      ))}
      {history.hasNextPage && (
        <Button
          variant="outline"
          size="md"
          wide
          disabled={history.isFetchingNextPage}
          onClick={() => void history.fetchNextPage()}
        >{t`Show more`}</Button>
      )}
    </div>
  );
}

/** Nothing of what was chosen: what will stand here, and where it begins. */
function None({ group, month }: { group: Group; month: string }) {
  const { t } = useLingui();
  const market = { page: 'market' as Page, name: t`Open the market` };
  const mine = { page: 'activevoucher' as Page, name: t`My Voucher & Ticket` };
  const empty: Record<Group, { title: string; line: string; page: Page; name: string }> = {
    '': { title: t`History not found`, line: t`What you buy, use, give and sell on will stand here.`, ...market },
    use: { title: t`Nothing used`, line: t`Each use will stand here with its place and time.`, ...mine },
    gift: { title: t`No gifts`, line: t`What you give and what you receive will stand here.`, ...mine },
    order: { title: t`Nothing bought`, line: t`What you buy from the shop will stand here.`, ...market },
    resale: {
      title: t`Nothing sold on`,
      line: t`What you sell to other customers, or buy from them, will stand here.`,
      ...mine,
    },
  };
  const { title, line, page, name } = empty[group];
  return (
    <EmptyState
      title={title}
      line={month ? t`Nothing of it in this month.` : line}
      action={
        month ? (
          <Button asChild variant="outline">
            <AreaLink page="history" search={{ part: group || undefined }} replace>{t`All months`}</AreaLink>
          </Button>
        ) : (
          <Button asChild>
            <AreaLink page={page}>{name}</AreaLink>
          </Button>
        )
      }
    />
  );
}

function EventsSkeleton() {
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
