import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { pages, query } from '@wlv/client/call';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { date } from '@wlv/ui/format';
import { Price } from '@wlv/ui/price';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { Ticket } from '@wlv/ui/ticket';
import { AreaLink } from '../../area.tsx';
import { useSummary } from '../../earnings/summary.ts';
import { Failure } from '../../shell/failure.tsx';
import { InnerPage } from '../../shell/inner-page.tsx';
import { useMayAsk } from '../../shell/profile.ts';
import { PayoutRow, PayoutRowSkeleton } from './payout-row.tsx';

/** What waits to be paid out, and what was. */
export function PayoutsPage() {
  const { t } = useLingui();
  return (
    <InnerPage title={t`Payouts`} parent="home">
      <Waiting />
      <Payouts />
    </InnerPage>
  );
}

/** What the next payout can have, or has to take, and what is not due yet. */
function Waiting() {
  const { t } = useLingui();
  const { data, isError, error, refetch } = useSummary();
  const next = useQuery({ ...query('/api/agent/payout/next', {}), enabled: useMayAsk() });
  const payDay = next.data?.pay_day && date(next.data.pay_day);
  if (isError) {
    return <Failure title={t`Your commission did not load`} error={error} onRetry={() => void refetch()} />;
  }
  if (!data) return <Skeleton role="status" aria-label={t`Loading…`} className="h-[172px] rounded-card" />;
  const owes = data.owed_satang > 0;
  return (
    <Ticket
      stub={56}
      foot={
        <>
          <span className="min-w-0 flex-1 text-sm text-muted-foreground">{t`Not due yet`}</span>
          <Price satang={data.pending_satang} />
        </>
      }
    >
      <div className="px-4 pb-3.5 pt-4">
        <h2 className="text-caption text-quiet">{owes ? t`You owe the shop` : t`Ready to be paid`}</h2>
        <p className="text-[28px] leading-[42px]">
          <Price satang={owes ? data.owed_satang : data.payable_satang} />
        </p>
        <p className="text-caption text-quiet">{line()}</p>
        {!!next.data?.held_satang && (
          <p className="mt-1 text-caption font-medium">
            {t`On hold: being looked at`} · <Price satang={next.data.held_satang} />
          </p>
        )}
        {payDay && <p className="mt-1 text-caption font-medium">{t`Next pay day: ${payDay}`}</p>}
      </div>
    </Ticket>
  );

  function line() {
    if (owes) return t`Taken from the next payout`;
    return data?.payable_satang ? t`Waits for the next payout, before tax if any is withheld` : t`Nothing waits now`;
  }
}

function Payouts() {
  const { t } = useLingui();
  const payouts = useInfiniteQuery({ ...pages('/api/agent/payout/list', {}), enabled: useMayAsk() });

  if (payouts.isPending) return <PayoutsSkeleton />;
  if (payouts.isError) {
    return (
      <Failure title={t`Your payouts did not load`} error={payouts.error} onRetry={() => void payouts.refetch()} />
    );
  }
  const all = payouts.data.pages.flatMap((page) => page.data);
  if (!all.length) {
    return (
      <EmptyState
        title={t`No payout yet`}
        line={t`When the shop pays commission out, each payout and what it is made of will stand here.`}
        action={
          <Button asChild>
            <AreaLink page="home">{t`Choose what to share`}</AreaLink>
          </Button>
        }
      />
    );
  }
  return (
    <section className="pb-3.5">
      <h2 className="px-1 pb-2 pt-5 text-h2 font-semibold">{t`Each payout`}</h2>
      <Card className="py-1">
        {all.map((payout, i) => (
          <div key={payout.id}>
            {i > 0 && <div className="ml-[72px] h-px bg-border" />}
            <PayoutRow payout={payout} />
          </div>
        ))}
      </Card>
      {payouts.hasNextPage && (
        <Button
          variant="outline"
          size="md"
          wide
          className="mt-3.5"
          disabled={payouts.isFetchingNextPage}
          onClick={() => void payouts.fetchNextPage()}
        >
          {payouts.isFetchingNextPage ? t`Loading…` : t`Show more`}
        </Button>
      )}
    </section>
  );
}

function PayoutsSkeleton() {
  const { t } = useLingui();
  return (
    <div role="status" aria-label={t`Loading…`} className="pt-5">
      <Skeleton className="mb-3 ml-1 h-5 w-28" />
      <Card className="py-1">
        <PayoutRowSkeleton />
        <PayoutRowSkeleton />
        <PayoutRowSkeleton />
      </Card>
    </div>
  );
}
