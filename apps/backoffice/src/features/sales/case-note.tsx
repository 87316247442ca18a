import { useLingui } from '@lingui/react/macro';
import { baht, date, dateTime } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { CircleAlert } from 'lucide-react';
import type { StoryOf } from '../../record/story.ts';
import { caseStates } from '../../resource/status-labels.tsx';

/** What the shop has to decide about the money of a payment, or had to. */
export function CaseNote({ of }: { of: StoryOf<'depositqrtransaction'>['cases'][number] }) {
  const { t, i18n } = useLingui();
  const sum = baht(of.amount_satang);
  const due = of.due_at ? dateTime(of.due_at) : '';
  const ended = of.closed_at ? date(of.closed_at) : '';
  const icon = <CircleAlert aria-hidden />;
  if (of.kind === 'wrong_sum') {
    return (
      <Note tone="warn" icon={icon} title={t`Paid with another sum`}>
        {t`${sum} was paid at the payment company instead of what was asked for. Nothing was credited; ask the payment company.`}
      </Note>
    );
  }
  if (of.kind === 'dispute') {
    const state = caseStates[of.outcome || 'open'];
    return (
      <Note
        tone={of.outcome === '' || of.outcome === 'lost' ? 'warn' : 'mute'}
        icon={icon}
        title={t`The customer's bank took ${sum} back`}
      >
        {state && i18n._(state.title)}
      </Note>
    );
  }
  if (of.outcome) {
    return (
      <Note tone="mute" icon={icon} title={t`Sent back: settled on ${ended}`}>
        {of.outcome === 'covered' ? t`${sum} was covered.` : t`The shop bore ${sum}.`}
      </Note>
    );
  }
  return (
    <Note tone="warn" icon={icon} title={t`Sent back: ${sum} is not covered`}>
      {t`The payment company sent money back that no whole unused item covers. A voucher is frozen for it. On ${due} the shop bears it by itself, from what it has earned.`}
    </Note>
  );
}
