import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { errorSentence } from '@wlv/client/api-error';
import { call, query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { Button } from '@wlv/ui/button';
import { FormError } from '@wlv/ui/field';
import { dateTime } from '@wlv/ui/format';
import { Skeleton } from '@wlv/ui/skeleton';
import { toast } from '@wlv/ui/toast';
import { MailCheck } from 'lucide-react';
import { usePerson } from '../../access/person.ts';
import { instant, text } from '../../resource/cells.tsx';
import { Facts } from '../../resource/facts.tsx';
import { defineResource, type RecordOf, type StatusStyle } from '../../resource/resource.ts';

const states: Record<string, StatusStyle> = {
  new: { title: msg`New`, tone: 'warn' },
  answered: { title: msg`Answered`, tone: 'ok' },
};

/** What visitors and customers have written to the shop. */
export const message = defineResource<'contactus'>({
  table: 'contactus',
  module: 'contactus',
  path: 'contactuslist',
  grows: true,
  menu: { group: 'customers', place: 20, waiting: { state: 'new' } },
  title: msg`Messages`,
  one: msg`message`,
  name: (row) => row.name ?? '',
  code: (row) => row.email || undefined,
  columns: [
    text('subject', msg`Subject`, { sorts: false }),
    instant('created_at', msg`Sent`),
    instant('answered_at', msg`Answered on`, { sorts: false }),
  ],
  filters: [
    {
      name: 'state',
      title: msg`State`,
      kind: 'choice',
      choices: Object.entries(states).map(([value, { title }]) => ({ value, title })),
    },
    { name: 'created_at', title: msg`Sent`, kind: 'instant' },
  ],
  look: (row) => states[row.state ?? ''] ?? null,
  facts: MessageFacts,
  extra: Answered,
  empty: { title: msg`No message yet`, line: msg`What visitors write on your contact page stands here.` },
});

function MessageFacts({ record: { id = '' } }: { record: RecordOf<'contactus'> }) {
  const { t } = useLingui();
  const read = useQuery(query('/api/owner/contactus/read', { id }));
  if (read.isPending) return <Skeleton className="h-40" />;
  if (read.isError) {
    return <Failure title={t`This did not load`} error={read.error} onRetry={() => void read.refetch()} />;
  }
  const one = read.data;
  const facts = [
    [t`Name`, one.name],
    [t`E-mail`, one.email && <a href={`mailto:${one.email}`}>{one.email}</a>],
    [t`Phone`, one.phone && <a href={`tel:${one.phone.replace(/[^+\d]/g, '')}`}>{one.phone}</a>],
    [t`Sent`, dateTime(one.created_at)],
    [t`Answered on`, one.answered_at && dateTime(one.answered_at)],
  ] as const;
  return (
    <div className="grid grid-cols-1 gap-4">
      <section className="rounded-touch bg-muted p-4">
        <h3 className="text-base font-semibold wrap-break-word">{one.subject}</h3>
        <p className="mt-1 whitespace-pre-line wrap-break-word">{one.text}</p>
      </section>
      <Facts of={facts} />
    </div>
  );
}

/** Writes down that somebody has answered: the answer itself goes by mail or phone. */
function Answered({ record: { id = '', state } }: { record: RecordOf<'contactus'> }) {
  const { t, i18n } = useLingui();
  const { can } = usePerson();
  const client = useQueryClient();
  const answered = state !== 'answered';
  const mark = useMutation({
    mutationFn: () => call('/api/owner/contactus/answer', { id, answered }),
    onSuccess: () => {
      toast({ tone: 'ok', title: answered ? t`Marked as answered` : t`Marked as new` });
      return client.invalidateQueries({ predicate: ({ queryKey }) => /\/contactus(\/|$)/.test(String(queryKey[0])) });
    },
  });
  if (!can('contactus', 's')) return <p className="text-quiet">{t`Shown to read only.`}</p>;
  return (
    <div className="flex w-full flex-wrap items-center gap-2.5">
      <Button size="office" disabled={mark.isPending} onClick={() => mark.mutate()}>
        <MailCheck aria-hidden />
        {answered ? t`Mark as answered` : t`Mark as new`}
      </Button>
      {mark.isError && <FormError className="w-full">{errorSentence(i18n, mark.error)}</FormError>}
    </div>
  );
}
