import { useLingui } from '@lingui/react/macro';
import { EmptyState } from '@wlv/ui/state';
import { useAdminMenu } from '../administration.ts';
import { Elsewhere } from './elsewhere.tsx';

/** Where an admin comes in, and where a missing right leads: to the first screen that he may see, if there is one. */
export function AdminEntryPage() {
  const { t } = useLingui();
  const [first] = useAdminMenu();
  if (first) return <Elsewhere to={first.to} />;
  return (
    <EmptyState
      title={t`Nothing to see with this account yet`}
      line={t`Ask another administrator to give your account rights.`}
    />
  );
}
