import { Plural, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { pages, type Row } from '@wlv/client/call';
import { useTexts } from '@wlv/client/page';
import { baht, time } from '@wlv/ui/format';
import { TicketCheck } from 'lucide-react';
import { DayOfPlace } from './day-of-place.tsx';
import { UsesOfDay } from './uses-of-day.tsx';

/** What was used here today, or on the day that the address says, latest first. */
export function TodayPage() {
  const { t } = useLingui();
  return (
    <DayOfPlace title={(day) => (day ? t`Used on ${day}` : t`Used today`)}>
      {(servicePoint, day) => <Uses key={day} servicePoint={servicePoint} day={day} />}
    </DayOfPlace>
  );
}

function Uses({ servicePoint, day }: { servicePoint: string; day: string | undefined }) {
  const uses = useInfiniteQuery({
    ...pages('/api/staff/get/activevoucher', { service_point_id: servicePoint, ...(day ? { day } : {}) }),
    refetchInterval: day ? false : 30_000,
  });
  return <UsesOfDay of={uses} today={!day} row={(use) => <UseRow key={use.id} use={use} />} />;
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
