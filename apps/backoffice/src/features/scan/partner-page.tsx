import { Plural, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { pages, type Row } from '@wlv/client/call';
import { useTexts } from '@wlv/client/page';
import { Card } from '@wlv/ui/card';
import { baht, time } from '@wlv/ui/format';
import { Price } from '@wlv/ui/price';
import { DayOfPlace } from './day-of-place.tsx';
import { UsesOfDay } from './uses-of-day.tsx';

/** What a partner earns of what was used at his place today, or on the day that the address says. */
export function PartnerPage() {
  const { t } = useLingui();
  return (
    <DayOfPlace title={(day) => (day ? t`Partner's commission on ${day}` : t`Partner's commission today`)}>
      {(servicePoint, day) => <Earned key={day} servicePoint={servicePoint} day={day} />}
    </DayOfPlace>
  );
}

function Earned({ servicePoint, day }: { servicePoint: string; day: string | undefined }) {
  const { t } = useLingui();
  const uses = useInfiniteQuery({
    ...pages('/api/staff/get/partnercommission', { service_point_id: servicePoint, ...(day ? { day } : {}) }),
    refetchInterval: day ? false : 30_000,
  });
  const first = uses.data?.pages[0];
  return (
    <UsesOfDay
      of={uses}
      today={!day}
      row={(use) => <UseRow key={use.id} use={use} />}
      head={
        first && (
          <Card className="px-4 py-3.5">
            <p className="text-caption text-quiet">{t`Commission of this day`}</p>
            <p className="text-h1 font-semibold">
              <Price satang={first.due_satang} />
            </p>
          </Card>
        )
      }
    />
  );
}

function UseRow({ use }: { use: Row<'/api/staff/get/partnercommission'> }) {
  const { t } = useLingui();
  const text = useTexts();
  const states = {
    none: t`No commission`,
    pending: t({ message: 'Pending', context: 'commission of a use' }),
    mature: t({ message: 'Final', context: 'commission of a use' }),
    open: t`The customer objects to it`,
    undone: t`This use was undone`,
  };
  return (
    <div className="flex items-center gap-3.5 py-3">
      <span className="min-w-0 flex-1">
        <span className="line-clamp-2 text-row font-medium">{text(use, 'name')}</span>
        <span className="block truncate text-caption text-quiet">
          {text(use, 'partner_name')} · {states[use.state]}
        </span>
      </span>
      <span className="shrink-0 text-right">
        <span className="block text-row font-semibold">{baht(use.due_satang)}</span>
        <span className="block text-caption text-quiet">
          {use.kind === 'baht' ? baht(use.items) : <Plural value={use.items} one="# time" other="# times" />} ·{' '}
          {time(use.at)}
        </span>
      </span>
    </div>
  );
}
