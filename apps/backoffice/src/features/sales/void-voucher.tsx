import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '@wlv/client/call';
import { callOnce } from '@wlv/client/call-once';
import { Field } from '@wlv/ui/field';
import { baht, dateTime } from '@wlv/ui/format';
import { Textarea } from '@wlv/ui/input';
import { Note } from '@wlv/ui/note';
import { toast } from '@wlv/ui/toast';
import { Ban, Users } from 'lucide-react';
import { useState } from 'react';
import { Question } from '../../record/question.tsx';
import type { StoryOf } from '../../record/story.ts';
import { Facts } from '../../resource/facts.tsx';

type Story = StoryOf<'voucher'>;

/** Cancels a voucher for the shop: it says whose the money will be before that. */
export function VoidVoucher({ story: { record }, onDone }: { story: Story; onDone: () => void }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const quote = useQuery({
    queryKey: ['/api/owner/voucher/void/quote', { id: record.id }] as const,
    queryFn: ({ signal }) => call('/api/owner/voucher/void/quote', { id: record.id }, { signal }),
    retry: false,
    gcTime: 0,
  });
  const cancel = useMutation({
    mutationFn: () => callOnce('/api/owner/voucher/void', { id: record.id, reason: reason.trim() }),
    onSuccess: () => {
      onDone();
      toast({ tone: 'ok', title: t`The voucher is cancelled` });
    },
    // Also after a refusal: it was used or given away meanwhile.
    onSettled: () =>
      client.invalidateQueries({ predicate: ({ queryKey }) => /\/(voucher|orders)$/.test(String(queryKey[0])) }),
  });
  const ask = useMutation({
    mutationFn: () => callOnce('/api/owner/voucher/void/ask', { id: record.id, reason: reason.trim() }),
    onSuccess: () => {
      onDone();
      toast({ tone: 'ok', title: t`Asked for`, line: t`Nothing moves until a second person has approved it.` });
    },
    onSettled: () =>
      client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).endsWith('/approval') }),
  });
  const second = quote.data?.needs_second;
  const holder = quote.data?.customer_name || record.holder_name || '–';
  const ends =
    quote.data &&
    {
      '': '',
      use: t`Its code is open just now, and closes.`,
      offer: t`Its offer leaves the board. Money that somebody is paying for it just now goes into that person's Wallet.`,
      gift: t`Its gift is stopped: the link no longer works.`,
    }[quote.data.ends];
  const moves = quote.data
    ? [
        [t`Into ${holder}'s Wallet`, baht(quote.data.wallet_satang)] as const,
        ...(quote.data.debt_satang ? [[t`To what is owed for it`, baht(quote.data.debt_satang)] as const] : []),
        ...(quote.data.payable_satang ? [[t`Back to the shop`, baht(quote.data.payable_satang)] as const] : []),
      ]
    : [];
  return (
    <Question
      title={t`Cancel this voucher?`}
      line={t`It cannot be used, given or sold from then on, and this cannot be undone. ${holder} reads that the shop cancelled it.`}
      keep={t`Do not cancel`}
      button={
        <>
          {second ? <Users aria-hidden /> : <Ban aria-hidden />}
          {second ? t`Ask for it` : t`Cancel for good`}
        </>
      }
      takesAway
      disabled={!quote.data || !reason.trim()}
      of={{ error: cancel.error ?? ask.error ?? quote.error, isPending: cancel.isPending || ask.isPending }}
      onYes={() => (second ? ask : cancel).mutate()}
      onDone={onDone}
    >
      {quote.isPending && <p role="status" className="text-quiet">{t`Reading what it is worth…`}</p>}
      {quote.data && (
        <div className="grid gap-2">
          <p>
            {quote.data.paid_satang
              ? t`What was paid for the items that are left goes back at once:`
              : t`Nothing was paid for the items that are left, so no money moves.`}
          </p>
          {quote.data.paid_satang > 0 && <Facts of={moves} />}
          {ends && <p>{ends}</p>}
          {second && (
            <Note tone="warn" icon={<Users aria-hidden />} title={t`A second person has to approve it`}>
              {t`Your shop wants that for a refund of this size. Nothing is held meanwhile.`}
            </Note>
          )}
        </div>
      )}
      <Field label={t`Why?`} help={second ? t`Whoever approves it reads this.` : t`Only your team reads this, here.`}>
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

/** Why the shop cancelled it, and what its holder had back. */
export function VoidNote({ story }: { story: Story }) {
  const { t } = useLingui();
  if (!story.void) return null;
  const { reason, made_by, made_at, wallet_satang } = story.void;
  const sum = baht(wallet_satang);
  return (
    <Note tone="bad" icon={<Ban aria-hidden />} title={t`Cancelled by the shop`}>
      <p className="whitespace-pre-line [overflow-wrap:anywhere]">{reason}</p>
      <p className="pt-1 text-caption text-quiet">
        {t`${made_by}, ${dateTime(made_at)}`}
        {wallet_satang > 0 && ` · ${t`${sum} into the holder's wallet`}`}
      </p>
    </Note>
  );
}
