import { useLingui } from '@lingui/react/macro';
import { EmptyState } from '@wlv/ui/state';
import { usePerson } from '../../access/person.ts';
import { areas } from '../../area.ts';
import { Elsewhere } from '../../shell/elsewhere.tsx';

/** Where an admin comes in, and where a missing right leads: to what he may see, if there is anything. */
export function AdminEntryPage() {
  const { t } = useLingui();
  const { can } = usePerson();
  if (can('organize', 'v')) return <Elsewhere to={areas.admin.home} />;
  return (
    <EmptyState
      title={t`Nothing to see with this account yet`}
      line={t`Ask another administrator to give your account rights.`}
    />
  );
}
