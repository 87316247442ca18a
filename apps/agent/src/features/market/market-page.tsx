import { useLingui } from '@lingui/react/macro';
import { useTitle } from '@wlv/client/page';
import { Commission, Earnings } from '../../earnings/earnings.tsx';
import { useSummary } from '../../earnings/summary.ts';
import { Failure } from '../../shell/failure.tsx';
import { BestPackage } from './best-package.tsx';
import { Listing } from './listing-section.tsx';

/** What he has earned, and everything he can send. */
export function MarketPage() {
  const { t } = useLingui();
  const summary = useSummary();
  useTitle(t`Market`);

  return (
    <>
      <Earnings />
      {summary.isError ? (
        <Failure title={t`Your commission did not load`} error={summary.error} onRetry={() => void summary.refetch()} />
      ) : (
        <div className="mx-auto grid max-w-[760px] grid-cols-1 px-4 sm:px-6 lg:max-w-[1120px] lg:grid-cols-[420px_1fr] lg:items-start lg:gap-x-9">
          <div className="grid grid-cols-1 pt-3.5 lg:sticky lg:top-16 lg:pt-6">
            <Commission />
            <BestPackage />
          </div>
          <Listing />
        </div>
      )}
    </>
  );
}
