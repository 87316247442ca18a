import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { pages, query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useTitle } from '@wlv/client/page';
import { Band } from '@wlv/ui/band';
import { Button } from '@wlv/ui/button';
import { byDay } from '@wlv/ui/by-day';
import { Card } from '@wlv/ui/card';
import { MovementRowSkeleton } from '@wlv/ui/movement-row';
import { Price } from '@wlv/ui/price';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { TopBar } from '@wlv/ui/top-bar';
import { Plus, Ticket } from 'lucide-react';
import { useState } from 'react';
import { AreaLink } from '../../area.tsx';
import { useBack } from '../../shell/inner.tsx';
import { DayTitle } from '../../shop/day-title.tsx';
import { DebtNote } from './debt-note.tsx';
import { type Movement, MovementLine } from './movement-line.tsx';
import { MovementSheet } from './movement-sheet.tsx';

export function WalletPage() {
  const { t } = useLingui();
  useTitle('Wallet');
  return (
    <>
      <WalletHead />
      <div className="mx-auto max-w-[760px] px-4 sm:px-6">
        <Debt />
        <h2 className="px-0 pb-2 pt-[18px] text-h2 font-semibold">{t`Movements`}</h2>
        <Movements />
      </div>
    </>
  );
}

function WalletHead() {
  const { t } = useLingui();
  const back = useBack('profile');
  const wallet = useQuery(query('/api/user/getwallet', {}));
  return (
    <Band className="pb-[30px]">
      <div className="mx-auto max-w-[760px]">
        <TopBar title="Wallet" onBack={back} />
        <div className="px-5 pt-0.5">
          <p className="flex justify-between gap-4 text-sm text-band-quiet">
            {t`Balance you can spend`}
            <AreaLink page="wallet/cashout" className="-my-3 py-3 font-medium underline underline-offset-4">
              {t`Take money out`}
            </AreaLink>
          </p>
          <p className="h-[58px] text-balance font-semibold">
            {wallet.data ? <Price satang={wallet.data.balance_satang} /> : wallet.isError && '–'}
          </p>
          <div className="mt-3 flex gap-2.5">
            <Button asChild variant="band" className="flex-1">
              <AreaLink page="wallet/topup">
                <Plus aria-hidden strokeWidth={2.25} />
                {t`Top up`}
              </AreaLink>
            </Button>
            <Button asChild variant="shade" className="flex-1">
              <AreaLink page="activevoucher">
                <Ticket aria-hidden />
                {t`My Voucher & Ticket`}
              </AreaLink>
            </Button>
          </div>
        </div>
      </div>
    </Band>
  );
}

function Debt() {
  const wallet = useQuery(query('/api/user/getwallet', {}));
  return wallet.data ? <DebtNote wallet={wallet.data} /> : null;
}

function Movements() {
  const { t } = useLingui();
  const movements = useInfiniteQuery(pages('/api/user/wallet/movements', { limit: 30 }));
  const [open, setOpen] = useState<Movement>();

  if (movements.isPending) return <MovementsSkeleton />;
  if (movements.isError) {
    return (
      <Failure title={t`Movements did not load`} error={movements.error} onRetry={() => void movements.refetch()} />
    );
  }
  const all = movements.data.pages.flatMap((page) => page.data);
  if (!all.length) {
    return (
      <EmptyState
        title={t`No money has moved yet`}
        line={t`Every baht in and out will stand here with what caused it.`}
        action={
          <Button asChild>
            <AreaLink page="wallet/topup">{t`Top up`}</AreaLink>
          </Button>
        }
      />
    );
  }

  return (
    <>
      {byDay(all).map(({ day, rows }) => (
        <section key={day} className="mb-3.5">
          <DayTitle day={day} level="h3" />
          <Card className="py-1">
            {rows.map((movement, i) => (
              <div key={movement.id}>
                {i > 0 && <div className="ml-[72px] h-px bg-border" />}
                <MovementLine movement={movement} onOpen={() => setOpen(movement)} />
              </div>
            ))}
          </Card>
        </section>
      ))}
      {movements.hasNextPage && (
        <Button
          variant="outline"
          size="md"
          wide
          disabled={movements.isFetchingNextPage}
          onClick={() => void movements.fetchNextPage()}
        >{t`Show more`}</Button>
      )}
      <MovementSheet movement={open} onClose={() => setOpen(undefined)} />
    </>
  );
}

function MovementsSkeleton() {
  const { t } = useLingui();
  return (
    <div role="status" aria-label={t`Loading…`}>
      <Skeleton className="mb-2 mt-2 h-3.5 w-28" />
      <Card className="py-1">
        <MovementRowSkeleton />
        <MovementRowSkeleton />
        <MovementRowSkeleton />
      </Card>
    </div>
  );
}
