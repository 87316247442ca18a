import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call, pages, type Row } from '@wlv/client/call';
import { saveFile } from '@wlv/client/download';
import { Failure } from '@wlv/client/failure';
import { FaultNote } from '@wlv/client/fault-note';
import { useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { DateInput, isDay } from '@wlv/ui/date-input';
import { Field } from '@wlv/ui/field';
import { dateTime } from '@wlv/ui/format';
import { Input } from '@wlv/ui/input';
import { Select } from '@wlv/ui/select';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { toast } from '@wlv/ui/toast';
import { Download, Search } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { actions, actors, platformActions, platformObjects } from '../../record/log-words.ts';
import { MoreButton } from '../../shell/more-button.tsx';
import { Changes } from './changes.tsx';

type Line = Row<'/api/admin/auditlog/list'>;
type Kind = 'all' | 'admin' | 'owner' | 'operator' | 'system';

/** Who changed what on the platform, from what to what, the latest first. */
export function AuditLogPage() {
  const { t } = useLingui();
  useTitle(t`Audit log`);
  const [typed, setTyped] = useState('');
  const [from, setFrom] = useState<string | null>(null);
  const [to, setTo] = useState<string | null>(null);
  const [kind, setKind] = useState<Kind>('all');
  const search = useDeferredValue(typed.trim());
  const filter = {
    ...(search ? { search } : {}),
    ...(from && isDay(from) ? { from } : {}),
    ...(to && isDay(to) ? { to } : {}),
    ...(kind === 'all' ? {} : { actor_kind: kind }),
  };
  const list = useInfiniteQuery({
    ...pages('/api/admin/auditlog/list', { limit: 50, ...filter }),
    placeholderData: keepPreviousData,
  });
  const file = useMutation({
    mutationFn: () => call('/api/admin/auditlog/file', filter),
    onSuccess: ({ name, text, cut }) => {
      saveFile(new Blob([text], { type: 'text/csv;charset=utf-8' }), name);
      if (cut)
        toast({ tone: 'warn', title: t`The file has the newest 10,000 rows. Choose fewer days for the others.` });
    },
  });
  const rows = list.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <div className="mx-auto w-full max-w-[1200px] px-4 pb-16 pt-2 sm:px-7">
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <h1 className="flex-1 text-h1-office font-semibold">{t`Audit log`}</h1>
        <Button size="office" variant="outline" disabled={file.isPending} onClick={() => file.mutate()}>
          <Download aria-hidden />
          {t`Save what was found`}
        </Button>
      </div>
      <div className="mb-4 grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-4">
        <Field label={t`Search`}>
          <Input
            size="office"
            maxLength={80}
            before={<Search aria-hidden className="size-4" />}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        <Field label={t`From`}>
          <DateInput size="office" value={from} onChange={setFrom} />
        </Field>
        <Field label={t`To`}>
          <DateInput size="office" value={to} onChange={setTo} />
        </Field>
        <Field label={t`Who`}>
          <Select<Kind>
            size="office"
            value={kind}
            onChange={setKind}
            options={[
              { value: 'all', label: t`Everybody` },
              { value: 'admin', label: t`Administrators` },
              { value: 'owner', label: t`The owner's office` },
              { value: 'operator', label: t`A command` },
              { value: 'system', label: t`The clock` },
            ]}
          />
        </Field>
      </div>
      <FaultNote error={file.error} />
      {list.isPending && <Skeleton className="h-96 rounded-office" />}
      {list.isError && <Failure title={t`This did not load`} error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && (
        <Card office className="divide-y overflow-clip">
          {rows.map((line) => (
            <OneLine key={line.id} line={line} />
          ))}
          {!rows.length && <EmptyState title={t`Nothing that fits`} line={t`Try a shorter word, or other days.`} />}
        </Card>
      )}
      <MoreButton of={list} />
    </div>
  );
}

function OneLine({ line }: { line: Line }) {
  const { t, i18n } = useLingui();
  const [open, setOpen] = useState(false);
  const action = actions[line.action] ?? platformActions[line.action];
  const actor = actors[line.actor_kind];
  const [table = '', id = ''] = line.object.split('/');
  const noun = platformObjects[table];
  return (
    <article>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="grid min-h-14 w-full gap-x-4 px-4 py-3 text-left hover:bg-muted sm:grid-cols-[150px_1fr_1fr_1fr]"
      >
        <span className="text-caption text-quiet">{dateTime(line.at)}</span>
        <span className="truncate">{line.actor_name || (actor ? i18n._(actor) : line.actor_kind)}</span>
        <span className="truncate font-medium">{action ? i18n._(action) : line.action}</span>
        <span className="truncate text-quiet">{line.about || (noun ? i18n._(noun) : table)}</span>
      </button>
      {open && (
        <div className="grid gap-2 bg-background px-4 py-3">
          <Changes of={line.changes} />
          {table === 'organisation' && (
            <Link
              to="/advwsadmin/organize_edit/$id"
              params={{ id }}
              className="justify-self-start text-caption text-brand-text underline underline-offset-4"
            >
              {t`Open the organisation`}
            </Link>
          )}
          <p className="break-all text-caption text-quiet">{line.object}</p>
        </div>
      )}
    </article>
  );
}
