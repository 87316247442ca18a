import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';

interface Transfer {
  rule: 'none' | 'times' | 'unlimited';
  /** How many more times, where the rule counts them. */
  times: number;
  together: boolean;
}

/** The transfer rule in words; a rule about rights is never an icon alone. */
export function useTransferRule({ rule, times, together }: Transfer) {
  const { t } = useLingui();
  const now = rule === 'times' && times === 0 ? 'none' : rule;
  const title = {
    none: t`Only you can use it`,
    times: t`Can be given to others ${plural(times, { one: '# time', other: '# times' })}`,
    unlimited: t`Can be given to others`,
  }[now];
  const line = together ? t`All of its kind from the same order go along` : t`All of it, or some of it`;
  return { title, line: now === 'none' ? t`It can't be given to somebody else` : line };
}
