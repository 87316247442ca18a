import { useLingui } from '@lingui/react/macro';
import type { Row } from '@wlv/client/call';
import { useTexts } from '@wlv/client/page';
import { Chip, type ChipTone } from '@wlv/ui/chip';
import { baht, date, signed, time } from '@wlv/ui/format';
import { Skeleton } from '@wlv/ui/skeleton';
import { clsx } from 'clsx';
import { HandCoins, RotateCcw } from 'lucide-react';

type Sale = Row<'/api/agent/history'>;

/** One order through his link: what, when, by whom, for how much, and what became of the commission. */
export function SaleRow({ sale }: { sale: Sale }) {
  const { t } = useLingui();
  const text = useTexts();
  const state = useState(sale);
  const seller = sale.seller_name;
  const taken = sale.state === 'reversed' || sale.state === 'denied';
  const Icon = taken ? RotateCcw : HandCoins;
  return (
    <article className="flex items-start gap-3.5 px-4 py-3">
      <span
        className={clsx(
          'grid size-[42px] shrink-0 place-items-center rounded-tile',
          taken ? 'bg-muted text-quiet' : 'bg-ok-soft text-ok-text',
        )}
      >
        <Icon aria-hidden className="size-5" />
      </span>
      <div className="min-w-0 flex-1">
        <h3 className="line-clamp-2 text-row font-medium">{text(sale, 'name')}</h3>
        <p className="text-caption text-quiet">
          {[time(sale.at), sale.buyer_masked, baht(sale.amount_satang)].join(' · ')}
        </p>
        {sale.seller_name && (
          <p className="truncate text-caption text-quiet">{t`Sold by ${seller}, whom you recruited`}</p>
        )}
        {sale.reason && <p className="mt-1 break-words text-caption text-quiet">{sale.reason}</p>}
      </div>
      <div className="grid shrink-0 justify-items-end gap-1">
        <span className={clsx('text-row font-semibold', taken ? 'text-quiet line-through' : 'text-ok-text')}>
          {signed(taken ? sale.commission_satang : sale.due_satang)}
        </span>
        <Chip tone={state.tone}>{state.word}</Chip>
      </div>
    </article>
  );
}

/** What became of the commission. What matures by use has no day before its buyer has come. */
function useState(sale: Sale): { tone: ChipTone; word: string } {
  const { t } = useLingui();
  if (sale.state === 'denied') return { tone: 'mute', word: t`Not paid, after a look` };
  if (sale.held) return { tone: 'warn', word: t`On hold: being looked at` };
  if (sale.state === 'reversed') return { tone: 'mute', word: t`Refunded` };
  if (sale.state === 'payable') return { tone: 'ok', word: t`Yours now` };
  if (sale.matures_on) return { tone: 'warn', word: t`Yours on ${date(sale.matures_on)}` };
  return { tone: 'warn', word: sale.matures === 'use' ? t`Yours once it is used` : t`Not due yet` };
}

export function SaleRowSkeleton() {
  return (
    <div className="flex h-[78px] items-center gap-3.5 px-4">
      <Skeleton className="size-[42px] rounded-tile" />
      <div className="grid flex-1 grid-cols-1 gap-2">
        <Skeleton className="h-3.5 w-3/4" />
        <Skeleton className="h-3 w-1/2" />
      </div>
      <div className="grid grid-cols-1 justify-items-end gap-2">
        <Skeleton className="h-3.5 w-14" />
        <Skeleton className="h-6 w-24" />
      </div>
    </div>
  );
}
