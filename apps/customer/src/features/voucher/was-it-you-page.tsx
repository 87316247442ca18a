import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isFault } from '@wlv/client/api-error';
import { type Detail, query } from '@wlv/client/call';
import { callOnce } from '@wlv/client/call-once';
import { Failure } from '@wlv/client/failure';
import { FaultNote } from '@wlv/client/fault-note';
import { pictureURL } from '@wlv/client/media';
import { Mark, useTexts } from '@wlv/client/page';
import { useParams } from '@wlv/client/router';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@wlv/ui/dialog';
import { baht, date, dateTime, time } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Picture } from '@wlv/ui/picture';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { Ticket } from '@wlv/ui/ticket';
import { CircleCheck, Clock, Hand, RotateCcw, ShieldCheck } from 'lucide-react';
import { AreaLink } from '../../area.tsx';
import { InnerPage } from '../../shell/inner.tsx';

type Use = Detail<'/api/user/objection/use'>;

/** A use of a voucher: whether it was he who used it the holder can say until the end of the next day. */
export function WasItYouPage() {
  const { t } = useLingui();
  const { useId = '' } = useParams<'useId'>();
  const use = useQuery({ ...query('/api/user/objection/use', { id: useId }), staleTime: 0 });
  const none = isFault(use.error, 'objection.not_found') || isFault(use.error, 'input.invalid');
  return (
    <InnerPage title={t`Was it you?`} parent="inbox" foot={use.data?.may_object}>
      {use.isPending && <Skeleton className="h-[220px] rounded-card" />}
      {use.isError && none && (
        <EmptyState
          title={t`This use is not known`}
          line={t`All uses of yours stand in your history.`}
          action={
            <Button asChild>
              <AreaLink page="history" search={{ part: 'use' }} replace>{t`History`}</AreaLink>
            </Button>
          }
        />
      )}
      {use.isError && !none && (
        <Failure title={t`The use did not load`} error={use.error} onRetry={() => void use.refetch()} />
      )}
      {use.data && (
        <div className="grid grid-cols-1 gap-3.5 pb-4">
          <What use={use.data} />
          <Standing use={use.data} />
          {use.data.may_object && <Answer use={use.data} />}
          {!use.data.may_object && use.data.voucher_id && (
            <Button asChild variant="outline" wide>
              <AreaLink page={`activevoucher/${use.data.voucher_id}`}>{t`Open the voucher`}</AreaLink>
            </Button>
          )}
        </div>
      )}
    </InnerPage>
  );
}

/** How much a use took, as a sentence needs it. */
function useHowMuch({ kind, items }: Pick<Use, 'kind' | 'items'>) {
  return kind === 'baht' ? baht(items) : plural(items, { one: '# time', other: '# times' });
}

function What({ use }: { use: Use }) {
  const { t } = useLingui();
  const text = useTexts();
  const much = useHowMuch(use);
  const left = use.kind === 'baht' ? baht(use.items_left) : use.items_left;
  return (
    <>
      <p className="text-row text-muted-foreground">{t`Your voucher was used: ${much}`}</p>
      <Ticket
        stub={70}
        foot={
          <>
            <div className="min-w-0 flex-1">
              <p className="font-semibold">{text(use, 'service_point_name')}</p>
            </div>
            <div className="shrink-0 text-right">
              <p className="font-semibold tabular-nums">{time(use.at)}</p>
              <p className="text-caption text-quiet">{date(use.at)}</p>
            </div>
          </>
        }
      >
        <div className="flex items-center gap-3.5 px-4 pb-3 pt-3.5">
          <Picture
            src={pictureURL(use.picture, 160)}
            mark={<Mark size={32} />}
            className="size-[60px] shrink-0 rounded-[12px]"
          />
          <div className="min-w-0 flex-1">
            <p className="text-h2 font-semibold">{text(use, 'name')}</p>
            <p className="text-caption text-quiet">{t`${left} left after it`}</p>
          </div>
        </div>
      </Ticket>
    </>
  );
}

