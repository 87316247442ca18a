import { useLingui } from '@lingui/react/macro';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTexts, useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { DateInput, isDay } from '@wlv/ui/date-input';
import { Field } from '@wlv/ui/field';
import { calendarDay, date } from '@wlv/ui/format';
import { ScanLine } from 'lucide-react';
import type { ReactNode } from 'react';
import { ScanMenu } from './scan-menu.tsx';
import { useServicePoint } from './service-point.ts';
import { ServicePointChoice } from './service-point-choice.tsx';

/** A page of one day at one place; the address says the day, and none is today. */
export function DayOfPlace({
  title,
  children,
}: {
  title: (day: string | undefined) => string;
  children: (servicePoint: string, day: string | undefined) => ReactNode;
}) {
  const { t } = useLingui();
  const text = useTexts();
  const { servicePoints, servicePoint, choose } = useServicePoint();
  const { day, choose: chooseDay } = useDay();
  const words = title(day && date(day));
  useTitle(words);
  return (
    <main id="content" className="mx-auto grid max-w-[760px] grid-cols-1 gap-4 px-4 pb-28 pt-3">
      <div className="flex items-center gap-2">
        <ScanMenu />
        <div className="min-w-0">
          <h1 className="text-h1 font-semibold">{words}</h1>
          {servicePoint && <p className="truncate text-caption text-quiet">{text(servicePoint, 'name')}</p>}
        </div>
      </div>
      {servicePoint ? (
        <>
          <Field label={t`Day`}>
            <DateInput value={day ?? calendarDay(Date.now())} onChange={chooseDay} />
          </Field>
          {children(servicePoint.id, day)}
        </>
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
