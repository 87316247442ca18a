import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FaultNote } from '@wlv/client/fault-note';
import { date } from '@wlv/ui/format';
import { RateText } from '../../record/rate-text.tsx';
import { listQuery } from '../../resource/calls.ts';
import { useName } from '../../resource/names.ts';
import type { RowOf } from '../../resource/resource.ts';
import { commissionrate } from './commission-rate.table.tsx';

const shown = 10;

/** The special rates of a type, the latest first, and the way to all of them. */
export function SpecialRates({ agentType }: { agentType: string }) {
  const { t } = useLingui();
  const name = useName(commissionrate);
  const { data, error } = useQuery(
    listQuery('commissionrate', { filter: { agent_type_id: [agentType] }, limit: shown, sort: '-first_day' }),
  );
  const rows = (data?.data ?? []) as RowOf<'commissionrate'>[];
  return (
    <section aria-label={t`Special rates`} className="grid grid-cols-1 gap-2">
      <div className="flex items-baseline justify-between gap-3">
        <h3 className="text-base font-semibold">{t`Special rates`}</h3>
        <Link
          to="/owner/$screen"
          params={{ screen: 'agentsetting' }}
          search={{ agent_type_id: [agentType] } as never}
          className="text-sm font-medium text-brand-text"
        >
          {t`Open all`}
        </Link>
      </div>
      <FaultNote error={error} />
      {data && rows.length === 0 && (
        <p className="text-sm text-muted-foreground">{t`None: its agents earn the base rate of everything.`}</p>
      )}
      <ul className="divide-y rounded-card bg-card px-3.5 shadow-[inset_0_0_0_1px_var(--line)] empty:hidden">
        {rows.map((row) => (
          <li key={row.id} className="flex flex-wrap items-baseline justify-between gap-x-3 py-2.5 text-sm">
            <span className="min-w-0 truncate font-medium">{name(row)}</span>
            <RateText kind={row.kind} value={row.value} />
            <span className="w-full text-caption text-quiet">
              {row.last_day
                ? `${date(row.first_day ?? '')} – ${date(row.last_day)}`
                : t`from ${date(row.first_day ?? '')}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
