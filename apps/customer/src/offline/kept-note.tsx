import { useLingui } from '@lingui/react/macro';
import { wasAnswered } from '@wlv/client/api-error';
import { dateTime } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { WifiOff } from 'lucide-react';

/** Says of what time the shown vouchers are, where they could not be read anew. */
export function KeptNote({
  of,
}: {
  of: { data: unknown; dataUpdatedAt: number; failureCount: number; failureReason: unknown; fetchStatus: string };
}) {
  const { t } = useLingui();
  if (!of.data || (!of.failureCount && of.fetchStatus !== 'paused')) return null;
  const at = dateTime(of.dataUpdatedAt);
  return (
    <Note
      tone="warn"
      role="status"
      icon={<WifiOff aria-hidden />}
      title={wasAnswered(of.failureReason) ? t`Could not be read again. As of ${at}` : t`No connection. As of ${at}`}
    >
      {!('serviceWorker' in navigator)
        ? t`Your vouchers stay here while this page is open. Opening a QR needs a connection; one that is open goes on.`
        : t`Opening a QR needs a connection; one that is open goes on.`}
    </Note>
  );
}
