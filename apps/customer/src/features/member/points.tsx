import { useLingui } from '@lingui/react/macro';
import { Failure } from '@wlv/client/failure';
import { useTexts } from '@wlv/client/page';
import { Card } from '@wlv/ui/card';
import { count, date } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Skeleton } from '@wlv/ui/skeleton';
import { Hourglass } from 'lucide-react';
import { type Points, usePoints } from './standing.ts';

type Movement = Points['history'][number];

/** What a member has of points: how many, what is coming, what lapses next, and what became of them. */
export function PointsOf({ state }: { state: string }) {
  const { t } = useLingui();
  const read = usePoints();
  if (read.isPending) return <Skeleton className="h-28 rounded-card" />;
  if (read.isError) {
    return <Failure title={t`Your points did not load`} error={read.error} onRetry={() => void read.refetch()} />;
  }
  const points = read.data;
  if (!points.baht && points.history.length === 0) return null;
  return (
    <section className="grid gap-3" aria-label={t`Points`}>
      <Balance points={points} earns={state === 'active'} />
      <History movements={points.history} />
    </section>
  );
}

function Balance({ points, earns }: { points: Points; earns: boolean }) {
  const { t } = useLingui();
  const { baht } = points;
  const coming = count(points.coming);
  const comes = points.comes_on ? date(points.comes_on) : '';
  const owed = count(points.owed);
  const lapses = points.lots[0];
  const lapsing = lapses && count(lapses.points);
  const until = lapses && date(lapses.lapses_on);
  return (
    <>
      <Card className="grid gap-1 p-4">
        <h2 className="text-sm text-quiet">{t`Points`}</h2>
        <p className="text-h1 font-bold">{count(points.points)}</p>
        {points.owed > 0 && (
          <p className="text-sm">
            {t`${owed} points are still to be made up: they were taken back with a refund after they were gone. The next ones count against them.`}
          </p>
        )}
        {points.coming > 0 && (
          <p className="text-sm text-quiet">
            {comes ? t`${coming} more are coming, the next on ${comes}` : t`${coming} more as you use what you bought`}
          </p>
        )}
        {earns && baht > 0 && <p className="text-sm text-quiet">{t`1 point for each ${baht} baht that you pay`}</p>}
      </Card>
      {lapses && (
        <Note tone="warn" icon={<Hourglass aria-hidden />}>
          {t`${lapsing} points are good until ${until}`}
        </Note>
      )}
    </>
  );
}

function History({ movements }: { movements: Movement[] }) {
  const { t } = useLingui();
  if (movements.length === 0) return null;
  return (
    <Card className="p-0">
      <h2 className="px-4 pt-4 text-h2 font-semibold">{t`What became of your points`}</h2>
      <ul className="divide-y divide-border px-4">
        {movements.map((m) => (
          <MovementOf key={m.id} movement={m} />
        ))}
      </ul>
    </Card>
  );
}

function MovementOf({ movement }: { movement: Movement }) {
  const { t } = useLingui();
  const text = useTexts();
  const bought = text(movement, 'bought');
  const words = {
    granted: bought || t`A purchase`,
    taken_back: bought ? t`Refund of ${bought}` : t`A refund`,
    lapsed: t`Points lapsed`,
    left: t`You left`,
    adjusted: t`Adjusted by the shop`,
  };
  const after = count(movement.after);
  const sum = count(Math.abs(movement.points));
  return (
    <li className="flex items-baseline justify-between gap-3 py-3">
      <div className="min-w-0">
        <p className="truncate">{words[movement.kind]}</p>
        <p className="text-sm text-quiet">{date(movement.at)}</p>
      </div>
      <div className="shrink-0 text-right">
        <p className="font-semibold">{movement.points > 0 ? `+${sum}` : `−${sum}`}</p>
        <p className="text-sm text-quiet">{t`${after} left`}</p>
      </div>
    </li>
  );
}
