import { useLingui } from '@lingui/react/macro';
import { type Print, realtime } from '@wlv/client/realtime';
import { useEffect, useState } from 'react';

/** Why staff could not honour the code that this phone shows, until they scan it again. It is pushed only: a phone without connection shows nothing. */
export function useRefusal(session: string) {
  const { t } = useLingui();
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    const heed = (event: Event) => {
      const { topic, id, fault } = (event as CustomEvent<Print>).detail;
      if (topic === 'use' && id === session) setFault(fault);
    };
    realtime.addEventListener('print', heed);
    return () => realtime.removeEventListener('print', heed);
  }, [session]);
  if (!fault) return undefined;
  const sentences: Record<string, string> = {
    'voucher.other_service_point': t`You opened it for another place. Cancel it, and open it for the place where you are.`,
    'voucher.service_point_closed': t`This place takes no vouchers at the moment.`,
    'voucher.expired': t`Its last day is over.`,
    'voucher.not_today': t`It can't be used on this day.`,
    'voucher.not_at_this_hour': t`It can't be used at this hour.`,
    'voucher.closed_day': t`The place is closed on this day.`,
  };
  return sentences[fault] ?? t`Staff can't take it right now. They will tell you why.`;
}
