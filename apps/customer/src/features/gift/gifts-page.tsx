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
import { IconButton } from '@wlv/ui/icon-button';
import { MovementRowSkeleton } from '@wlv/ui/movement-row';
import { Picture } from '@wlv/ui/picture';
import { EmptyState } from '@wlv/ui/state';
import { ScanLine } from 'lucide-react';
import { AreaLink } from '../../area.tsx';
import { InnerPage } from '../../shell/inner.tsx';
import type { Gift } from './gift.ts';
import { useGiftState } from './state.ts';

/** A full page may have another behind it; the last gift seen is where it goes on. */
const pageSize = 50;

/** What the person gave and what he received, newest first. */
export function GiftsPage() {
  const { t } = useLingui();
  return (
    <InnerPage
      title={t`Gifts`}
      parent="profile"
      actions={
        <IconButton asChild label={t`Scan a gift`}>
          <AreaLink page="scanqrcodegift">
            <ScanLine aria-hidden />
          </AreaLink>
        </IconButton>
      }
    >
      <Gifts />
    </InnerPage>
  );
}

function Gifts() {
  const { t } = useLingui();
  const gifts = useInfiniteQuery({
    queryKey: ['/api/user/transfer/list'],
    queryFn: ({ pageParam, signal }) =>
      call('/api/user/transfer/list', pageParam ? { after: pageParam } : {}, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ data }) => (data.length === pageSize ? data.at(-1)?.id : undefined),
  });

  if (gifts.isPending) {
    return (
      <Card role="status" aria-label={t`Loading…`} className="py-1">
        <MovementRowSkeleton />
        <MovementRowSkeleton />
        <MovementRowSkeleton />
      </Card>
    );
  }
  if (gifts.isError) {
    return <Failure title={t`Your gifts did not load`} error={gifts.error} onRetry={() => void gifts.refetch()} />;
  }
  const all = gifts.data.pages.flatMap((page) => page.data);
  if (!all.length) {
    return (
      <EmptyState
        title={t`No gifts yet`}
        line={t`Open a voucher that may be given to somebody else; there you give it.`}
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
        {all.map((gift) => (
          <GiftRow key={gift.id} gift={gift} />
        ))}
      </Card>
      {gifts.hasNextPage && (
        <Button
          variant="outline"
          size="md"
          disabled={gifts.isFetchingNextPage}
          onClick={() => void gifts.fetchNextPage()}
        >{t`Show more`}</Button>
      )}
    </div>
  );
}

function GiftRow({ gift }: { gift: Gift }) {
  const text = useTexts();
  const { word, tone } = useGiftState(gift);
  const whom = useWhom(gift);
  const [first] = gift.contents;
  return (
    <AreaLink page={`gift/${gift.id}`} className="flex min-h-16 items-center gap-3.5 py-3">
      <Picture
        src={pictureURL(first?.picture, 160)}
        mark={<Mark size={32} />}
        className="size-[52px] shrink-0 rounded-[12px]"
      />
      <span className="min-w-0 flex-1">
        <span className="line-clamp-2 text-row font-medium">{first && text(first, 'name')}</span>
        <span className="flex flex-wrap gap-x-2 text-caption text-quiet">
          <span className="min-w-0 truncate">{whom}</span>
          <span>{date(gift.given ? gift.created_at : (gift.ended_at ?? gift.created_at))}</span>
        </span>
      </span>
      <Chip tone={tone} className="shrink-0">
        {word}
      </Chip>
    </AreaLink>
  );
}

/** The name that the giver wrote stands before the one by which the receiver is known here. */
function useWhom({ given, person, to_name }: Gift) {
  const { t } = useLingui();
  const to = to_name || person;
  if (given) return to ? t`You gave it to ${to}` : t`You gave it`;
  return person ? t`From ${person}` : t`You received this`;
}
