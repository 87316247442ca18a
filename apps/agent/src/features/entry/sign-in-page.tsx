import { useLingui } from '@lingui/react/macro';
import { useSearch } from '@tanstack/react-router';
import { LineButton } from '@wlv/client/entry/line-button';
import { BrandMark, useBrand, useTitle } from '@wlv/client/page';
import { ownPath } from '@wlv/client/return-path';
import { TicketDrawing } from '@wlv/ui/drawings';
import { Note } from '@wlv/ui/note';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useArea } from '../../area.tsx';

interface SignInSearch {
  /** Where to go after signing in. */
  next?: string;
  /** Why the person stands here. */
  reason?: 'over' | 'out' | 'profile';
}

/** The way in: the shop's name, what an agent does here, and LINE. */
export function SignInPage() {
  const { t } = useLingui();
  const brand = useBrand();
  useTitle(t`Sign in`);

  return (
    <div className="mx-auto grid min-h-dvh max-w-[440px] content-center justify-items-center gap-2 px-6 py-12 text-center">
      <BrandMark size={72} />
      <h1 className="mt-4 text-h1 font-semibold">{brand}</h1>
      <p className="text-row text-muted-foreground">{t`For agents`}</p>
      <div className="my-4">
        <TicketDrawing />
      </div>
      <p className="text-row text-muted-foreground">
        {t`Share links to packages and earn commission each time somebody buys. Sign in with LINE; no password to remember.`}
      </p>
      <Reason />
      <SignIn />
    </div>
  );
}

function Reason() {
  const { t } = useLingui();
  const { reason } = useSearch({ strict: false }) as SignInSearch;
  if (reason === 'out') {
    return (
      <Note tone="ok" role="status" icon={<CircleCheck aria-hidden />} className="mt-4 w-full text-left">
        {t`You have signed out.`}
      </Note>
    );
  }
  if (reason === 'over' || reason === 'profile') {
    return (
      <Note tone="warn" role="status" icon={<CircleAlert aria-hidden />} className="mt-4 w-full text-left">
        {reason === 'over'
          ? t`Your session has ended. Sign in again to go on.`
          : t`We couldn't open your account. Sign in again to go on.`}
      </Note>
    );
  }
  return null;
}

function SignIn() {
  const { next } = useSearch({ strict: false }) as SignInSearch;
  const { liffId, path } = useArea();
  return (
    <LineButton
      className="mt-4"
      start={{ audience: 'agent', liffId, returnTo: ownPath(next, ['weloveagent']) ?? path('home') }}
    />
  );
}
