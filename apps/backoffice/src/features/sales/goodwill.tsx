import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, type Detail } from '@wlv/client/call';
import { callOnce } from '@wlv/client/call-once';
import { type AnyFault, faultSentence, loadFaults } from '@wlv/client/faults';
import { Field } from '@wlv/ui/field';
import { baht, count, dateTime } from '@wlv/ui/format';
import { Textarea } from '@wlv/ui/input';
import { MoneyInput } from '@wlv/ui/money-input';
import { Note } from '@wlv/ui/note';
import { toast } from '@wlv/ui/toast';
import { Users } from 'lucide-react';
import { useState } from 'react';
import { Question } from '../../record/question.tsx';
import type { StoryOf } from '../../record/story.ts';

type Use = Detail<'/api/owner/voucher/goodwill/uses'>['data'][number];

/** Gives money back for something that was used, to who used it: two people decide it. */
export function Goodwill({ story: { record }, onDone }: { story: StoryOf<'voucher'>; onDone: () => void }) {
  const { t, i18n } = useLingui();
  const client = useQueryClient();
  const [chosen, setChosen] = useState<string>();
  const [sum, setSum] = useState<number | null>(null);
  const [reason, setReason] = useState('');
  const uses = useQuery({
    queryKey: ['/api/owner/voucher/goodwill/uses', { id: record.id }] as const,
    queryFn: async ({ signal }) => {
      const [told] = await Promise.all([
        call('/api/owner/voucher/goodwill/uses', { id: record.id }, { signal }),
        loadFaults(),
      ]);
      return told.data;
    },
    gcTime: 0,
  });
  const may = uses.data?.filter((use) => !use.fault) ?? [];
  const use = may.find((one) => one.id === chosen) ?? may[0];
  const most = use ? use.paid_satang - use.given_satang : 0;
  const ask = useMutation({
    mutationFn: () =>
      callOnce('/api/owner/voucher/goodwill/ask', {
        id: use?.id ?? '',
        amount_satang: sum ?? 0,
        reason: reason.trim(),
      }),
    onSuccess: () => {
      onDone();
      toast({ tone: 'ok', title: t`Asked for`, line: t`Nothing moves until a second person has approved it.` });
    },
    onSettled: () =>
      client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).endsWith('/approval') }),
  });
  return (
    <Question
      title={t`Give money back for a use?`}
      line={t`It goes into the Wallet of who used it, from what the shop has earned. That takes two people.`}
      keep={t`Do not give`}
      button={
        <>
          <Users aria-hidden />
          {t`Ask for it`}
        </>
      }
      disabled={!use || !sum || sum > most || !reason.trim()}
      of={{ error: ask.error ?? uses.error, isPending: ask.isPending }}
      onYes={() => ask.mutate()}
      onDone={onDone}
    >
      {uses.isPending && <p role="status" className="text-quiet">{t`Looking at the uses…`}</p>}
      {uses.data && may.length === 0 && (
        <Note tone="info" title={t`Nothing can be given back now`}>
          {uses.data[0] && faultSentence(i18n, uses.data[0].fault as AnyFault)}
        </Note>
      )}
      {may.length > 0 && (
        <fieldset className="grid gap-2">
          <legend className="mb-1.5 font-medium">{t`For which use?`}</legend>
          {may.map((one) => (
            <Choice key={one.id} of={one} unit={record.kind} chosen={use?.id === one.id} onChoose={setChosen} />
          ))}
        </fieldset>
      )}
      {use && (
        <>
          <Field
            label={t`How much?`}
            help={t`At most ${baht(most)}, which was paid for it`}
            error={sum && sum > most ? faultSentence(i18n, 'refund.goodwill_most') : undefined}
          >
            <MoneyInput size="office" value={sum} onChange={setSum} />
          </Field>
          <Field label={t`Why?`} help={t`Whoever approves it reads this.`}>
            <Textarea value={reason} maxLength={300} rows={3} onChange={(change) => setReason(change.target.value)} />
          </Field>
        </>
      )}
    </Question>
  );
}

/** A use, what was paid for it, and what was given back so far. */
function Choice({
  of,
  unit,
  chosen,
  onChoose,
}: {
  of: Use;
  unit: string | undefined;
  chosen: boolean;
  onChoose: (id: string) => void;
}) {
  const { t } = useLingui();
  const much = unit === 'baht' ? baht(of.items) : t`${count(of.items)} times`;
  return (
    <label className="flex cursor-pointer gap-3 rounded-touch px-3.5 py-3 shadow-[inset_0_0_0_1px_var(--line-strong)] has-checked:bg-accent has-checked:shadow-[inset_0_0_0_2px_var(--brand-mark)]">
      <input
        type="radio"
        name="use"
        value={of.id}
        checked={chosen}
        onChange={() => onChoose(of.id)}
        className="mt-0.5 size-5 shrink-0 accent-brand-mark"
      />
      <span className="min-w-0">
        <span className="block font-medium">
          {of.customer_name || '–'} · {dateTime(of.at)}
        </span>
        <span className="block text-caption text-quiet">
          {t`${much}, paid ${baht(of.paid_satang)}`}
          {of.given_satang > 0 && ` · ${t`given back ${baht(of.given_satang)}`}`}
        </span>
      </span>
    </label>
  );
}
