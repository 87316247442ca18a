import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { type Detail, query } from '@wlv/client/call';
import { date } from '@wlv/ui/format';
import type { ReactNode } from 'react';
import { payoutModule } from './payout-states.ts';

export type PayoutSettings = Detail<'/api/owner/payoutsetting/get'>;
export type Schedule = PayoutSettings['schedules'][number];

export const payoutSettings = query('/api/owner/payoutsetting/get', {});

/** What became of the latest day of a schedule. */
export function Outcome({ schedule: { outcome, handled_at, run_id, run_number } }: { schedule: Schedule }) {
  const { t } = useLingui();
  if (!outcome || !handled_at) return null;
  const on = date(handled_at);
  const run = run_id && (
    <Link
      to="/owner/$screen/$id"
      params={{ screen: payoutModule, id: run_id }}
      className="font-medium text-brand-text hover:underline"
    >
      {run_number}
    </Link>
  );
  const said: Record<Exclude<Schedule['outcome'], ''>, { line: string; run?: ReactNode; warn?: boolean }> = {
    drafted: { line: t`${on}: a run was drafted`, run },
    empty: { line: t`${on}: nobody could be paid, so there is no draft` },
    draft_open: { line: t`${on}: skipped, because another draft was open`, warn: true },
    no_bank_days: {
      line: t`${on}: skipped, because the banks' holidays of the pay day's year were not known. The platform's admin has to add them; then please draft the run by hand.`,
      warn: true,
    },
    no_tax_rule: {
      line: t`${on}: skipped, because there was no tax rate for the pay day. The platform's admin has to add it; then please draft the run by hand.`,
      warn: true,
    },
  };
  const { line, run: link, warn } = said[outcome];
  return (
    <p className={warn ? 'mt-1 text-caption text-warn-text' : 'mt-1 text-caption text-quiet'}>
      {line} {link}
    </p>
  );
}
