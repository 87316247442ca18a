import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Body, call, type Detail, query } from '@wlv/client/call';
import { callOnce } from '@wlv/client/call-once';
import { FaultNote } from '@wlv/client/fault-note';
import { faultSentence } from '@wlv/client/faults';
import { useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { DateInput, isDay } from '@wlv/ui/date-input';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { Field } from '@wlv/ui/field';
import { baht, count, dateTime } from '@wlv/ui/format';
import { Textarea } from '@wlv/ui/input';
import { Select } from '@wlv/ui/select';
import { toast } from '@wlv/ui/toast';
import { ListChecks, Users } from 'lucide-react';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { RunProgress, type Task, useTasks, withSentences } from '../../care/run-progress.tsx';
import { listQuery } from '../../resource/calls.ts';
import type { Chosen } from '../../resource/resource.ts';

type Selection = Pick<Body<'/api/owner/care/preview'>, 'filter' | 'search' | 'service_point_id'>;

/** Does to the selected vouchers, or to all that the list shows, what can be done to one. */
export function CareForMany({ of, className }: { of: Chosen; className?: string }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const [open, setOpen] = useState(false);
  if (!can('voucher', 'u') && !can('voucher', 's')) return null;
  return (
    <>
      {className ? (
        <button type="button" className={className} onClick={() => setOpen(true)}>
          <ListChecks aria-hidden />
          {t`Change these`}
        </button>
      ) : (
        <Button size="office" variant="outline" onClick={() => setOpen(true)}>
          <ListChecks aria-hidden />
          <span className="max-sm:sr-only">{t`Change all shown`}</span>
        </Button>
      )}
      <Dialog open={open} onOpenChange={setOpen}>
        {open && <Care of={of} onDone={() => setOpen(false)} />}
      </Dialog>
    </>
  );
}

function Care({ of, onDone }: { of: Chosen; onDone: () => void }) {
  const [run, setRun] = useState<string>();
  return run ? <RunProgress id={run} onDone={onDone} /> : <Ask chosen={of} onStarted={setRun} onDone={onDone} />;
}

/** What is to be done, to which, and what it would do. */
function Ask({
  chosen: { filter, search, selected },
  onStarted,
  onDone,
}: {
  chosen: Chosen;
  onStarted: (run: string) => void;
  onDone: () => void;
}) {
  const { t } = useLingui();
  const { can } = usePerson();
  const client = useQueryClient();
  const tasks = useTasks();
  const offered = (['extend', 'freeze', 'release', 'void'] as const).filter((task) =>
    can('voucher', task === 'extend' ? 'u' : 's'),
  );
  const [task, setTask] = useState(offered[0] ?? 'extend');
  const [until, setUntil] = useState<string | null>(null);
  const [place, setPlace] = useState('');
  const [reason, setReason] = useState('');
  const of: Selection = {
    ...(selected.length
      ? { filter: { id: selected } }
      : { ...(filter ? { filter } : {}), ...(search ? { search } : {}) }),
    ...(place ? { service_point_id: place } : {}),
  };
  const asked = { ...of, task, ...(task === 'extend' ? { valid_until: until ?? '' } : {}) };
  const known = task !== 'extend' || Boolean(until && isDay(until));
  const preview = useQuery({
    queryKey: ['/api/owner/care/preview', asked] as const,
    queryFn: ({ signal }) => withSentences(call('/api/owner/care/preview', asked, { signal })),
    enabled: known,
    retry: false,
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  const start = useMutation({
    mutationFn: () =>
      task === 'extend'
        ? callOnce('/api/owner/care/extend', { ...of, valid_until: until ?? '', reason: reason.trim() })
        : callOnce('/api/owner/care/change', { ...of, task, reason: reason.trim() }),
    onSuccess: ({ id }) => {
      void client.invalidateQueries({ queryKey: ['/api/owner/care/runs'] });
      onStarted(id);
    },
  });
  const ask = useMutation({
    mutationFn: () =>
      callOnce('/api/owner/care/extend/ask', { ...of, valid_until: until ?? '', reason: reason.trim() }),
    onSuccess: () => {
      onDone();
      toast({ tone: 'ok', title: t`Asked for`, line: t`Nothing moves until a second person has approved it.` });
    },
    onSettled: () =>
      client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).endsWith('/approval') }),
  });
  const found = known && !preview.isError ? preview.data : undefined;
  const needsReason = task !== 'release';
  const second = task === 'extend' && found?.needs_second;
  return (
    <DialogContent
      title={selected.length ? t`Change ${count(selected.length)} vouchers` : t`Change all vouchers that are shown`}
      description={t`Each is changed by itself. What cannot be changed is left as it is, and listed with the reason.`}
      foot={
        <div className="flex justify-end gap-2.5">
          <Button size="office" variant="outline" onClick={onDone}>{t`Leave them as they are`}</Button>
          <Button
            size="office"
            variant={task === 'void' ? 'destructive' : 'default'}
            disabled={
              !found?.can ||
              (found.needs_second && !second) ||
              preview.isFetching ||
              start.isPending ||
              ask.isPending ||
              (needsReason && !reason.trim())
            }
            onClick={() => (second ? ask.mutate() : start.mutate())}
          >
            {second ? <Users aria-hidden /> : <ListChecks aria-hidden />}
            {second ? t`Ask for it` : tasks[task]}
          </Button>
        </div>
      }
    >
      <div className="grid gap-3">
        <Field label={t`What is to be done?`}>
          <Select
            size="office"
            value={task}
            onChange={setTask}
            options={offered.map((value) => ({ value, label: tasks[value] }))}
          />
        </Field>
        {task === 'extend' && (
          <Field label={t`New last day`} help={t`Until 23:59 Thai time`}>
            <DateInput value={until} onChange={setUntil} />
          </Field>
        )}
        <OnlyAt place={place} onChange={setPlace} />
        {found && <Found of={found} task={task} />}
        {known && preview.isPending && <p role="status" className="text-quiet">{t`Looking at the vouchers…`}</p>}
        {needsReason && (
          <Field label={t`Why?`} help={t`Only your team reads this, here.`}>
            <Textarea value={reason} maxLength={300} rows={2} onChange={(change) => setReason(change.target.value)} />
          </Field>
        )}
        <FaultNote error={start.error ?? ask.error ?? (known ? preview.error : null)} />
        <Earlier onOpen={onStarted} />
      </div>
    </DialogContent>
  );
}

