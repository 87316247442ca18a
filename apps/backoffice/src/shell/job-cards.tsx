import type { I18n } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { errorSentence } from '@wlv/client/api-error';
import { download } from '@wlv/client/download';
import { count } from '@wlv/ui/format';
import { Meter } from '@wlv/ui/meter';
import { toast } from '@wlv/ui/toast';
import { FileDown } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { menu } from '../navigation.ts';
import { type ReportName, reports } from '../reports.ts';
import { cancelJob, isUnderWay, type Job, useFollowJob, useJobs } from './jobs.ts';
import { useScreenNames } from './screen-names.ts';

/** Long work in the foot of the menu: how far it is, and a way to stop it. It ends as a message with the file. */
export function JobCards() {
  const jobs = useJobs().data?.data ?? [];
  useEndings(jobs);
  return jobs.filter(isUnderWay).map((job) => <JobCard key={job.id} job={job} />);
}

/** A report has the name of the screen it is asked on. */
function useJobName() {
  const { titleOf } = useScreenNames();
  return (job: Job) => nameOf(titleOf, job);
}

function nameOf(titleOf: ReturnType<typeof useScreenNames>['titleOf'], job: Job) {
  const report = reports[job.report as ReportName];
  if (report) return titleOf(report);
  const screens: Record<string, string> = { orders: 'orderlist', voucher: 'voucherlist' };
  const screen = menu
    .flatMap((group) => group.screens)
    .find(({ path, module }) => path === screens[job.report] || module === job.report);
  return screen ? titleOf(screen) : job.report;
}

function JobCard({ job }: { job: Job }) {
  const { t } = useLingui();
  const jobName = useJobName();
  const follow = useFollowJob();
  const cancel = useMutation({ mutationFn: () => cancelJob(job.id), onSettled: follow });
  const share = job.rows_total ? Math.min(1, job.rows_done / job.rows_total) : 0;
  return (
    <div
      role="status"
      className="grid gap-2 rounded-[12px] bg-muted px-3.5 py-3 text-caption in-data-rail:max-lg:hidden"
    >
      <p className="flex items-center gap-2">
        <FileDown aria-hidden className="size-4 text-brand-text" />
        <span className="min-w-0 flex-1 truncate font-medium">{t`Exporting ${jobName(job)}`}</span>
        <span className="text-muted-foreground">{Math.round(share * 100)}%</span>
      </p>
      <Meter value={share} />
      <p className="flex justify-between gap-2 text-quiet">
        <span className="truncate">{t`${count(job.rows_done)} of ${count(job.rows_total)} rows`}</span>
        <button
          type="button"
          disabled={cancel.isPending}
          onClick={() => cancel.mutate()}
          className="font-medium text-brand-text"
        >
          {t`Cancel`}
        </button>
      </p>
    </div>
  );
}

/** Says when a file that was being made is ready, or will not be. What was ready before this visit is not said again. */
function useEndings(jobs: Job[]) {
  const { t, i18n } = useLingui();
  const jobName = useJobName();
  const watched = useRef(new Set<string>());
  const opened = useRef(Date.now());
  useEffect(() => {
    for (const job of jobs) {
      if (isUnderWay(job)) {
        watched.current.add(job.id);
        continue;
      }
      // A short report is ready before it was ever seen under way.
      const asked = new Date(job.created_at).getTime() > opened.current;
      if (!watched.current.has(job.id) && !asked) continue;
      if (watched.current.has(`told:${job.id}`)) continue;
      watched.current.add(`told:${job.id}`);

      const name = jobName(job);
      if (job.state === 'done') {
        toast({
          tone: 'ok',
          title: t`${name}: the file is ready`,
          line: t`${count(job.rows_done)} rows`,
          action: { label: t`Open the file`, onClick: () => void open(i18n, job.id) },
        });
      } else if (job.state === 'failed') {
        toast({ tone: 'bad', title: t`${name}: the file could not be made`, line: t`Ask for it once more.` });
      }
    }
  }, [jobs, i18n, jobName, t]);
}

async function open(i18n: I18n, id: string) {
  try {
    await download('/api/owner/report/file/{id}', id);
  } catch (error) {
    toast({ tone: 'bad', title: errorSentence(i18n, error) });
  }
}
