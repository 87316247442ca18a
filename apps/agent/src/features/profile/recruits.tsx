import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type Detail, query } from '@wlv/client/call';
import { Card } from '@wlv/ui/card';
import { amount, count, percent } from '@wlv/ui/format';
import { useMayAsk } from '../../shell/profile.ts';

type Recruit = Detail<'/api/agent/recruit/list'>['data'][number];

/** Whom the agent recruited, and how to recruit more. It is nothing where recruiting earns nothing and nobody came by his code. */
export function Recruits({ code }: { code: string }) {
  const { t } = useLingui();
  const { data } = useQuery({ ...query('/api/agent/recruit/list', {}), enabled: useMayAsk() });
  const recruits = data?.data ?? [];
  const most = data?.most_basis_points ?? 0;
  const rate = percent(most);
  if (!recruits.length && !most) return null;
  return (
    <section className="mt-5" aria-label={t`People you recruited`}>
      <h2 className="px-1 pb-2 text-h2 font-semibold">{t`People you recruited`}</h2>
      <Card className="px-4">
        {most > 0 && (
          <p className="py-3.5 text-sm">
            {t`Who applies with your code ${code} is recruited by you once the shop has approved it. You then earn up to ${rate} of what that agent sells.`}
          </p>
        )}
        <ul className="divide-y border-t empty:hidden first:border-t-0">
          {recruits.map((recruit) => (
            <Row key={recruit.agent_id} recruit={recruit} />
          ))}
        </ul>
      </Card>
    </section>
  );
}

function Row({ recruit }: { recruit: Recruit }) {
  const { t } = useLingui();
  const orders = count(recruit.orders);
  const rate = percent(recruit.rate_basis_points);
  return (
    <li className="flex items-start justify-between gap-3 py-3">
      <span className="min-w-0">
        <span className="block truncate font-medium">{recruit.name}</span>
        <span className="block text-caption text-quiet">
          {recruit.sells ? t`${orders} sales in the last 30 days` : t`Does not sell at the moment`}
        </span>
      </span>
      <span className="shrink-0 text-right">
        <span className="block font-semibold">{amount(recruit.commission_satang)}</span>
        <span className="block text-caption text-quiet">{t`${rate} of each sale`}</span>
      </span>
    </li>
  );
}
