import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { baht } from '@wlv/ui/format';
import type { StoryOf } from '../../record/story.ts';
import type { RowOf, StatusStyle } from '../../resource/resource.ts';

export type Run = RowOf<'payoutrun'>;
export type RunStory = StoryOf<'payoutrun'>;
export type Payout = RowOf<'payout'>;
export type RunKind = NonNullable<Run['kind']>;
type Standing = NonNullable<Payout['state']>;

/** The module of runs and of what they pay. */
export const payoutModule = 'paycommissiontransaction';

/** What changes when something is done with a run, or said of one of its payouts. */
export const changedByRun = /^\/api\/owner\/(story|get|payoutrun|approval)/;

/** What a run pays. */
export const runKinds: Record<RunKind, MessageDescriptor> = {
  agent: msg`Commission`,
  refund: msg({ message: 'Refunds', context: 'what a run of payouts pays' }),
};

export const runStates = {
  draft: { title: msg({ message: 'Draft', context: 'a run of payouts' }), tone: 'mute' },
  approved: { title: msg({ message: 'Approved, not sent', context: 'a run of payouts' }), tone: 'info' },
  exported: { title: msg({ message: 'Waits for the bank', context: 'a run of payouts' }), tone: 'info' },
  closed: { title: msg({ message: 'Closed', context: 'a run of payouts' }), tone: 'mute' },
  cancelled: { title: msg({ message: 'Cancelled', context: 'a run of payouts' }), tone: 'mute' },
} as const satisfies Record<NonNullable<Run['state']>, StatusStyle>;

const waits: StatusStyle = { title: msg`Waits for a second person`, tone: 'warn' };
const late: StatusStyle = { title: msg`The bank has not answered`, tone: 'warn' };
const allPaid: StatusStyle = { title: msg({ message: 'All paid', context: 'a run of payouts' }), tone: 'ok' };

/** Was it handed to the bank, or is it known without that what became of some of it? */
export const isAnswered = ({ state, failed_count: failed = 0, paid_count: paid = 0 }: Run) =>
  state === 'exported' || state === 'closed' || failed + paid > 0;

/** How a run stands: what failed is said before anything else. */
export function runLook({
  state = 'draft',
  waits: asked,
  late: isLate,
  failed_count: failed = 0,
  paid_count: paid = 0,
}: Run) {
  if (state === 'draft' && asked) return waits;
  if (isLate) return late;
  if (failed > 0) return { title: msg`${failed} not paid`, tone: 'bad' } as const;
  return state === 'closed' && paid > 0 ? allPaid : runStates[state];
}

export const payoutStates: Record<Standing, StatusStyle> = {
  ready: { title: msg({ message: 'In the draft', context: 'a payout' }), tone: 'mute' },
  left_out: { title: msg({ message: 'Left out', context: 'a payout' }), tone: 'warn' },
  booked: { title: msg({ message: 'Approved, not sent', context: 'a payout' }), tone: 'info' },
  sent: { title: msg({ message: 'No answer yet', context: 'a payout' }), tone: 'info' },
  paid: { title: msg({ message: 'Paid', context: 'a payout' }), tone: 'ok' },
  failed: { title: msg({ message: 'Not paid', context: 'a payout' }), tone: 'bad' },
  returned: { title: msg({ message: 'Came back', context: 'a payout' }), tone: 'bad' },
};

/** What a bank, or somebody here, says of a payout. */
export const outcomes: Record<'paid' | 'failed' | 'returned', MessageDescriptor> = {
  paid: msg({ message: 'Paid', context: 'a payout' }),
  failed: msg({ message: 'Not paid', context: 'a payout' }),
  returned: msg({ message: 'Came back', context: 'a payout' }),
};

/** Why somebody is not paid by a run, or a refund is not transferred. */
export function useLeftOut() {
  const { t } = useLingui();
  return ({ left_out: why, run_kind: kind }: Pick<Payout, 'left_out' | 'run_kind'>, minimum?: number) => {
    const least = minimum === undefined ? '' : baht(minimum);
    const sentences = {
      not_approved: t`No form with a bank account is approved yet.`,
      suspended: t`This payee is suspended.`,
      account_new: t`The account is new: it is paid to from seven days after it was approved.`,
      owes: t`More was taken back than was earned. What is earned next pays it first.`,
      below_minimum: least
        ? t`Less than ${least} would be transferred. It waits for the next run.`
        : t`Less would be transferred than this run pays at least. It waits for the next run.`,
      too_big: t`More than ฿2,000,000.00 cannot be paid in one transfer.`,
      no_tax_rule: t`There is no tax rule for this pay day. Please contact the platform.`,
      under_way:
        kind === 'refund'
          ? t`Somebody has said that it was transferred by hand. A second person has to confirm that.`
          : t`Another payout to this payee is still under way.`,
      held_back: t`The customer's bank or the payment company has taken this payment back meanwhile. Nobody should transfer it.`,
      postponed:
        kind === 'refund' ? t`Somebody left it to the next run.` : t`Somebody left this payee to the next run.`,
      changed:
        kind === 'refund'
          ? t`It was transferred by hand or put into the Wallet after it was proposed, or its payment was taken back.`
          : t`Something changed after it was proposed, so the approved sum was not right any more. It waits for the next run.`,
      cancelled: t`The draft was cancelled. It waits for the next run.`,
      held: t`All that this payee can be paid is on hold until somebody has decided.`,
      withdrawn: t`The run was taken back. It waits for the next one.`,
    };
    return why ? sentences[why] : '';
  };
}