/** What has become of the use, or would. */
function Standing({ use }: { use: Use }) {
  const { t } = useLingui();
  const much = useHowMuch(use);
  const sum = baht(use.share_satang);
  const until = dateTime(Date.parse(use.until) - 1);
  const due = use.due_at ? dateTime(use.due_at) : '';
  const day = use.anew_valid_until ? date(use.anew_valid_until) : '';
  const shield = <ShieldCheck aria-hidden />;
  if (use.state === 'open') {
    return (
      <Note tone="info" icon={<Clock aria-hidden />} title={t`We have received it`}>
        {use.share_satang > 0
          ? t`${sum} of this use is held, and the shop cannot have it yet.`
          : t`The money of this use is held, and the shop cannot have it yet.`}{' '}
        {t`The shop answers by ${due}. If it does not, you get the use back.`}
      </Note>
    );
  }
  if (use.state === 'stands') {
    return (
      <Note tone="warn" icon={shield} title={t`The shop confirms the use`}>
        {t`The shop has checked it. The use stays as it is.`}
        {use.answer && <Said answer={use.answer} />}
      </Note>
    );
  }
  if (use.state === 'undone') {
    return (
      <>
        <Note tone="ok" icon={<RotateCcw aria-hidden />} title={t`You have it back: ${much}`}>
          {use.by_itself ? t`The shop did not answer in time.` : t`The shop has undone the use.`}{' '}
          {t`It is a new voucher of its own, valid until ${day}.`}
          {use.answer && <Said answer={use.answer} />}
        </Note>
        {use.anew_id && (
          <Button asChild wide>
            <AreaLink page={`activevoucher/${use.anew_id}`}>{t`Open the new voucher`}</AreaLink>
          </Button>
        )}
      </>
    );
  }
  if (!use.may_object) {
    return (
      <Note tone="info" icon={<CircleCheck aria-hidden />} title={t`This use counts as yours`}>
        {t`You could say until ${until} that it was not you.`}
      </Note>
    );
  }
  return (
    <Note tone="info" icon={shield} title={t`If it was not you, the money stays where it is`}>
      {use.share_satang > 0
        ? t`Then ${sum} of this use is held. The shop checks it, and you find the answer in your inbox.`
        : t`Then the money of this use is held. The shop checks it, and you find the answer in your inbox.`}
    </Note>
  );
}

/** What the shop says to it, in its own words. */
function Said({ answer }: { answer: string }) {
  return (
    <span className="mt-1 block">
      <Trans>The shop says: “{answer}”</Trans>
    </span>
  );
}

function Answer({ use }: { use: Use }) {
  const { t } = useLingui();
  const until = dateTime(Date.parse(use.until) - 1);
  const client = useQueryClient();
  const object = useMutation({
    mutationFn: () => callOnce('/api/user/objection/make', { id: use.id }, use.id),
    // Also after a refusal: it was said on another phone.
    onSettled: () => client.invalidateQueries({ queryKey: ['/api/user/objection/use'] }),
  });
  return (
    <>
      <FaultNote error={object.error} />
      <ActionFoot>
        <div className="grid grid-cols-1 gap-2.5">
          <Button asChild wide>
            <AreaLink page={use.voucher_id ? `activevoucher/${use.voucher_id}` : 'inbox'}>
              <CircleCheck aria-hidden />
              {t`Yes, I used it`}
            </AreaLink>
          </Button>
          <Dialog>
            <DialogTrigger asChild>
              <Button variant="outline" wide disabled={object.isPending} aria-busy={object.isPending}>
                <Hand aria-hidden />
                {t`It was not me`}
              </Button>
            </DialogTrigger>
            <DialogContent
              title={t`It was not you?`}
              description={t`The shop is informed and checks who used it. It can be said once for each use.`}
            >
              <div className="grid grid-cols-1 gap-2.5">
                <DialogClose asChild>
                  <Button wide variant="destructive" onClick={() => object.mutate()}>{t`It was not me`}</Button>
                </DialogClose>
                <DialogClose asChild>
                  <Button variant="ghost" wide>{t`Back`}</Button>
                </DialogClose>
              </div>
            </DialogContent>
          </Dialog>
          <p className="text-center text-caption text-quiet">{t`You can say so until ${until}`}</p>
        </div>
      </ActionFoot>
    </>
  );
}
