import { useSearch } from '@tanstack/react-router';
import { LineCallback } from '@wlv/client/entry/line-callback';
import { usePage } from '@wlv/client/page';
import { finishLine } from '@wlv/client/sign-in';

/** The gate then looks where the agent wanted to be. */
export function CallbackPage() {
  const liffId = usePage().org?.liff.liffagent;
  return (
    <LineCallback
      brought={useSearch({ strict: false })}
      finish={(brought) => finishLine({ area: 'weloveagent', ...brought })}
      again={liffId && `/weloveagent/${liffId}/home`}
    />
  );
}
