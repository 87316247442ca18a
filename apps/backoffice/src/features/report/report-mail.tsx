import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, type Detail, query } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { Button } from '@wlv/ui/button';
import { CodeInput } from '@wlv/ui/code-input';
import { Dialog, DialogContent, DialogTrigger } from '@wlv/ui/dialog';
import { Field } from '@wlv/ui/field';
import { dateTime } from '@wlv/ui/format';
import { IconButton } from '@wlv/ui/icon-button';
import { Input } from '@wlv/ui/input';
import { Segment } from '@wlv/ui/segment';
import { Select } from '@wlv/ui/select';
import { toast } from '@wlv/ui/toast';
import { Mail, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type ReportName, reports } from '../../reports.ts';

type Subscription = Detail<'/api/owner/report/subscription/list'>['data'][number];
type Every = Subscription['every'];

const digits = 6;
const list = '/api/owner/report/subscription/list';

/** Has a report sent by e-mail, and shows what is sent already. */
export function ReportMail({ name, filter }: { name: ReportName; filter: Record<string, string> }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="outline" size="office">
          <Mail aria-hidden />
          {t`E-mail`}
        </Button>
      </DialogTrigger>
      {open && (
        <DialogContent
          shape="sheet"
          title={t`Reports by e-mail`}
          description={t`Each comes with its sums and a file, once its days are over.`}
        >
          <Sent />
          <Subscribe name={name} filter={filter} />
        </DialogContent>
      )}
    </Dialog>
  );
}

/** What is sent already, each with a way to stop it. */
function Sent() {
  const { t, i18n } = useLingui();
  const client = useQueryClient();
  const read = useQuery(query(list, {}));
  const remove = useMutation({
    mutationFn: (id: string) => call('/api/owner/report/subscription/remove', { id }),
    onSuccess: () => toast({ tone: 'ok', title: t`This report is not sent any more` }),
    onSettled: () => client.invalidateQueries({ queryKey: [list] }),
  });
  const words = useWords();
  return (
    <>
      <FaultNote error={read.error} />
      {Boolean(read.data?.data.length) && (
        <ul className="mb-4 divide-y rounded-control border">
          {read.data?.data.map((one) => {
            const title = one.report in reports ? i18n._(reports[one.report as ReportName].title) : one.report;
            return (
              <li key={one.id} className="flex items-center gap-3 py-2 pl-3.5 pr-1.5">
                <div className="min-w-0 flex-1">
                  <p className="truncate font-medium">{title}</p>
                  <p className="text-caption text-quiet [overflow-wrap:anywhere]">
                    {[words.every(one), one.email, one.mine ? '' : one.staff_name].filter(Boolean).join(' · ')}
                  </p>
                  <p className="text-caption text-quiet">{t`Next on ${dateTime(one.next_at)}`}</p>
                  {one.failed_at && (
                    <p className="text-caption text-bad">{t`The one of ${dateTime(one.failed_at)} was not sent`}</p>
                  )}
                </div>
                {one.mine && (
                  <IconButton
                    label={t`Stop sending ${title}`}
                    disabled={remove.isPending}
                    onClick={() => remove.mutate(one.id)}
                  >
                    <Trash2 aria-hidden />
                  </IconButton>
                )}
              </li>
            );
          })}
        </ul>
      )}
      <FaultNote error={remove.error} />
    </>
  );
}

function useWords() {
  const { t } = useLingui();
  const hour = (hour: number) => `${String(hour).padStart(2, '0')}:00`;
  return {
    hour,
    every: (one: Subscription) => {
      const at = hour(one.hour);
      if (one.every === 'week') return t`Every Monday at ${at}`;
      return one.every === 'month' ? t`On the first of each month at ${at}` : t`Every day at ${at}`;
    },
  };
}

/** Asks how often, and for an address, to which a code goes first. */
function Subscribe({ name, filter }: { name: ReportName; filter: Record<string, string> }) {
  const { t, i18n } = useLingui();
  const client = useQueryClient();
  const words = useWords();
  const [every, setEvery] = useState<Every>('day');
  const [hour, setHour] = useState(7);
  const [format, setFormat] = useState<'xlsx' | 'csv'>('xlsx');
  const [email, setEmail] = useState('');
  const [code, setCode] = useState('');
  const title = i18n._(reports[name].title);
  const { from: _, to: __, ...chosen } = filter;
  const ask = useMutation({ mutationFn: () => call('/api/owner/report/subscription/code', { email: email.trim() }) });
  const save = useMutation({
    mutationFn: (code: string) =>
      call('/api/owner/report/subscription/save', {
        report: name,
        filter: chosen,
        format,
        every,
        hour,
        email: email.trim(),
        code,
      }),
    onSuccess: () => {
      ask.reset();
      toast({ tone: 'ok', title: t`${title} will come by e-mail` });
    },
    onSettled: () => {
      setCode('');
      return client.invalidateQueries({ queryKey: [list] });
    },
  });
  const type = (typed: string) => {
    if (save.isPending) return;
    setCode(typed);
    if (typed.length === digits) save.mutate(typed);
  };
  const sent = ask.isSuccess;
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        save.reset();
        ask.mutate();
      }}
    >
      <h3 className="text-row font-semibold">{t`Send “${title}”, as it is filtered now`}</h3>
      <div>
        <Segment
          title={t`How often`}
          value={every}
          onChange={setEvery}
          options={[
            { value: 'day', label: t`Every day` },
            { value: 'week', label: t`Every week` },
            { value: 'month', label: t`Every month` },
          ]}
        />
        <Segment
          title={t`File`}
          value={format}
          onChange={setFormat}
          options={[
            { value: 'xlsx', label: 'Excel' },
            { value: 'csv', label: 'CSV' },
          ]}
        />
      </div>
      <Field label={t`Time of sending`} help={t`On the day after, Thai time`}>
        <Select
          value={String(hour)}
          onChange={(at) => setHour(Number(at))}
          options={Array.from({ length: 24 }, (_, at) => ({ value: String(at), label: words.hour(at) }))}
        />
      </Field>
      <Field
        label={t`To this e-mail address`}
        help={t`A code goes there first, so that no stranger gets your figures.`}
      >
        <Input
          type="email"
          inputMode="email"
          autoComplete="email"
          value={email}
          maxLength={254}
          disabled={sent}
          onChange={(change) => setEmail(change.target.value)}
        />
      </Field>
      {sent ? (
        <>
          <Field
            label={t`Code of six digits`}
            help={t`It came by e-mail. The report is set up as soon as all six are there.`}
          >
            <CodeInput digits={digits} value={code} onChange={type} autoComplete="one-time-code" autoFocus />
          </Field>
          <FaultNote error={save.error} />
          <Button
            type="button"
            variant="ghost"
            onClick={() => {
              ask.reset();
              save.reset();
            }}
          >
            {t`Another address, or a new code`}
          </Button>
        </>
      ) : (
        <>
          <FaultNote error={ask.error} />
          <Button type="submit" disabled={!/.+@.+\..+/.test(email) || ask.isPending}>
            {ask.isPending ? t`Sending the code…` : t`Send the code`}
          </Button>
        </>
      )}
    </form>
  );
}
