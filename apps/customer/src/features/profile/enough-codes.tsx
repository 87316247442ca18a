import { useLingui } from '@lingui/react/macro';
import { dateTime, daysLeft, time } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Clock } from 'lucide-react';

/** No more codes for hours. */
export function EnoughCodes({ until }: { until: string }) {
  const { t } = useLingui();
  const when = daysLeft(until) === 0 ? time(until) : dateTime(until);
  return (
    <Note tone="bad" role="alert" icon={<Clock aria-hidden />} title={t`No more codes for now`}>
      {t`Too many codes were asked for. You can ask for the next one after ${when}.`}
    </Note>
  );
}