/** Of the vouchers only those that one place alone honours, also one that is closed. */
function OnlyAt({ place, onChange }: { place: string; onChange: (place: string) => void }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const text = useTexts();
  const places = useQuery({
    ...listQuery('service_point', { select: ['id', 'name_th', 'name_en', 'status'], limit: 200 }),
    enabled: can('servicepoint', 'v'),
    staleTime: 60_000,
  });
  if (!places.data?.data.length) return null;
  return (
    <Field label={t`Only those that can be used nowhere else than at`} optional={t`May stay empty`}>
      <Select
        size="office"
        value={place || 'any'}
        onChange={(value) => onChange(value === 'any' ? '' : value)}
        options={[
          { value: 'any', label: t`Any service point` },
          ...places.data.data.map((row) => {
            const name = text(row as never, 'name');
            return { value: String(row.id), label: row.status === 5 ? name : t`${name} (not active)` };
          }),
        ]}
      />
    </Field>
  );
}

/** To how many it can be done, what follows, and why not to the others. */
function Found({ of, task }: { of: Detail<'/api/owner/care/preview'>; task: Task }) {
  const { t, i18n } = useLingui();
  const [can, total, kept, paid] = [count(of.can), count(of.total), baht(of.kept_satang), baht(of.paid_satang)];
  return (
    <div role="status" className="grid gap-1.5 rounded-control bg-muted px-3.5 py-3">
      <p className="font-medium">{t`It can be done to ${can} of ${total} vouchers`}</p>
      {of.revived > 0 && (
        <p>
          <Plural
            value={of.revived}
            one="# of these is over and can be used again."
            other="# of these are over and can be used again."
          />{' '}
          {t`${kept} that the shop kept of them is set aside until they are used.`}
        </p>
      )}
      {task === 'void' && of.can > 0 && <p>{t`${paid} goes back for unused items, first to what is owed for them.`}</p>}
      {task === 'extend' && of.needs_second && (
        <p>{t`These are more than one person may extend at once, so a second person has to approve it.`}</p>
      )}
      {task === 'void' && of.needs_second && (
        <p className="text-bad-text">{faultSentence(i18n, 'refund.void_needs_two')}</p>
      )}
      {of.cannot.length > 0 && (
        <ul className="grid gap-1 text-sm text-quiet">
          {of.cannot.map((why) => (
            <li key={why.fault}>
              <Trans>
                Not to {why.vouchers}: {faultSentence(i18n, why.fault)}
              </Trans>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** What was done to many before, or still goes on. */
function Earlier({ onOpen }: { onOpen: (run: string) => void }) {
  const { t } = useLingui();
  const tasks = useTasks();
  const runs = useQuery(query('/api/owner/care/runs', {}));
  if (!runs.data?.data.length) return null;
  return (
    <section className="grid gap-1 border-t pt-3">
      <h3 className="font-medium">{t`Done before`}</h3>
      <ul className="max-h-40 divide-y overflow-y-auto">
        {runs.data.data.map((run) => (
          <li key={run.id}>
            <button
              type="button"
              className="flex min-h-11 w-full items-center gap-2.5 text-left hover:underline"
              onClick={() => onOpen(run.id)}
            >
              <span className="min-w-0 grow truncate">
                {tasks[run.task]} · {t`${count(run.done)} of ${count(run.total)}`}
              </span>
              <span className="shrink-0 text-caption text-quiet">{dateTime(run.started_at)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
