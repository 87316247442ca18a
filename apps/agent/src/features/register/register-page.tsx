import { useLingui } from '@lingui/react/macro';
import { useTitle } from '@wlv/client/page';
import { Skeleton } from '@wlv/ui/skeleton';
import { useState } from 'react';
import { useApplication } from '../../application/application.ts';
import { Intro } from '../../application/intro.tsx';
import { useArea } from '../../area.tsx';
import { Failure } from '../../shell/failure.tsx';
import { Ended } from './ended.tsx';
import { Fill } from './fill.tsx';
import { Refused } from './refused.tsx';
import { Waiting } from './waiting.tsx';

/** Becoming an agent, as far as it is; and another form of who sells already. */
export function RegisterPage() {
  const { t } = useLingui();
  const { go } = useArea();
  const application = useApplication();
  const [filling, setFilling] = useState(false);
  useTitle(t`Become an agent`);

  if (application.isError) {
    return (
      <Failure
        title={t`Your application did not load`}
        error={application.error}
        onRetry={() => void application.refetch()}
      />
    );
  }
  if (application.isPending) {
    return (
      <div role="status" aria-label={t`Loading…`} className="mx-auto grid max-w-[560px] gap-4 px-4 pt-16">
        <Skeleton className="h-12" />
        <Skeleton className="h-64" />
      </div>
    );
  }
  const { data } = application;
  const sells = data.state === 'approved' || data.state === 'suspended';
  const waits = data.sent?.state === 'pending';
  const refused = data.sent?.state === 'refused' && (data.draft?.mend.length ?? 0) > 0;
  const toProfile = () => void go('profile');

  if (waits) return <Waiting application={data} />;
  if (data.state === 'refused' && !filling) return <Refused application={data} onFill={() => setFilling(true)} />;
  if (data.state === 'suspended' && !filling) return <Ended application={data} onFill={() => setFilling(true)} />;
  if (data.draft && (data.state !== 'left' || filling)) {
    return (
      <Fill
        draft={data.draft}
        title={sells ? t`Change your details` : t`Become an agent`}
        mend={refused ? data.draft.mend : []}
        {...(sells ? { onBack: toProfile } : {})}
      />
    );
  }
  if (data.state === 'left') return <Ended application={data} onFill={() => setFilling(true)} />;
  return <Intro sells={sells} />;
}
