import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Chip } from '@wlv/ui/chip';
import { amount, date } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { WaitingRing } from '@wlv/ui/ring';
import { Ban, BellRing } from 'lucide-react';
import { RecordColumns, RecordHead } from '../../record/record-frame.tsx';
import { SecondPerson } from '../../record/second-person.tsx';
import { storyQuery } from '../../record/story.ts';
import { type RunStory, runLook } from './payout-states.ts';
import { RunActions } from './run-actions.tsx';
import { LeftOut, NotPaid, RunPayees } from './run-payees.tsx';
import { RunSteps } from './run-steps.tsx';
import { Checks, RunSums } from './run-sums.tsx';

/** A run of payouts: how far it is, whom it pays how much, who is left out and why, and what became of it. */
export default function PayoutRunStory({ story }: { story: RunStory }) {
  const { t, i18n } = useLingui();
  const { record, computing, booking } = story;
  // A job says when it has done its part; where that is not heard, it is asked for.
  const waits = computing || booking;
  useQuery({ ...storyQuery('payoutrun', record.id), refetchInterval: waits ? 3_000 : false, refetchOnMount: false });
  const look = runLook(record);
  const payDay = date(record.pay_day);
  const refunds = record.kind === 'refund';
  const title = refunds ? t`Refunds of ${payDay}` : t`Payouts of ${payDay}`;
  const until = date(record.up_to);
  const least = amount(record.state === 'cancelled' ? 0 : story.minimum_satang);
  return (
    <>
      <RecordHead
        name={title}
        title={title}
        chips={<Chip tone={look.tone}>{i18n._(look.title)}</Chip>}
        code={record.number}
        line={
          record.state === 'cancelled' || refunds ? t`up to ${until}` : t`up to ${until}, at least ${least} for each`
        }
        actions={<RunActions story={story} />}
      />
      <RunSteps story={story} />
      <State story={story} />
      {!computing && record.state !== 'cancelled' && (
        <RecordColumns
          facts={
            <>
              <RunSums story={story} />
              <Checks story={story} />
            </>
          }
        >
          <NotPaid story={story} />
          <RunPayees story={story} />
          <LeftOut story={story} />
        </RecordColumns>
      )}
    </>
  );
}

/** What is waited for. */
function State({ story: { record, computing, booking, approval_id: approval } }: { story: RunStory }) {
  const { t } = useLingui();
  if (computing) {
    return (
      <Note
        tone="info"
        role="status"
        icon={<WaitingRing size={22} />}
        title={t`The draft is being computed`}
        className="mb-4"
      >
        {record.kind === 'refund'
          ? t`The refunds that wait for their transfer are collected. This page shows them as soon as that is done; you can leave it meanwhile.`
          : t`What agents and partners can be paid is collected, and what is withheld. This page shows it as soon as that is done; you can leave it meanwhile.`}
      </Note>
    );
  }
  if (booking) {
    return (
      <Note
        tone="info"
        role="status"
        icon={<WaitingRing size={22} />}
        title={t`The run is being written into the books`}
        className="mb-4"
      >
        {t`It is approved. The bank's file can be made as soon as this is done; you can leave this page meanwhile.`}
      </Note>
    );
  }
  if (record.state === 'cancelled') {
    return (
      <Note tone="mute" icon={<Ban aria-hidden />} title={t`This draft was cancelled`}>
        {t`Nobody was paid by it. What it had collected can be paid by another run.`}
      </Note>
    );
  }
  if (record.late) {
    const payDay = date(record.pay_day);
    const waiting = record.payees - record.paid_count - record.failed_count;
    return (
      <Note
        tone="warn"
        role="status"
        icon={<BellRing aria-hidden />}
        title={
          record.kind === 'refund'
            ? t`The bank has not answered for ${plural(waiting, { one: '# transfer', other: '# transfers' })}`
            : t`The bank has not answered for ${plural(waiting, { one: '# payee', other: '# payees' })}`
        }
        className="mb-4"
      >
        {t`The pay day ${payDay} was more than three bank days ago. Please ask your bank, then read its answer here or write down of each payout what became of it.`}
      </Note>
    );
  }
  return approval ? (
    <div className="mb-4">
      <SecondPerson approval={approval} />
    </div>
  ) : null;
}
