import { useLingui } from '@lingui/react/macro';
import { Select } from '@wlv/ui/select';
import { useArea } from '../../area.tsx';
import { monthName } from '../../shop/month-name.ts';
import type { Month } from './event.ts';

/** Stands for all months, because a choice has a value. */
const all = 'all';

/** The months in which something happened. */
export function MonthChoice({ months, chosen, part }: { months: Month[]; chosen: string; part: string }) {
  const { t, i18n } = useLingui();
  const { go } = useArea();
  // An address may name a month in which nothing happened.
  const listed = months.map(({ month }) => month);
  const names = chosen && !listed.includes(chosen) ? [chosen, ...listed] : listed;
  return (
    <span className="w-[150px]">
      <Select
        label={t`Month`}
        size="office"
        value={chosen || all}
        onChange={(month) =>
          void go('history', { part: part || undefined, month: month === all ? undefined : month }, { replace: true })
        }
        options={[
          { value: all, label: t`All months` },
          ...names.map((month) => ({ value: month, label: monthName(month, i18n.locale) })),
        ]}
      />
    </span>
  );
}
