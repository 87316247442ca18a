import { useLingui } from '@lingui/react/macro';
import { type Hold, signals } from './hold-signals.ts';

/** Why commission is on hold, in short. */
export function SignalName({ of }: { of: Hold['signal'] | undefined }) {
  const { i18n } = useLingui();
  return of ? i18n._(signals[of]) : '–';
}
