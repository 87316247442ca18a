import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { invalidates, mutation, pages, query, type Row } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { FaultNote } from '@wlv/client/fault-note';
import { useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Chip } from '@wlv/ui/chip';
import { dateTime } from '@wlv/ui/format';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { MoreButton } from '../../shell/more-button.tsx';

type Message = Row<'/api/admin/contactus/list'>;

/** What visitors have written to the platform, newest first. */
export function MessagesPage() {
  const { t } = useLingui();
  useTitle(t({ message: 'Messages', context: 'to the platform' }));
  const list = useInfiniteQuery(pages('/api/admin/contactus/list', { limit: 50 }));
  const rows = list.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <div className="mx-auto w-full max-w-[1000px] px-4 pb-16 pt-6 sm:px-7">
      <h1 className="mb-4 text-h1-office font-semibold">{t({ message: 'Messages', context: 'to the platform' })}</h1>
      {list.isPending && <Skeleton className="h-40 rounded-card" />}
      {list.isError && <Failure title={t`This did not load`} error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && (
        <Card office className="divide-y overflow-clip">
          {rows.map((row) => (
            <OneMessage key={row.id} row={row} />
          ))}
          {!rows.length && (
            <EmptyState
              title={t`No message yet`}
              line={t`What visitors write on the platform's contact page stands here.`}
            />
          )}
        </Card>
      )}
      <MoreButton of={list} />
    </div>
  );
}

function OneMessage({ row }: { row: Message }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  return (
    <article>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-14 w-full flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3 text-left"
      >
        <span className="min-w-0 flex-1 basis-44">
          <span className="block truncate font-medium">{row.subject}</span>
          <span className="block truncate text-caption text-quiet">
            {row.name} · {dateTime(row.created_at)}
          </span>
        </span>
        <Chip tone={row.state === 'new' ? 'warn' : 'ok'}>{row.state === 'new' ? t`New` : t`Answered`}</Chip>
      </button>
      {open && <Whole id={row.id} />}
    </article>
  );
}

function Whole({ id }: { id: string }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const read = useQuery(query('/api/admin/contactus/detail', { id }));
  const mark = useMutation({
    ...mutation('/api/admin/contactus/answer'),
    onSuccess: invalidates('/api/admin/contactus/list', '/api/admin/contactus/detail'),
  });
  if (read.isPending) return <Skeleton className="m-4 h-24" />;
  if (read.isError) {
    return <Failure title={t`This did not load`} error={read.error} onRetry={() => void read.refetch()} />;
  }
  const one = read.data;
  const answered = one.state !== 'answered';
  return (
    <div className="grid grid-cols-1 gap-3 px-4 pb-4">
      <p className="whitespace-pre-line wrap-break-word">{one.text}</p>
      <p className="flex flex-wrap gap-x-4 text-quiet">
        {one.email && <a href={`mailto:${one.email}`}>{one.email}</a>}
        {one.phone && <a href={`tel:${one.phone.replace(/[^+\d]/g, '')}`}>{one.phone}</a>}
      </p>
      {can('contactus', 'u') && (
        <Button
          size="office"
          variant="outline"
          className="justify-self-start"
          disabled={mark.isPending}
          onClick={() => mark.mutate({ id, answered })}
        >
          <MailCheck aria-hidden />
          {answered ? t`Mark as answered` : t`Mark as new`}
        </Button>
      )}
      <FaultNote error={mark.error} />
    </div>
  );
}
