import { useLingui } from '@lingui/react/macro';
import { useTexts } from '@wlv/client/page';
import { Card } from '@wlv/ui/card';
import { Chip } from '@wlv/ui/chip';
import { count, date, signed } from '@wlv/ui/format';
import { clsx } from 'clsx';
import { HandCoins, RotateCcw } from 'lucide-react';
import type { Story } from './payout.ts';

type Line = Story['lines'][number];

/** So many are shown of one payout (tenants/payout/story.go). */
const most = 200;

/** Everything that a payout is the sum of. */
export function PayoutLines({ lines }: { lines: Line[] }) {
  const { t } = useLingui();
  const shown = count(lines.length);
  return (
    <section>
      <h2 className="px-1 pb-2 pt-1 text-h2 font-semibold">{t`What it is made of`}</h2>
      <Card className="py-1">
        {lines.map((line, i) => (
          // An order may have several: what matured of it at different times, and what was taken back. Lines have no id.
          <div key={i}>
            {i > 0 && <div className="ml-[72px] h-px bg-border" />}
            <LineRow line={line} />
          </div>
        ))}
      </Card>
      {lines.length >= most && (
        <p className="px-1 pt-2 text-caption text-quiet">
          {t`${shown} lines are shown: what was taken back first, then the newest.`}
        </p>
      )}
    </section>
  );
}

/** One order's commission, what was taken back of one, or an earlier payout that came back. */
function LineRow({ line }: { line: Line }) {
  const { t } = useLingui();
  const text = useTexts();
  const taken = line.what === 'taken_back';
  const matured = line.what === 'matured';
  const Icon = matured ? HandCoins : RotateCcw;
  return (
    <article className="flex items-start gap-3.5 px-4 py-3">
      <span
        className={clsx(
          'grid size-[42px] shrink-0 place-items-center rounded-tile',
          matured ? 'bg-ok-soft text-ok-text' : 'bg-muted text-quiet',
        )}
      >
        <Icon aria-hidden className="size-5" />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex justify-between gap-3 text-row">
          <h3 className="line-clamp-2 font-medium">
            {line.what === 'came_back' ? t`From a payout that came back` : text(line, 'name')}
          </h3>
          <span className={clsx('shrink-0 font-semibold', matured && 'text-ok-text')}>
            {signed(line.amount_satang)}
          </span>
        </div>
        <p className="break-words text-caption text-quiet">
          {line.number} · {date(line.at)}
        </p>
        {taken && (
          <>
            <Chip className="mt-1">{t`Taken back`}</Chip>
            <p className="mt-1 text-caption text-quiet">{why(line.why)}</p>
          </>
        )}
      </div>
    </article>
  );

  function why(of: Line['why']) {
    if (of === 'denied') return t`The shop looked at the sale, and does not pay it`;
    return of === 'refund' ? t`The customer was refunded` : t`The customer's payment was reversed`;
  }
}
