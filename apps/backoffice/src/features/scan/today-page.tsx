import { Plural, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { pages, type Row } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useTexts, useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { DateInput, isDay } from '@wlv/ui/date-input';
import { Field } from '@wlv/ui/field';
import { baht, calendarDay, date, time } from '@wlv/ui/format';
import { MovementRowSkeleton } from '@wlv/ui/movement-row';
import { EmptyState } from '@wlv/ui/state';
import { ScanLine, TicketCheck } from 'lucide-react';
import { ScanMenu } from './scan-menu.tsx';
import { useServicePoint } from './service-point.ts';
import { ServicePointChoice } from './service-point-choice.tsx';

/** What was used here today, or on the day that the address says, latest first. */
export function TodayPage() {
  const { t } = useLingui();
  const text = useTexts();
  const { servicePoints, servicePoint, choose } = useServicePoint();
  const { day, choose: chooseDay } = useDay();
  const title = day ? t`Used on ${date(day)}` : t`Used today`;
  useTitle(title);
  return (
    <main id="content" className="mx-auto grid max-w-[760px] grid-cols-1 gap-4 px-4 pb-28 pt-3">
      <div className="flex items-center gap-2">
        <ScanMenu />
        <div className="min-w-0">
          <h1 className="text-h1 font-semibold">{title}</h1>
          {servicePoint && <p className="truncate text-caption text-quiet">{text(servicePoint, 'name')}</p>}
        </div>
      </div>
      {servicePoint && (
        <Field label={t`Day`}>
          <DateInput value={day ?? calendarDay(Date.now())} onChange={chooseDay} />
        </Field>
      )}
      {servicePoint ? (
        <Uses key={day} servicePoint={servicePoint.id} day={day} />
      ) : (
        <ServicePointChoice servicePoints={servicePoints} servicePoint={undefined} onChoose={choose} />
      )}
      <div className="fixed inset-x-0 bottom-0 bg-card px-4 pb-6 pt-3 shadow-foot">
        <Button asChild wide className="mx-auto flex max-w-[760px]">
          <Link to="/staff/scanqrcode">
            <ScanLine aria-hidden />
            {t`Scan`}
          </Link>
        </Button>
      </div>
    </main>
  );
}

/** The day in the address; today stands in none. */
function useDay() {
  const search = useSearch({ strict: false }) as { day?: string };
  const navigate = useNavigate();
  const asked = search.day ?? '';
  return {
    day: isDay(asked) && asked !== calendarDay(Date.now()) ? asked : undefined,
    choose(day: string | null) {
      if (day) void navigate({ to: '.', search: { day } as never, replace: true });
    },
  };
}

function Uses({ servicePoint, day }: { servicePoint: string; day: string | undefined }) {
  const { t } = useLingui();
  const uses = useInfiniteQuery({
    ...pages('/api/staff/get/activevoucher', { service_point_id: servicePoint, ...(day ? { day } : {}) }),
    refetchInterval: day ? false : 30_000,
  });
  if (uses.isPending) {
    return (
      <Card role="status" aria-label={t`Loading…`} className="py-1">
        <MovementRowSkeleton />
        <MovementRowSkeleton />
        <MovementRowSkeleton />
      </Card>
    );
  }
  if (uses.isError) {
    return <Failure title={t`This day's list did not load`} error={uses.error} onRetry={() => void uses.refetch()} />;
  }
  const rows = uses.data.pages.flatMap(({ data }) => data);
  if (!rows.length) {
    return day ? (
      <EmptyState title={t`Nobody came on this day`} line={t`Choose another day.`} />
    ) : (
      <EmptyState title={t`Nobody has come yet today`} line={t`Each voucher you confirm will stand here.`} />
    );
  }
  return (
    <>
      <Card className="divide-y px-4 py-1">
        {rows.map((use) => (
          <UseRow key={use.id} use={use} />
        ))}
      </Card>
      {uses.hasNextPage && (
        <Button variant="outline" disabled={uses.isFetchingNextPage} onClick={() => void uses.fetchNextPage()}>
          {t`Show more`}
        </Button>
      )}
    </>
  );
}

function UseRow({ use }: { use: Row<'/api/staff/get/activevoucher'> }) {
  const text = useTexts();
  return (
    <div className="flex items-center gap-3.5 py-3">
      <span className="grid size-[42px] shrink-0 place-items-center rounded-tile bg-ok-soft text-ok-text">
        <TicketCheck aria-hidden className="size-5" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="line-clamp-2 text-row font-medium">{text(use, 'name')}</span>
        <span className="block truncate text-caption text-quiet">
          {use.customer_name} · {use.staff}
        </span>
      </span>
      <span className="shrink-0 text-right">
        <span className="block text-row font-semibold">
          {use.kind === 'baht' ? baht(use.items) : <Plural value={use.items} one="# time" other="# times" />}
        </span>
        <span className="block text-caption text-quiet">{time(use.at)}</span>
      </span>
    </div>
  );
}
