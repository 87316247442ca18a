import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { pages, query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useTitle } from '@wlv/client/page';
import { Band } from '@wlv/ui/band';
import { Button } from '@wlv/ui/button';
import { Price } from '@wlv/ui/price';
import { EmptyState } from '@wlv/ui/state';
import { TopBar } from '@wlv/ui/top-bar';
import { ChevronRight, Plus, Ticket } from 'lucide-react';
import { AreaLink } from '../../area.tsx';
import { useBack } from '../../shell/inner.tsx';
import { DebtNote } from './debt-note.tsx';
import { MovementDays, MovementsSkeleton } from './movement-days.tsx';

export function WalletPage() {
  const { t } = useLingui();
  useTitle('Wallet');
  return (
    <>
      <WalletHead />
      <div className="mx-auto max-w-[760px] px-4 sm:px-6">
        <Debt />
        <div className="flex items-center justify-between gap-3 pb-1 pt-3">
          <h2 className="text-h2 font-semibold">{t`Movements`}</h2>
          <AreaLink
            page="wallet/statement"
            className="-mr-1 flex min-h-11 items-center gap-0.5 text-row font-medium text-brand-text"
          >
            {t`Statement by month`}
            <ChevronRight aria-hidden className="size-[18px]" />
          </AreaLink>
        </div>
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

  return <MovementDays movements={all} pages={movements} />;
}
