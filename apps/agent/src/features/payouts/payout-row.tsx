import { useLingui } from '@lingui/react/macro';
import { Chip } from '@wlv/ui/chip';
import { amount, date } from '@wlv/ui/format';
import { Skeleton } from '@wlv/ui/skeleton';
import { clsx } from 'clsx';
import { AreaLink } from '../../area.tsx';
import { arrives, type Payout, sumOf, useAccount, usePayoutState, useTrouble } from './payout.ts';

const tiles = {
  ok: 'bg-ok-soft text-ok-text',
  info: 'bg-info-soft text-info-text',
  warn: 'bg-warn-soft text-warn-text',
  mute: 'bg-muted text-quiet',
};

/** One payout: its pay day, the sum, and what became of it. It opens what it is made of. */
export function PayoutRow({ payout }: { payout: Payout }) {
  const { t } = useLingui();
  const { tone, Icon, word } = usePayoutState(payout);
  const trouble = useTrouble(payout);
  const sum = sumOf(payout);
  return (
    <AreaLink page={`payouts/${payout.id}`} className="flex items-start gap-3.5 px-4 py-3">
      <span className={clsx('grid size-[42px] shrink-0 place-items-center rounded-tile', tiles[tone])}>
        <Icon aria-hidden className="size-5" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex justify-between gap-3 text-row">
          <span className="font-medium">{t`Pay day ${date(payout.pay_day)}`}</span>
          <span
            className={clsx('shrink-0', arrives(payout) ? 'font-semibold' : ['text-quiet', sum > 0 && 'line-through'])}
          >
            {amount(sum)}
          </span>
        </span>
        <span className="mt-1 flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <Chip tone={tone}>{word}</Chip>
          {payout.withheld_satang > 0 && arrives(payout) && (
            <span className="ml-auto text-caption text-quiet">{t`Withheld ${amount(payout.withheld_satang)}`}</span>
          )}
        </span>
        {trouble ? (
          <span className="mt-1.5 block text-caption text-quiet">
            <span className="line-clamp-3">{trouble.why}</span>
            <span className="block text-muted-foreground">{trouble.money}</span>
          </span>
        ) : (
          <Way payout={payout} />
        )}
      </span>
    </AreaLink>
  );
}

/** When it arrived, and where. */
function Way({ payout }: { payout: Payout }) {
  const { t } = useLingui();
  const account = useAccount(payout);
  const paid = payout.paid_on && t`On ${date(payout.paid_on)}`;
  return (
    <span className="mt-1.5 block truncate text-caption text-quiet">{[paid, account].filter(Boolean).join(' · ')}</span>
  );
}

export function PayoutRowSkeleton() {
  return (
    <div className="flex h-[104px] items-start gap-3.5 px-4 py-3">
      <Skeleton className="size-[42px] rounded-tile" />
      <div className="grid flex-1 grid-cols-1 gap-3 pt-1">
        <Skeleton className="h-3.5 w-3/4" />
        <Skeleton className="h-6 w-28" />
        <Skeleton className="h-3 w-1/2" />
      </div>
    </div>
  );
}
