import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type Body, call, pages } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { FaultNote } from '@wlv/client/fault-note';
import { useTexts, useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Chip } from '@wlv/ui/chip';
import { Dialog } from '@wlv/ui/dialog';
import { count, dateTime } from '@wlv/ui/format';
import { Select } from '@wlv/ui/select';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { toast } from '@wlv/ui/toast';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { Question } from '../../record/question.tsx';
import { MoreButton } from '../../shell/more-button.tsx';
import { type Job, wordsOfJob } from './words.ts';

const states = ['given_up', 'failing', 'late'] as const;
type State = (typeof states)[number];

/** What the list is narrowed to, as the address says it: an organisation's id, or the platform's own jobs. */
interface Narrowed {
  state?: State;
  of?: string;
}

const list = '/api/admin/job/list';

/** Jobs that failed or are late, of the platform and of every organisation. */
export function JobsPage() {
  const { t } = useLingui();
  useTitle(t`Background jobs`);
  const asked = useSearch({ strict: false }) as Narrowed;
  const state = asked.state && states.includes(asked.state) ? asked.state : undefined;
  const navigate = useNavigate();
  const narrow = (change: { state?: string; of?: string }) => {
    const kept = Object.entries({ ...asked, ...change }).filter(([, value]) => value);
    void navigate({ to: '.', search: Object.fromEntries(kept), replace: true });
  };
  const whose: Body<typeof list> = asked.of === 'platform' ? { platform: true } : asked.of ? { org_id: asked.of } : {};
  const jobs = useInfiniteQuery({
    ...pages(list, { limit: 50, ...whose, ...(state ? { state } : {}) }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
  const rows = jobs.data?.pages.flatMap((page) => page.data) ?? [];
  const first = jobs.data?.pages[0];
  return (
    <div className="mx-auto w-full max-w-[1200px] px-4 pb-16 pt-2 sm:px-7">
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <div className="min-w-0 flex-1 basis-72">
          <h1 className="text-h1-office font-semibold">{t`Background jobs`}</h1>
          {first && (
            <p className="text-caption text-quiet">
              {t`${count(first.counts.given_up)} given up, ${count(first.counts.late)} late.`}{' '}
              {first.seen.oldest_at && t`Organisations are shown as of ${dateTime(first.seen.oldest_at)} or later.`}
            </p>
          )}
        </div>
        {asked.of && (
          <Button size="office" variant="outline" onClick={() => narrow({ of: '' })}>
            {t`Show those of everybody`}
          </Button>
        )}
        {asked.of && asked.of !== 'platform' && <LookNow org={asked.of} />}
        <span className="w-52">
          <Select
            size="office"
            label={t`State`}
            value={state ?? 'all'}
            onChange={(next) => narrow({ state: next === 'all' ? '' : next })}
            options={[
              { value: 'all', label: t`Failed or late` },
              { value: 'given_up', label: t`Given up` },
              { value: 'failing', label: t`Tried again by itself` },
              { value: 'late', label: t`Late` },
            ]}
          />
        </span>
      </div>
      {jobs.isPending && <Skeleton className="h-96 rounded-office" />}
      {jobs.isError && <Failure title={t`This did not load`} error={jobs.error} onRetry={() => void jobs.refetch()} />}
      {first && (
        <Card office className="divide-y overflow-clip">
          {rows.map((job) => (
            <OneJob key={`${job.org_id} ${job.id}`} job={job} onWhose={(of) => narrow({ of })} />
          ))}
          {!rows.length && <EmptyState title={t`Nothing here`} line={t`No job of this kind failed or is late.`} />}
        </Card>
      )}
      <MoreButton of={jobs} />
      <p className="mt-4 text-caption text-quiet">
        {t`Running a job again moves no money twice. At worst a message comes twice.`}
      </p>
    </div>
  );
}

/** Makes a change, after which jobs are read anew. */
function useChange<In>(make: (input: In) => Promise<unknown>, onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: make,
    onSuccess: onDone,
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === list }),
  });
}

function LookNow({ org }: { org: string }) {
  const { t } = useLingui();
  const look = useChange(
    () => call('/api/admin/job/look', { id: org }),
    () => undefined,
  );
  return (
    <>
      <Button size="office" variant="outline" disabled={look.isPending} onClick={() => look.mutate(undefined)}>
        <RefreshCw aria-hidden />
        {t`Look now`}
      </Button>
      <FaultNote error={look.error} />
    </>
  );
}

function OneJob({ job, onWhose }: { job: Job; onWhose: (of: string) => void }) {
  const { t, i18n } = useLingui();
  const text = useTexts();
  const { can } = usePerson();
  const [stops, setStops] = useState(false);
  const named = { id: job.id, org_id: job.org_id };
  const again = useChange(
    () => call('/api/admin/job/again', named),
    () => toast({ tone: 'ok', title: t`It is tried again` }),
  );
  const stop = useChange(
    () => call('/api/admin/job/stop', named),
    () => setStops(false),
  );
  const words = wordsOfJob(job.kind);
  return (
    <article className="grid gap-x-4 gap-y-2 px-4 py-3 sm:grid-cols-[1fr_auto]">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-medium">{words ? i18n._(words) : job.kind}</span>
          <State job={job} />
          <button
            type="button"
            className="text-brand-text underline-offset-4 hover:underline"
            onClick={() => onWhose(job.org_id ?? 'platform')}
          >
            {job.org_id ? text(job, 'name') : t`The platform itself`}
          </button>
        </p>
        <p className="mt-1 break-words text-caption text-muted-foreground">{job.reason || t`It never failed.`}</p>
        <p className="mt-1 break-all text-caption text-quiet">
          {job.kind} · {t`due ${dateTime(job.due_at)}`} · {t`tried ${count(job.attempts)} times`}
        </p>
        <FaultNote error={again.error} />
      </div>
      {can('job', 'u') && job.given_up && (
        <div className="flex items-center gap-2">
          <Button size="office" variant="outline" disabled={again.isPending} onClick={() => again.mutate(undefined)}>
            {t`Run again`}
          </Button>
          {job.may_stop && (
            <Button size="office" variant="ghost" onClick={() => setStops(true)}>
              {t`Stop`}
            </Button>
          )}
        </div>
      )}
      <Dialog open={stops} onOpenChange={setStops}>
        {stops && (
          <Question
            title={t`Stop this job?`}
            line={t`The message is not sent, or the file not made. No money moves, and nothing else is changed.`}
            keep={t`Cancel`}
            button={t`Stop it`}
            takesAway
            of={stop}
            onYes={() => stop.mutate(undefined)}
            onDone={() => setStops(false)}
          />
        )}
      </Dialog>
    </article>
  );
}

function State({ job }: { job: Job }) {
  const { t } = useLingui();
  if (job.given_up) return <Chip tone="bad">{t`Given up`}</Chip>;
  if (job.attempts > 0) return <Chip tone="warn">{t`Tried again by itself`}</Chip>;
  return <Chip tone="warn">{t`Late`}</Chip>;
}
