import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '@wlv/client/call';
import { Button } from '@wlv/ui/button';
import { Dialog } from '@wlv/ui/dialog';
import { Field } from '@wlv/ui/field';
import { date, dateTime } from '@wlv/ui/format';
import { Textarea } from '@wlv/ui/input';
import { Note } from '@wlv/ui/note';
import { toast } from '@wlv/ui/toast';
import { Snowflake, Sun } from 'lucide-react';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { Question } from '../../record/question.tsx';
import { RecordCard } from '../../record/record-frame.tsx';
import type { StoryOf } from '../../record/story.ts';

type Story = StoryOf<'voucher'>;

/** The shop's own reason for which the voucher is frozen now. */
const freezeOf = (story: Story) => story.freezes.find((freeze) => !freeze.ended_at);

/** Freezes a voucher for a reason of the shop's, or ends that reason, after asking. */
export function FreezeVoucher({ story }: { story: Story }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const client = useQueryClient();
  const [asks, setAsks] = useState<'freeze' | 'release'>();
  const [reason, setReason] = useState('');
  const { record } = story;
  const frozen = Boolean(freezeOf(story));
  const releases = asks === 'release';
  const holder = record.holder_name || '–';
  const change = useMutation({
    mutationFn: () =>
      releases
        ? call('/api/owner/voucher/release', { id: record.id })
        : call('/api/owner/voucher/freeze', { id: record.id, reason: reason.trim() }),
    onSuccess: () => {
      setAsks(undefined);
      setReason('');
      toast({ tone: 'ok', title: releases ? t`The shop's hold is over` : t`The voucher is on hold` });
    },
    // Also after a refusal: somebody else was first, or the voucher is over.
    onSettled: () =>
      client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).endsWith('/voucher') }),
  });
  const over = ['used', 'expired', 'refunded', 'void'].includes(record.state);
  if (over || !can('voucher', 's')) return null;
  const what = {
    ready: '',
    in_use: t`Its code is open just now, and closes.`,
    on_sale: t`Its offer leaves the board. Money that somebody is paying for it just now goes into that person's Wallet.`,
    in_transfer: t`Its gift is stopped: the link no longer works.`,
    frozen: story.frozen_for && t`It is on hold already for money that was asked back. The shop's hold comes on top.`,
  }[record.state as 'ready' | 'in_use' | 'on_sale' | 'in_transfer' | 'frozen'];
  return (
    <>
      <Button size="office" variant="outline" onClick={() => setAsks(frozen ? 'release' : 'freeze')}>
        {frozen ? <Sun aria-hidden /> : <Snowflake aria-hidden />}
        {frozen ? t`Lift the hold` : t`Put on hold`}
      </Button>
      <Dialog open={Boolean(asks)} onOpenChange={(open) => !open && setAsks(undefined)}>
        <Question
          title={releases ? t`Lift the shop's hold?` : t`Put this voucher on hold?`}
          line={
            releases
              ? story.frozen_for
                ? t`It stays on hold until the money that was asked back is settled. The days of the shop's hold are added to its last day now.`
                : t`${holder} can use it again at once, and reads so. The days of the hold are added to its last day.`
              : t`${holder} cannot use, give or sell it until you lift the hold, and reads that the shop did this. The days on hold are added to its last day then.`
          }
          keep={releases ? t`Keep it on hold` : t`Leave it as it is`}
          button={releases ? t`Lift the hold` : t`Put on hold`}
          takesAway={!releases}
          disabled={!releases && !reason.trim()}
          of={change}
          onYes={() => change.mutate()}
          onDone={() => setAsks(undefined)}
        >
          {!releases && (
            <>
              {what && <p>{what}</p>}
              <Field label={t`Why?`} help={t`Only your team reads this, here.`}>
                <Textarea
                  autoFocus
                  value={reason}
                  maxLength={300}
                  rows={3}
                  onChange={(change) => setReason(change.target.value)}
                />
              </Field>
            </>
          )}
        </Question>
      </Dialog>
    </>
  );
}

/** Each reason for which it cannot be used now. */
export function FrozenNotes({ story }: { story: Story }) {
  const { t } = useLingui();
  const { record, frozen_for } = story;
  const frozen = freezeOf(story);
  if (record.state !== 'frozen') return null;
  return (
    <>
      {frozen && (
        <Note tone="warn" icon={<Snowflake aria-hidden />} title={t`On hold by the shop, it cannot be used`}>
          <p className="whitespace-pre-line [overflow-wrap:anywhere]">{frozen.reason}</p>
          <p className="pt-1 text-caption text-quiet">
            {t`${frozen.frozen_by}, ${dateTime(frozen.frozen_at)}`}
            {' · '}
            <Plural
              value={frozen.days}
              one="# day would be added to its last day now"
              other="# days would be added to its last day now"
            />
          </p>
        </Note>
      )}
      {frozen_for && (
        <Note tone="warn" icon={<Snowflake aria-hidden />} title={t`On hold, it cannot be used`}>
          {frozen_for === 'dispute'
            ? t`The payer's bank holds back the money that paid for it. It is ready again when that is decided for the shop, or paid.`
            : t`The payment company sent money back that paid for it. It is ready again when that is paid.`}
        </Note>
      )}
    </>
  );
}

/** When and why the shop held it before. */
export function Freezes({ story }: { story: Story }) {
  const { t } = useLingui();
  const over = story.freezes.filter((freeze) => freeze.ended_at);
  if (over.length === 0) return null;
  return (
    <RecordCard title={t`On hold by the shop before`}>
      <ul className="divide-y">
        {over.map((freeze) => (
          <li key={freeze.id} className="py-2.5 first:pt-0.5">
            <p className="whitespace-pre-line [overflow-wrap:anywhere]">{freeze.reason}</p>
            <p className="text-caption text-quiet">
              <Trans>
                {date(freeze.frozen_at)} to {date(freeze.ended_at ?? '')}
              </Trans>
              {' · '}
              {freeze.frozen_by}
              {freeze.released_by && freeze.released_by !== freeze.frozen_by && `, ${freeze.released_by}`}
              {' · '}
              {freeze.released_by ? (
                <Plural value={freeze.days} one="# day added" other="# days added" />
              ) : (
                t`the voucher was taken back`
              )}
            </p>
          </li>
        ))}
      </ul>
    </RecordCard>
  );
}
