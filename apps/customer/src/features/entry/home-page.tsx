import { useLingui } from '@lingui/react/macro';
import { LineButton } from '@wlv/client/entry/line-button';
import { BrandMark, useBrand, usePage, useTexts, useTitle } from '@wlv/client/page';
import { ownPath } from '@wlv/client/return-path';
import { useSearch } from '@wlv/client/router';
import { Button } from '@wlv/ui/button';
import { TicketDrawing } from '@wlv/ui/drawings';
import { Note } from '@wlv/ui/note';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { AreaLink, useArea } from '../../area.tsx';
import { customerAreas } from '../../pages.ts';
import { useWanted, WantedPurchase } from './wanted-purchase.tsx';

interface HomeSearch {
  /** Where to go after signing in. */
  next?: string;
  /** Why the person stands here. */
  reason?: 'over' | 'out' | 'erased' | 'profile';
}

/** The way in: the shop's name, LINE, and a look around without signing in. */
export function HomePage() {
  const { t } = useLingui();
  const { org } = usePage();
  const brand = useBrand();
  const text = useTexts();
  const { next } = useSearch<HomeSearch>();
  const [first, ...more] = useWanted(ownPath(next, customerAreas));
  useTitle(t`Sign in`);

  return (
    <div className="mx-auto grid min-h-[calc(100dvh-64px)] max-w-[440px] content-center justify-items-center gap-2 px-6 py-12 text-center">
      <BrandMark size={72} />
      <h1 className="mt-4 text-h1 font-semibold">{brand}</h1>
      {org && <p className="text-row text-muted-foreground">{text(org, 'tagline')}</p>}
      {first ? (
        <WantedPurchase lines={[first, ...more]} />
      ) : (
        <div className="my-4">
          <TicketDrawing />
        </div>
      )}
      <p className="text-row text-muted-foreground">
        {t`Sign in with LINE to buy, keep and use vouchers. No password to remember.`}
      </p>
      <Reason />
      <SignIn />
      <Button asChild variant="ghost" wide>
        <AreaLink page="market">{t`Look around first`}</AreaLink>
      </Button>
    </div>
  );
}

function Reason() {
  const { t } = useLingui();
  const { reason } = useSearch<HomeSearch>();
  if (reason === 'out') {
    return (
      <Note tone="ok" role="status" icon={<CircleCheck aria-hidden />} className="mt-4 w-full text-left">
        {t`You have signed out.`}
      </Note>
    );
  }
  if (reason === 'erased') {
    return (
      <Note tone="ok" role="status" icon={<CircleCheck aria-hidden />} className="mt-4 w-full text-left">
        {t`Your data has been erased.`}
      </Note>
    );
  }
  if (reason === 'over' || reason === 'profile') {
    return (
      <Note tone="warn" role="status" icon={<CircleAlert aria-hidden />} className="mt-4 w-full text-left">
        {reason === 'over'
          ? t`Your session has ended. Sign in again to go on; your cart is kept.`
          : t`We couldn't open your account. Sign in again to go on; your cart is kept.`}
      </Note>
    );
  }
  return null;
}

function SignIn() {
  const { next } = useSearch<HomeSearch>();
  const { liffId, path } = useArea();
  const { org } = usePage();
  return (
    <LineButton
      className="mt-4"
      start={{
        audience: 'user',
        returnTo: ownPath(next, customerAreas) ?? path('market'),
        ...(org ? { unique: org.unique } : {}),
        ...(liffId ? { liffId } : {}),
      }}
    />
  );
}
