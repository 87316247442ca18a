import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { Button } from '@wlv/ui/button';
import { byDay } from '@wlv/ui/by-day';
import { Card } from '@wlv/ui/card';
import { IconButton } from '@wlv/ui/icon-button';
import { MovementRowSkeleton } from '@wlv/ui/movement-row';
import { EmptyState } from '@wlv/ui/state';
import { Settings2 } from 'lucide-react';
import { AreaLink } from '../../area.tsx';
import { InnerPage } from '../../shell/inner.tsx';
import { DayTitle } from '../../shop/day-title.tsx';
import { AddFriend } from './add-friend.tsx';
import { MessageRow } from './message-row.tsx';
import { usePush } from './push.ts';
import { useSeen } from './seen.ts';

/** A full page may have another behind it; the last message is where it goes on. */
const pageSize = 50;

/** What the person is informed of about his vouchers, gifts, offers and money. */
export function InboxPage() {
  const { t } = useLingui();
  return (
    <InnerPage title={t`Inbox`} parent="profile" actions={<ToLine />}>
      <AddFriend />
      <Messages />
    </InnerPage>
  );
}

/** Leads to what of the inbox comes to LINE as well, where the shop sends there. */
function ToLine() {
  const { t } = useLingui();
  const { data } = usePush();
  if (!data?.sends) return null;
  return (
    <IconButton label={t`LINE messages`} asChild>
      <AreaLink page="inbox/line">
        <Settings2 aria-hidden className="size-5!" />
      </AreaLink>
    </IconButton>
  );
}

function Messages() {
  const { t } = useLingui();
  const messages = useInfiniteQuery({
    queryKey: ['/api/user/message/list'],
    queryFn: ({ pageParam, signal }) =>
      call('/api/user/message/list', pageParam ? { after: pageParam } : {}, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ data }) => (data.length === pageSize ? data.at(-1)?.id : undefined),
  });
  const all = messages.data?.pages.flatMap((page) => page.data) ?? [];
  useSeen(all[0]);

  if (messages.isPending) {
    return (
      <Card role="status" aria-label={t`Loading…`} className="py-1">
        <MovementRowSkeleton />
        <MovementRowSkeleton />
        <MovementRowSkeleton />
      </Card>
    );
  }
  if (messages.isError) {
    return (
      <Failure title={t`Your inbox did not load`} error={messages.error} onRetry={() => void messages.refetch()} />
    );
  }
  if (!all.length) {
    return (
      <EmptyState
        title={t`No messages yet`}
        line={t`What happens to your vouchers, gifts and money will stand here.`}
        action={
          <Button asChild>
            <AreaLink page="market">{t`Go to the market`}</AreaLink>
          </Button>
        }
      />
    );
  }
  return (
    <div className="pb-4">
      {byDay(all).map(({ day, rows }) => (
        <section key={day} className="mb-3.5">
          <DayTitle day={day} />
          <Card className="divide-y py-1">
            {rows.map((message) => (
              <MessageRow key={message.id} message={message} />
            ))}
          </Card>
        </section>
      ))}
      {messages.hasNextPage && (
        <Button
          variant="outline"
          size="md"
          wide
          disabled={messages.isFetchingNextPage}
          onClick={() => void messages.fetchNextPage()}
        >{t`Show more`}</Button>
      )}
    </div>
  );
}
