import { useLingui } from '@lingui/react/macro';
import { InnerPage } from '../../shell/inner.tsx';
import { Terms } from '../../shop/terms.tsx';

/** The texts that are in force, to read again at any time. */
export function ConsentsPage() {
  const { t } = useLingui();
  return (
    <InnerPage title={t`Terms and privacy`} parent="profile">
      <div className="pb-6">
        <Terms />
      </div>
    </InnerPage>
  );
}
