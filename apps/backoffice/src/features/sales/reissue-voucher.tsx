import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '@wlv/client/call';
import { Field } from '@wlv/ui/field';
import { dateTime } from '@wlv/ui/format';
import { Textarea } from '@wlv/ui/input';
import { toast } from '@wlv/ui/toast';
import { RefreshCcw } from 'lucide-react';
import { useState } from 'react';
import { Question } from '../../record/question.tsx';
import { RecordCard } from '../../record/record-frame.tsx';
import type { StoryOf } from '../../record/story.ts';

type Story = StoryOf<'voucher'>;

/** Gives a voucher another code, after asking. */
export function ReissueVoucher({ story: { record }, onDone }: { story: Story; onDone: () => void }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const holder = record.holder_name || '–';
  const give = useMutation({
    mutationFn: () => call('/api/owner/voucher/reissue', { id: record.id, reason: reason.trim() }),
    onSuccess: () => {
      onDone();
      toast({ tone: 'ok', title: t`The voucher has a new code` });
    },
    // Also after a refusal: it is over by now.
    onSettled: () =>
      client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).endsWith('/voucher') }),
  });
  return (
    <Question
      title={t`Give it a new code?`}
      line={t`The code ${record.code} and every QR shown of it are no longer good. ${holder} keeps the voucher, and reads that it has a new code.`}
      keep={t`Keep the code`}
      button={
        <>
          <RefreshCcw aria-hidden />
          {t`Give a new code`}
        </>
      }
      disabled={!reason.trim()}
      of={give}
      onYes={() => give.mutate()}
      onDone={onDone}
    >
      {record.state === 'in_use' && <p>{t`Its code is open just now, and closes.`}</p>}
      {record.state === 'in_transfer' && <p>{t`Its gift goes on: the link stays good.`}</p>}
      {record.state === 'on_sale' && <p>{t`Its offer stays on the board.`}</p>}
      <Field label={t`Why?`} help={t`Only your team reads this, here.`}>
        <Textarea
          autoFocus
          value={reason}
          maxLength={300}
          rows={3}
          onChange={(change) => setReason(change.target.value)}
        />
      </Field>
    </Question>
  );
}

/** Codes that it had before, and why each was changed. */
export function OldCodes({ story }: { story: Story }) {
  const { t } = useLingui();
  if (story.reissues.length === 0) return null;
  return (
    <RecordCard title={t`Codes that it had before`}>
      <ul className="divide-y">
        {story.reissues.map((reissue) => (
          <li key={reissue.id} className="py-2.5 first:pt-0.5">
            <p className="font-medium">{reissue.old_code}</p>
            <p className="whitespace-pre-line [overflow-wrap:anywhere]">{reissue.reason}</p>
            <p className="text-caption text-quiet">{t`${reissue.made_by}, ${dateTime(reissue.made_at)}`}</p>
          </li>
        ))}
      </ul>
    </RecordCard>
  );
}
