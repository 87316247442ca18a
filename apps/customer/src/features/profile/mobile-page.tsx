import { useLingui } from '@lingui/react/macro';
import type { Detail } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useReplace } from '@wlv/client/replace';
import { ownPath } from '@wlv/client/return-path';
import { useSearch } from '@wlv/client/router';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { phone } from '@wlv/ui/phone';
import { Skeleton } from '@wlv/ui/skeleton';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { AreaLink } from '../../area.tsx';
import { customerAreas } from '../../pages.ts';
import { InnerPage } from '../../shell/inner.tsx';
import { useProfile } from '../../shell/profile.ts';
import { useCodeRequest } from './mobile.ts';
import { MobileCode } from './mobile-code.tsx';
import { MobileNumber } from './mobile-number.tsx';

/** A mobile number, and the code that proves it. `return` in the address is where to go on. */
export function MobilePage() {
  const { t } = useLingui();
  const profile = useProfile();
  return (
    <InnerPage title={t`Mobile number`} parent="profile" foot>
      {profile.isPending && <Skeleton className="h-64 rounded-card" />}
      {profile.isError && (
        <Failure title={t`Your profile did not load`} error={profile.error} onRetry={() => void profile.refetch()} />
      )}
      {profile.data && <Proof profile={profile.data} />}
    </InnerPage>
  );
}

function Proof({ profile }: { profile: Detail<'/api/user/profile/customer'> }) {
  const code = useCodeRequest();
  const [typed, setTyped] = useState('');
  const [step, setStep] = useState<'number' | 'code' | 'done'>('number');
  const [mobile, setMobile] = useState('');

  if (step === 'done') return <Verified mobile={mobile} />;
  if (step === 'code') {
    const change = () => {
      code.request.reset();
      setStep('number');
    };
    return <MobileCode mobile={mobile} code={code} onChange={change} onVerified={() => setStep('done')} />;
  }
  const enter = (number: string) => {
    setMobile(number);
    setStep('code');
  };
  return (
    <MobileNumber
      verified={profile.mobile_verified ? profile.mobilenumber : null}
      typed={typed}
      onType={setTyped}
      code={code}
      onCode={enter}
    />
  );
}

function Verified({ mobile }: { mobile: string }) {
  const { t } = useLingui();
  const replace = useReplace();
  const wanted = useSearch<{ return: string }>().return;
  const returnTo = ownPath(wanted, customerAreas);
  const number = phone(mobile);
  return (
    <div role="status" className="grid justify-items-center px-6 pt-14 text-center">
      <span className="grid size-16 place-items-center rounded-full bg-ok-soft text-ok-text">
        <Check aria-hidden className="size-8" strokeWidth={2.5} />
      </span>
      <h2 className="mt-4 text-h1 font-semibold">{t`Your number is verified`}</h2>
      <p className="mt-1 text-row text-muted-foreground">{number}</p>
      <ActionFoot>
        {returnTo ? (
          <Button wide onClick={() => replace(returnTo)}>{t`Carry on`}</Button>
        ) : (
          <Button asChild wide>
            <AreaLink page="profile" back>{t`Back to your profile`}</AreaLink>
          </Button>
        )}
      </ActionFoot>
    </div>
  );
}
