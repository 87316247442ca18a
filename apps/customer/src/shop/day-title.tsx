import { useLingui } from '@lingui/react/macro';
import { date } from '@wlv/ui/format';

/** The heading of a day's rows; `day` is as byDay writes it. */
export function DayTitle({ day, level: Heading = 'h2' }: { day: string; level?: 'h2' | 'h3' }) {
  const { t } = useLingui();
  return (
    <Heading className="px-1 pb-1.5 pt-1 text-caption font-medium text-quiet">
      {day === date(Date.now()) ? t`Today ${day}` : day}
    </Heading>
  );
}
