import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { invalidates, mutation, pages } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useTexts, useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Chip, type ChipTone } from '@wlv/ui/chip';
import { Dialog } from '@wlv/ui/dialog';
import { date, lastDay } from '@wlv/ui/format';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { Question } from '../../record/question.tsx';
import { MoreButton } from '../../shell/more-button.tsx';
import { type Announcement, list, type Plan, useKinds } from './announcement.ts';
import { ChangeAnnouncement, NewAnnouncement } from './announcement-form.tsx';

/** What the platform announces in the organisations' offices, the newest first. */
export function AnnouncementsPage() {
  const { t } = useLingui();
  useTitle(t`Announcements`);
  const { can } = usePerson();
  const all = useInfiniteQuery(pages(list, {}));
  const rows = all.data?.pages.flatMap((page) => page.data) ?? [];
  const plans = all.data?.pages[0]?.plans ?? [];
  const [writing, setWriting] = useState(false);
  return (
    <div className="mx-auto grid w-full max-w-[1000px] grid-cols-1 gap-5 px-4 pb-16 pt-6 sm:px-7">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-80">
          <h1 className="text-h1-office font-semibold">{t`Announcements`}</h1>
          <p className="text-muted-foreground">{t`Organisations read them at the top of their office.`}</p>
        </div>
        {can('announcement', 'i') && all.data && (
          <Button size="office" onClick={() => setWriting(true)}>
            <Plus aria-hidden />
            {t`New announcement`}
          </Button>
        )}
      </div>
      {all.isPending && <Skeleton className="h-40 rounded-card" />}
      {all.isError && <Failure title={t`This did not load`} error={all.error} onRetry={() => void all.refetch()} />}
      {all.data && (
        <Card office className="divide-y overflow-clip">
          {rows.map((row) => (
            <OneAnnouncement key={row.id} row={row} plans={plans} />
          ))}
          {!rows.length && (
            <EmptyState
              title={t`Nothing was announced yet`}
              line={t`A new feature, work on the system, a holiday of the support: what you write stands here and in the offices.`}
            />
          )}
        </Card>
      )}
      <MoreButton of={all} />
      {writing && <NewAnnouncement plans={plans} onClose={() => setWriting(false)} />}
    </div>
  );
}

function useStates(): Record<Announcement['state'], { tone: ChipTone; word: string }> {
  const { t } = useLingui();
  return {
    planned: { tone: 'info', word: t`Planned` },
    shown: { tone: 'ok', word: t`Shown` },
    over: { tone: 'mute', word: t`Over` },
    withdrawn: { tone: 'mute', word: t`Withdrawn` },
  };
}

function OneAnnouncement({ row, plans }: { row: Announcement; plans: Plan[] }) {
  const { t } = useLingui();
  const text = useTexts();
  const { can } = usePerson();
  const kinds = useKinds();
  const state = useStates()[row.state];
  const [asked, ask] = useState<'change' | 'withdraw'>();
  const title = text(row, 'title');
  const readers = plans.filter(({ id }) => row.plans.includes(id)).map((plan) => text(plan, 'name'));
  const going = row.state === 'planned' || row.state === 'shown';
  const from = date(row.from);
  const until = lastDay(row.until);
  return (
    <article className="grid grid-cols-1 gap-2 px-4 py-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="min-w-0 flex-1 basis-60 wrap-break-word font-semibold">{title}</h2>
        <Chip tone={row.kind === 'news' ? 'mute' : 'warn'}>{kinds[row.kind]}</Chip>
        <Chip tone={state.tone}>{state.word}</Chip>
      </div>
      <p className="whitespace-pre-line wrap-break-word text-muted-foreground">{text(row, 'text')}</p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-60 text-caption text-quiet">
          {t`${from} until ${until}`} · {readers.length ? readers.join(', ') : t`All organisations`} · {row.added_by}
        </p>
        {going && can('announcement', 'u') && (
          <span className="flex gap-2">
            <Button size="row" variant="outline" aria-label={t`Change ${title}`} onClick={() => ask('change')}>
              {t`Change`}
            </Button>
            <Button size="row" variant="ghost" aria-label={t`Withdraw ${title}`} onClick={() => ask('withdraw')}>
              {t`Withdraw`}
            </Button>
          </span>
        )}
      </div>
      {asked === 'change' && <ChangeAnnouncement of={row} plans={plans} onClose={() => ask(undefined)} />}
      {asked === 'withdraw' && <Withdraw of={row} onClose={() => ask(undefined)} />}
    </article>
  );
}

function Withdraw({ of, onClose }: { of: Announcement; onClose: () => void }) {
  const { t } = useLingui();
  const text = useTexts();
  const withdraw = useMutation({ ...mutation('/api/admin/announcement/withdraw'), onSuccess: invalidates(list) });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <Question
        title={t`Withdraw ${text(of, 'title')}?`}
        line={t`No office shows it any more. It stays in this list.`}
        button={t`Withdraw`}
        of={withdraw}
        onYes={() => withdraw.mutate({ id: of.id }, { onSuccess: onClose })}
        onDone={onClose}
      />
    </Dialog>
  );
}
