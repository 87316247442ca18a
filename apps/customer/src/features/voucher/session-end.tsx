import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { invalidates, mutation } from '@wlv/client/call';
import { Button } from '@wlv/ui/button';
import { EmptyState } from '@wlv/ui/state';
import { useEffect } from 'react';
import { AreaLink, useArea } from '../../area.tsx';
import { InnerPage } from '../../shell/inner.tsx';
import { forgetSession } from './use-session.ts';

/** Ten minutes have passed: nothing was used. */
export function SessionEnded({ voucherId }: { voucherId: string }) {
  const { t } = useLingui();
  useEffect(() => forgetSession(voucherId), [voucherId]);
  return (
    <InnerPage title={t`Use the voucher`} parent={`activevoucher/${voucherId}`}>
      <EmptyState
        title={t`The time for this QR is over`}
        line={t`Nothing was used. The voucher is ready again, and you can open a new QR.`}
        action={
          <Button asChild>
            <AreaLink page={`activevoucher/${voucherId}/use`} replace>{t`Open a new QR`}</AreaLink>
          </Button>
        }
      />
    </InnerPage>
  );
}

/** The secret stays in the phone that opened it. */
export function SessionElsewhere({ voucherId, useSession }: { voucherId: string; useSession: string | undefined }) {
  const { t } = useLingui();
  const { go } = useArea();
  const cancel = useMutation({
    ...mutation('/api/user/voucher/use/cancel'),
    onSuccess: invalidates('/api/user/voucher/list', '/api/user/voucher/detail'),
  });
  const again = () => void go(`activevoucher/${voucherId}/use`, {}, { replace: true });
  return (
    <InnerPage title={t`Use the voucher`} parent={`activevoucher/${voucherId}`}>
      <EmptyState
        title={t`This QR was opened elsewhere`}
        line={t`It is shown only on the phone that opened it. You can cancel that one and open a new QR here.`}
        action={
          <Button
            disabled={cancel.isPending}
            onClick={() => (useSession ? cancel.mutate({ id: useSession }, { onSuccess: again }) : again())}
          >{t`Open a new QR here`}</Button>
        }
      />
    </InnerPage>
  );
}
