import { msg, plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { amount, count, dateTime } from '@wlv/ui/format';
import type { StoryOf } from '../../record/story.ts';
import type { StatusStyle } from '../../resource/resource.ts';

export type Hold = StoryOf<'commissionhold'>['record'];

export const holdStates: Record<Hold['state'], StatusStyle> = {
  held: { title: msg({ message: 'On hold', context: 'commission' }), tone: 'warn' },
  released: { title: msg({ message: 'Released', context: 'commission' }), tone: 'ok' },
  denied: { title: msg({ message: 'Denied', context: 'commission' }), tone: 'bad' },
  lapsed: { title: msg({ message: 'Free after 30 days', context: 'commission' }), tone: 'mute' },
};

export const signals: Record<Hold['signal'], StatusStyle['title']> = {
  card: msg`Buyer has the agent's card`,
  device: msg`Buyer has the agent's device`,
  account: msg`Buyer has the agent's bank account`,
  mobile: msg`Buyer has the agent's mobile number`,
  refunds: msg`Much taken back soon after it was due`,
  paid_at_once: msg`Paid moments after the link was opened`,
  many_opens: msg`Link opened very often in one minute`,
  same_account: msg`Another payee has the same account`,
};

/** What was found, in words. */
export function useWhy() {
  const { t } = useLingui();
  return (hold: Hold) => {
    const { digits, times, other_name: other } = hold;
    const at = hold.happened_at ? dateTime(hold.happened_at) : '–';
    const ends = digits ? ` ····${digits}` : '';
    const n = count(times ?? 0);
    const back = amount(hold.sum_satang ?? 0);
    const of = amount(hold.of_satang ?? 0);
    switch (hold.signal) {
      case 'card':
        return t`The buyer and the agent have both paid by the card${ends}.`;
      case 'device':
        return t`The buyer and the agent have both signed in by one browser, the later of them on ${at}.`;
      case 'account':
        return t`The buyer has asked for money to the agent's bank account${ends}.`;
      case 'mobile':
        return t`The buyer and the agent have named the same mobile number.`;
      case 'refunds':
        return t`${n} times within three days after it was due, ${back} was taken back of ${of} that was due to the agent in 30 days. The last time was on ${at}.`;
      case 'paid_at_once':
        return t`${n} orders of the agent were paid less than 5 seconds after the link was opened, this one on ${at}.`;
      case 'many_opens':
        return t`The link was opened ${n} times in the minute from ${at}, when this buyer opened it.`;
      case 'same_account':
        return t`${other || '–'} is paid to the same account${ends}: ${plural(times ?? 1, { one: 'one other payee', other: '# other payees' })}.`;
    }
  };
}
