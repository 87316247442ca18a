import { useLingui } from '@lingui/react/macro';
import { useBrand } from '@wlv/client/page';
import { Avatar } from '@wlv/ui/avatar';
import { Band } from '@wlv/ui/band';
import { Card } from '@wlv/ui/card';
import { percent } from '@wlv/ui/format';
import { Price } from '@wlv/ui/price';
import { Skeleton } from '@wlv/ui/skeleton';
import { ChevronRight } from 'lucide-react';
import { AreaLink } from '../area.tsx';
import { nameOf, useProfile } from '../shell/profile.ts';
import { DayBars } from './day-bars.tsx';
import { useSummary } from './summary.ts';

/** The head: who he is, what this month earned, and how the last days went. */
export function Earnings() {
  const { t } = useLingui();
  const { data, isError } = useSummary();
  const rate = data && percent(data.rate_basis_points);
  return (
    <Band className="px-4 pb-6 pt-4 lg:pb-9 lg:pt-8">
      <div className="mx-auto max-w-[712px] lg:flex lg:max-w-[1072px] lg:items-center lg:gap-9">
        <Person />
        <div className="mt-4 flex flex-wrap items-end justify-between gap-x-4 gap-y-2 lg:mt-0 lg:gap-x-12">
          <div>
            <h1 className="text-sm text-band-quiet">{t`Commission this month`}</h1>
            <p className="h-[54px] text-[38px] leading-[54px]">
              {data ? <Price satang={data.month_satang} /> : isError && '–'}
            </p>
            <p className="h-5 text-caption text-band-quiet">{rate && t`${rate}, or as a package says`}</p>
          </div>
          <div className="shrink-0 pb-0.5">{data && <DayBars days={data.by_day} />}</div>
        </div>
      </div>
    </Band>
  );
}

function Person() {
  const { t } = useLingui();
  const brand = useBrand();
  const { data } = useProfile();
  const code = data?.referercode;
  return (
    <div className="flex items-center gap-3 lg:flex-1">
      <Avatar src={data?.pictureUrl} size={42} />
      <div className="min-h-[46px] min-w-0 flex-1">
        <p className="truncate text-base font-semibold leading-6">{data && nameOf(data)}</p>
        <p className="truncate text-caption text-band-quiet">{data && t`Agent of ${brand} · code ${code}`}</p>
      </div>
    </div>
  );
}

/** What is his already and what waits, and the way to what was paid out. */
export function Commission() {
  const { t } = useLingui();
  const { data } = useSummary();
  return (
    <Card className="px-4 pt-3.5">
      <div className="grid grid-cols-[1fr_1px_1fr] gap-[18px] pb-3.5">
        {data?.owed_satang ? (
          <Sum name={t`You owe the shop`} satang={data.owed_satang} line={t`Taken from the next payout`} />
        ) : (
          <Sum name={t`Ready to be paid`} satang={data?.payable_satang} line={t`Awaiting transfer`} ready />
        )}
        <span aria-hidden className="bg-border" />
        <Sum name={t`Not due yet`} satang={data?.pending_satang} line={t`Until the shop's conditions are met`} />
      </div>
      <AreaLink
        page="payouts"
        className="flex h-12 items-center justify-between border-t text-sm font-medium text-brand-text"
      >
        {t`See your payouts`}
        <ChevronRight aria-hidden className="size-5" />
      </AreaLink>
    </Card>
  );
}

function Sum({
  name,
  satang,
  line,
  ready,
}: {
  name: string;
  satang: number | undefined;
  line: string;
  ready?: boolean;
}) {
  return (
    <div className="min-w-0">
      <h2 className="text-caption text-quiet">{name}</h2>
      <div className="flex h-[30px] items-center text-[19px] leading-[30px]">
        {satang === undefined ? <Skeleton className="h-5 w-24" /> : <Price satang={satang} />}
      </div>
      <p className={ready && satang ? 'text-caption font-medium text-ok-text' : 'text-caption text-quiet'}>{line}</p>
    </div>
  );
}
