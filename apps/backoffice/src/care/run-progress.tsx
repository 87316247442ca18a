import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, type Detail } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { faultSentence, loadFaults } from '@wlv/client/faults';
import { Button } from '@wlv/ui/button';
import { Chip } from '@wlv/ui/chip';
import { DialogContent } from '@wlv/ui/dialog';
import { count, date, dateTime } from '@wlv/ui/format';
import { Meter } from '@wlv/ui/meter';
import { Note } from '@wlv/ui/note';
import { useEffect } from 'react';
import { RecordLink } from '../record/record-link.tsx';

type Run = Detail<'/api/owner/care/run'>;
export type Task = Run['task'];

/** An answer that names faults, with their sentences. */
export async function withSentences<T>(answer: Promise<T>) {
  const [told] = await Promise.all([answer, loadFaults()]);
  return told;
}

/** What each task is called, in the dialog and in the list of what was done before. */
export function useTasks(): Record<Task, string> {
  const { t } = useLingui();
  return {
    extend: t`Extend them`,
    freeze: t`Put them on hold`,
    release: t`Lift the shop's hold`,
    void: t`Cancel them for good`,
    return_days: t`Give closed days back`,
  };
}

/** How far it is; it goes on also when the page is closed. */
export function RunProgress({ id, onDone }: { id: string; onDone: () => void }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const tasks = useTasks();
  const { data: run, error } = useQuery({
    queryKey: ['/api/owner/care/run', { id }] as const,
    queryFn: ({ signal }) => withSentences(call('/api/owner/care/run', { id }, { signal })),
    refetchInterval: ({ state }) => (!state.data || state.data.state === 'running' ? 1000 : false),
  });
  const stop = useMutation({
    mutationFn: () => call('/api/owner/care/cancel', { id }),
    onSettled: () => client.invalidateQueries({ queryKey: ['/api/owner/care/run'] }),
  });
  const ended = run && run.state !== 'running';
  useEffect(() => {
    if (ended) void client.invalidateQueries({ predicate: ({ queryKey }) => /\/voucher$/.test(String(queryKey[0])) });
  }, [ended, client]);
  const until = run?.valid_until ? date(run.valid_until) : '';
  return (
    <DialogContent
      title={run ? tasks[run.task] : t`Loading…`}
      description={run ? t`${run.started_by}, ${dateTime(run.started_at)}` : ''}
      foot={
        <div className="flex justify-end gap-2.5">
          {run?.state === 'running' && run.own && (
            <Button size="office" variant="outline" disabled={stop.isPending} onClick={() => stop.mutate()}>
              {t`Stop it`}
            </Button>
          )}
          <Button size="office" onClick={onDone}>{t`Close`}</Button>
        </div>
      }
    >
      {run && (
        <div className="grid gap-3">
          {until && <p>{t`New last day: ${until}`}</p>}
          {run.reason && <p className="whitespace-pre-line [overflow-wrap:anywhere]">{run.reason}</p>}
          <Meter value={(run.done + run.refused) / run.total} />
          <p role="status" className="font-medium">
            {t`Done: ${count(run.done)} of ${count(run.total)}`}
            {run.refused > 0 && ` · ${t`Not done: ${count(run.refused)}`}`}
          </p>
          {run.state === 'running' && (
            <p className="text-quiet">{t`It goes on by itself, also when you close this.`}</p>
          )}
          {run.state === 'cancelled' && (
            <Note tone="warn" title={t`It was stopped`}>{t`What was not done yet is as it was.`}</Note>
          )}
          <Refused run={run} />
        </div>
      )}
      <FaultNote error={stop.error ?? error} />
    </DialogContent>
  );
}

/** The vouchers that it was not done to, and why. */
function Refused({ run }: { run: Run }) {
  const { t, i18n } = useLingui();
  if (run.refusals.length === 0) return null;
  return (
    <section className="grid gap-1">
      <h3 className="flex items-center gap-2 font-medium">
        {t`Left as they were`} <Chip tone="warn">{count(run.refused)}</Chip>
      </h3>
      <ul className="max-h-64 divide-y overflow-y-auto text-sm">
        {run.refusals.map((refusal) => (
          <li key={refusal.voucher_id} className="py-1.5">
            <RecordLink table="voucher" id={refusal.voucher_id}>
              {refusal.code}
            </RecordLink>{' '}
            <span className="text-quiet">{faultSentence(i18n, refusal.fault)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
