import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { errorSentence } from '@wlv/client/api-error';
import { useBrand, usePage, useTexts, useTitle } from '@wlv/client/page';
import { startLine } from '@wlv/client/sign-in';
import { Button } from '@wlv/ui/button';
import { TicketDrawing } from '@wlv/ui/drawings';
import { Note } from '@wlv/ui/note';
import { OrgMark, PlatformMark } from '@wlv/ui/org-mark';
import { CircleAlert, CircleCheck, MessageCircle } from 'lucide-react';
import { AreaLink, useArea } from '../../area.tsx';

interface HomeSearch {
  /** Where to go after signing in. */
  next?: string;
  /** Why the person stands here. */
  reason?: 'over' | 'out' | 'erased';
}

/** The way in: the shop's name, LINE, and a look around without signing in. */
export function HomePage() {
  const { t } = useLingui();
  const { org } = usePage();
  const brand = useBrand();
  const text = useTexts();
  useTitle(t`Sign in`);

  return (
    <div className="mx-auto grid min-h-[calc(100dvh-64px)] max-w-[440px] content-center justify-items-center gap-2 px-6 py-12 text-center">
      {org ? <OrgMark logo={org.logo_url} name={brand} size={72} /> : <PlatformMark size={72} />}
      <h1 className="mt-4 text-h1 font-semibold">{brand}</h1>
      {org && <p className="text-row text-muted-foreground">{text(org, 'tagline')}</p>}
      <div className="my-4">
        <TicketDrawing />
      </div>
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
  const { reason } = useSearch({ strict: false }) as HomeSearch;
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
  if (reason === 'over') {
    return (
      <Note tone="warn" role="status" icon={<CircleAlert aria-hidden />} className="mt-4 w-full text-left">
        {t`Your session has ended. Sign in again to go on; your cart is kept.`}
      </Note>
    );
  }
  return null;
}

function SignIn() {
  const { t, i18n } = useLingui();
  const { next } = useSearch({ strict: false }) as HomeSearch;
  const { liffId, path } = useArea();
  const { org } = usePage();
  const start = useMutation({
    mutationFn: () =>
      startLine({
        audience: 'user',
        returnTo: next ?? path('market'),
        ...(org ? { unique: org.unique } : {}),
        ...(liffId ? { liffId } : {}),
      }),
  });
  return (
    <>
      <Button variant="line" wide className="mt-4" disabled={start.isPending} onClick={() => start.mutate()}>
        <MessageCircle aria-hidden />
        {start.isPending ? t`Opening LINE…` : t`Sign in with LINE`}
      </Button>
      {start.isError && (
        <Note tone="bad" role="alert" icon={<CircleAlert aria-hidden />} className="w-full text-left">
          {errorSentence(i18n, start.error)}
        </Note>
      )}
    </>
  );
}
