import { useQuery } from '@tanstack/react-query';
import { Outlet, useMatches } from '@tanstack/react-router';
import { query } from '@wlv/client/call';
import { SkipLink } from '@wlv/ui/skip-link';
import { Toaster } from '@wlv/ui/toaster';
import { clsx } from 'clsx';
import { lazy, Suspense } from 'react';
import { useArea } from '../area.tsx';
import { DesktopTabs, PhoneTabs, type Tab } from './tabs.tsx';
import { useGate } from './use-gate.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The tab that is lit; pages without one show no tabs. */
    tab?: Tab;
  }
}

/** Comes only when the shop asks for something. */
const ConsentGate = lazy(async () => ({ default: (await import('@wlv/client/entry/consent-gate')).ConsentGate }));

/** The frame of all agent screens: tabs below on a phone, on top of a large screen; none before signing in. */
export function Shell() {
  const { signedIn, path, page } = useArea();
  const lit = useMatches().at(-1)?.staticData.tab;
  const tab = signedIn ? lit : undefined;
  useGate();
  const consents = useQuery({
    ...query('/api/agent/consent/open', {}),
    enabled: signedIn,
    staleTime: Number.POSITIVE_INFINITY,
  });
  // The registration asks for them with its form.
  const open = signedIn && page !== 'register' ? (consents.data?.data ?? []) : [];

  return (
    <>
      <SkipLink />
      {tab && <DesktopTabs active={tab} />}
      <main id="content" className={clsx(tab && 'over-tabs pb-24 lg:pb-12')}>
        <Outlet />
      </main>
      {tab && <PhoneTabs active={tab} />}
      {open.length > 0 && (
        <Suspense>
          <ConsentGate audience="agent" open={open} entry={path('home')} />
        </Suspense>
      )}
      <Toaster />
    </>
  );
}
