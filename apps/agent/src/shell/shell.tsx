import { useLingui } from '@lingui/react/macro';
import { Outlet, useMatches } from '@tanstack/react-router';
import { Toaster } from '@wlv/ui/toast';
import { clsx } from 'clsx';
import { lazy, Suspense } from 'react';
import { useArea } from '../area.tsx';
import { PhoneTabs, TopTabs } from './tabs.tsx';
import { useGate } from './use-gate.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The tab that is lit; pages without one show no tabs. */
    tab?: Tab;
  }
}

export type Tab = 'home' | 'history' | 'profile';

const ConsentGate = lazy(async () => ({ default: (await import('../features/entry/consent-gate.tsx')).ConsentGate }));

/** The frame of all agent screens: tabs below on a phone, on top of a large screen; none before signing in. */
export function Shell() {
  const { t } = useLingui();
  const { signedIn } = useArea();
  const lit = useMatches().at(-1)?.staticData.tab;
  const tab = signedIn ? lit : undefined;
  useGate();

  return (
    <>
      <a
        href="#content"
        className="sr-only rounded-control bg-popover px-4 py-2 focus:not-sr-only focus:fixed focus:left-4 focus:top-4 focus:z-50"
      >
        {t`Skip to content`}
      </a>
      {tab && <TopTabs active={tab} />}
      <main id="content" className={clsx(tab && 'pb-24 lg:pb-12')}>
        <Outlet />
      </main>
      {tab && <PhoneTabs active={tab} />}
      {signedIn && (
        <Suspense>
          <ConsentGate />
        </Suspense>
      )}
      <Toaster aboveTabs={Boolean(tab)} />
    </>
  );
}
