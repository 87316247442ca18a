import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callOnce } from '@wlv/client/call-once';
import { DateInput, isDay } from '@wlv/ui/date-input';
import { Field } from '@wlv/ui/field';
import { date, dateTime } from '@wlv/ui/format';
import { Textarea } from '@wlv/ui/input';
import { toast } from '@wlv/ui/toast';
import { CalendarPlus } from 'lucide-react';
import { useState } from 'react';
import { Question } from '../../record/question.tsx';
import { RecordCard } from '../../record/record-frame.tsx';
import type { StoryOf } from '../../record/story.ts';

type Story = StoryOf<'voucher'>;

const day = 86_400_000;

/** So many days after a day, or after today if that is later. */
function daysAfter(last: string, days: number) {
  const today = new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 10); // in Bangkok
  return new Date(Date.parse(last > today ? last : today) + days * day).toISOString().slice(0, 10);
}

/** Gives a voucher another last day, after asking. */
export function ExtendVoucher({ story: { record }, onDone }: { story: Story; onDone: () => void }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const [until, setUntil] = useState<string | null>(daysAfter(record.valid_until, 30));
  const [reason, setReason] = useState('');
  const holder = record.holder_name || '–';
  const last = date(record.valid_until);
  const days = until && isDay(until) ? Math.round((Date.parse(until) - Date.parse(record.valid_until)) / day) : 0;
  const extend = useMutation({
    mutationFn: () =>
      callOnce('/api/owner/voucher/extend', { id: record.id, valid_until: until ?? '', reason: reason.trim() }),
    onSuccess: () => {
      onDone();
      toast({ tone: 'ok', title: t`The voucher is valid for longer` });
    },
    // Also after a refusal: it was used or ended meanwhile.
    onSettled: () =>
      client.invalidateQueries({ predicate: ({ queryKey }) => /\/(voucher|orders)$/.test(String(queryKey[0])) }),
  });
  return (
    <Question
      title={t`Extend this voucher?`}
      line={t`Its last day is ${last}. ${holder} reads the new one.`}
      keep={t`Leave it as it is`}
      button={
        <>
          <CalendarPlus aria-hidden />
          {t`Extend it`}
        </>
      }
      disabled={days <= 0 || !reason.trim()}
      of={extend}
      onYes={() => extend.mutate()}
      onDone={onDone}
    >
      {record.state === 'expired' && (
        <p>{t`It can be used again. What the shop kept of it when it expired is set aside until it is used.`}</p>
      )}
      {record.state === 'frozen' && <p>{t`It stays on hold.`}</p>}
      {record.state === 'in_transfer' && <p>{t`Its gift goes on: the link stays good as long as before.`}</p>}
      {record.state === 'on_sale' && <p>{t`Its offer stays on the board, and ends when it would have ended.`}</p>}
      <Field
        label={t`New last day`}
        help={
          days > 0 ? (
            <Plural value={days} one="# day more, until 23:59 Thai time" other="# days more, until 23:59 Thai time" />
          ) : (
            t`A day after ${last}`
          )
        }
      >
        <DateInput value={until} onChange={setUntil} />
      </Field>
      <Field label={t`Why?`} help={t`Only your team reads this, here.`}>
        <Textarea value={reason} maxLength={300} rows={3} onChange={(change) => setReason(change.target.value)} />
      </Field>
    </Question>
  );
}

/** By how many days the shop extended it, and why each time. */
export function Extensions({ story }: { story: Story }) {
  const { t } = useLingui();
  if (story.extensions.length === 0) return null;
  return (
    <RecordCard title={t`Extended by the shop`}>
      <ul className="divide-y">
        {story.extensions.map((extension) => (
          <li key={extension.id} className="py-2.5 first:pt-0.5">
            <p className="font-medium">
              {extension.expired ? (
                <Trans>
                  <Plural value={extension.days} one="# day" other="# days" />, after it was over
                </Trans>
              ) : (
                <Plural value={extension.days} one="# day" other="# days" />
              )}
            </p>
            <p className="whitespace-pre-line [overflow-wrap:anywhere]">{extension.reason}</p>
            <p className="text-caption text-quiet">{t`${extension.made_by}, ${dateTime(extension.made_at)}`}</p>
          </li>
        ))}
      </ul>
    </RecordCard>
  );
}
