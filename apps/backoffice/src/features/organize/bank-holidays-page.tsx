import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { invalidates, mutation, query, type Row } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Dialog } from '@wlv/ui/dialog';
import { calendarDay, date } from '@wlv/ui/format';
import { IconButton } from '@wlv/ui/icon-button';
import { Note } from '@wlv/ui/note';
import { Skeleton } from '@wlv/ui/skeleton';
import { CalendarOff, ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { Question } from '../../record/question.tsx';
import { AddHoliday, ChangeHoliday } from './bank-holiday-form.tsx';

type Holiday = Row<'/api/admin/bankholiday/list'>;

const list = '/api/admin/bankholiday/list';

/** How many years from this one are looked at: the server takes no day that is further away. */
const years = 5;

/** The days of a year on which banks are closed. No payout is proposed for a year without any. */
export function BankHolidaysPage() {
  const { t } = useLingui();
  useTitle(t`Bank holidays`);
  const { can } = usePerson();
  const may = can('payment', 'u');
  const year = useYear();
  const days = useQuery(query(list, { year }));
  return (
    <div className="mx-auto grid w-full max-w-[1000px] grid-cols-1 gap-5 px-4 pb-16 pt-6 sm:px-7">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-80">
          <h1 className="text-h1-office font-semibold">{t`Bank holidays`}</h1>
          <p className="text-muted-foreground">
            {t`Payouts are paid on bank days: Monday to Friday, except these days. Weekends need not be added.`}
          </p>
        </div>
        <Years year={year} />
      </div>
      {days.isPending && <Skeleton className="h-40 rounded-card" />}
      {days.isError && <Failure title={t`This did not load`} error={days.error} onRetry={() => void days.refetch()} />}
      {days.data && <Days key={year} year={year} days={days.data.data} may={may} />}
      {may && <AddHoliday />}
    </div>
  );
}

const thisYear = () => Number(calendarDay(Date.now()).slice(0, 4));

/** The year of the address, or this one. */
function useYear() {
  const { year } = useSearch({ strict: false }) as { year?: string | number };
  const now = thisYear();
  const asked = Number(year ?? now);
  return Number.isInteger(asked) && Math.abs(asked - now) <= years ? asked : now;
}

function Years({ year }: { year: number }) {
  const { t } = useLingui();
  const buddhist = year + 543;
  return (
    <nav aria-label={t`Year`} className="flex items-center gap-1">
      <Other year={year - 1} label={t`The year before`} icon={<ChevronLeft aria-hidden />} />
      <h2 className="min-w-44 text-center font-semibold">{t`${year} (B.E. ${buddhist})`}</h2>
      <Other year={year + 1} label={t`The year after`} icon={<ChevronRight aria-hidden />} />
    </nav>
  );
}

function Other({ year, label, icon }: { year: number; label: string; icon: ReactNode }) {
  if (Math.abs(year - thisYear()) > years) {
    return (
      <IconButton label={label} disabled>
        {icon}
      </IconButton>
    );
  }
  return (
    <IconButton label={label} asChild>
      <Link to="/advwsadmin/bankholiday_list" search={{ year: String(year) }}>
        {icon}
      </Link>
    </IconButton>
  );
}

function Days({ year, days, may }: { year: number; days: Holiday[]; may: boolean }) {
  const { t } = useLingui();
  const [going, setGoing] = useState<Holiday>();
  const [changed, setChanged] = useState<Holiday>();
  return (
    <>
      {days.length ? (
        <Card office className="overflow-clip">
          <ul className="divide-y">
            {days.map((day) => (
              <OneDay
                key={day.day}
                day={day}
                may={may}
                onChange={() => setChanged(day)}
                onRemove={() => setGoing(day)}
              />
            ))}
          </ul>
        </Card>
      ) : (
        <Note tone="warn" icon={<CalendarOff aria-hidden />} title={t`${year} has no bank holidays yet`}>
          {t`Payouts of ${year} cannot be proposed until its days are added, as the Bank of Thailand announces them. Please add all of them: the year counts as complete from the first one.`}
        </Note>
      )}
      {changed && <ChangeHoliday day={changed} onClose={() => setChanged(undefined)} />}
      {going && <RemoveHoliday day={going} last={days.length === 1} onClose={() => setGoing(undefined)} />}
    </>
  );
}

function OneDay({
  day,
  may,
  onChange,
  onRemove,
}: {
  day: Holiday;
  may: boolean;
  onChange: () => void;
  onRemove: () => void;
}) {
  const { t, i18n } = useLingui();
  const on = date(day.day);
  const weekday = new Intl.DateTimeFormat(i18n.locale, { weekday: 'long', timeZone: 'UTC' }).format(new Date(day.day));
  const thai = i18n.locale === 'th';
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <span className="w-28">
        <span className="block font-medium">{on}</span>
        <span className="block text-caption text-quiet">{weekday}</span>
      </span>
      <span className="min-w-0 flex-1 basis-60 wrap-break-word">
        <span className="block font-medium">{thai ? day.name_th : day.name_en}</span>
        <span className="block text-caption text-quiet">{thai ? day.name_en : day.name_th}</span>
        <span className="block text-caption text-quiet">{day.source}</span>
      </span>
      {may && (
        <span className="flex gap-2">
          <Button size="row" variant="outline" aria-label={t`Change ${on}`} onClick={onChange}>
            {t`Change`}
          </Button>
          <Button size="row" variant="ghost" aria-label={t`Remove ${on}`} onClick={onRemove}>
            {t`Remove`}
          </Button>
        </span>
      )}
    </li>
  );
}

function RemoveHoliday({ day, last, onClose }: { day: Holiday; last: boolean; onClose: () => void }) {
  const { t } = useLingui();
  const remove = useMutation({ ...mutation('/api/admin/bankholiday/remove'), onSuccess: invalidates(list) });
  const on = date(day.day);
  const year = day.day.slice(0, 4);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <Question
        title={t`Remove ${on}?`}
        line={
          last
            ? t`It is the last one of ${year}. Payouts of ${year} cannot be proposed until another day is added.`
            : t`Banks count as open on this day then, and payouts can be paid on it.`
        }
        keep={t`Keep`}
        button={t`Remove`}
        takesAway
        of={remove}
        onYes={() => remove.mutate({ day: day.day }, { onSuccess: onClose })}
        onDone={onClose}
      />
    </Dialog>
  );
}
