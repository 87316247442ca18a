import { useLingui } from '@lingui/react/macro';

/** What the states of an admin are called. */
export function useStates() {
  const { t } = useLingui();
  return {
    invited: { title: t`Invited`, tone: 'warn' },
    active: { title: t`Active`, tone: 'ok' },
    suspended: { title: t`Suspended`, tone: 'bad' },
  } as const;
}
