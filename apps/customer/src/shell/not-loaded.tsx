import { useLingui } from '@lingui/react/macro';
import { Failure } from '@wlv/client/failure';
import { useTitle } from '@wlv/client/page';

/** Where a screen did not come, as without a connection, or broke. */
export function NotLoaded({ onRetry }: { onRetry: () => void }) {
  const { t } = useLingui();
  const title = t`This page did not load`;
  useTitle(title);
  return <Failure title={title} error={undefined} onRetry={onRetry} />;
}
