import { useQuery } from '@tanstack/react-query';
import { wasAnswered } from '@wlv/client/api-error';
import { query } from '@wlv/client/call';
import { loadMoreMessages } from '@wlv/client/language';
import { usePage } from '@wlv/client/page';
import { useFacts, useLocation } from '@wlv/client/router';
import { once } from '@wlv/client/routes';
import { useComing } from '@wlv/client/use-coming';
import { useRealtime } from '@wlv/client/use-realtime';
import { useSignedIn } from '@wlv/client/use-signed-in';
import { SkipLink } from '@wlv/ui/skip-link';
import { clsx } from 'clsx';
import { type ReactNode, useEffect, useState } from 'react';
import { useArea } from '../area.tsx';
import { messageCatalog } from '../messages.ts';
import { useProfile } from './profile.ts';
import { useQuiet } from './quiet.ts';
import { useSaleLink } from './sale-link.ts';
import { DesktopTabs, PhoneTabs, type Tab } from './tabs.tsx';

declare module '@wlv/client/routes' {
  interface Facts {
    /** The tab that is lit; pages without one show no bottom tabs. */
    tab?: Tab;
    /** The page fills the whole screen with colour. */
    bare?: boolean;
    /** Visitors may not see it. */
    closed?: boolean;
    /** A suspended shop does not have it. */
    sells?: boolean;
  }
}

/** Nothing is said before somebody has done something. */
const toaster = once(async () => (await import('@wlv/ui/toaster')).Toaster);

/** A part that comes with the sentences of all such. */
const part = <Module, Part>(load: () => Promise<Module>, of: (module: Module) => Part) =>
  once(async () => {
    const [module] = await Promise.all([load(), loadMoreMessages(messageCatalog)]);
    return of(module);
  });

/** Only on the platform's own host. */
const noShop = part(
  () => import('./no-shop.tsx'),
  (module) => module.NoShop,
);

/** Only while the shop is suspended. */
const resting = part(
  () => import('./resting.tsx'),
  (module) => module.Resting,
);

/** Comes only when the shop asks for something. */
const consentGate = part(
  () => import('@wlv/client/entry/consent-gate'),
  (module) => module.ConsentGate,
);

/** Comes only where the shop sells to its members, or for who came with a card: a `memberid` or `membertoken` in the address. */
const gate = once(async () => (await import('./gate.tsx')).Gate);

/** The frame of all customer screens: tabs below on a phone, on top of a large screen. */
export function Shell({ children }: { children: ReactNode }) {
  const { tab, bare, sells } = useFacts();
  const { org } = usePage();
  const { path } = useArea();
  const { search } = useLocation();
  const signedIn = useSignedIn('user');
  const quiet = useQuiet();
  const Toaster = useComing(toaster, useTouched());
  useSaleLink(signedIn);
  useSignInAnew();
  useRealtime('user', Boolean(signedIn && quiet));
  const consents = useQuery({
    ...query('/api/user/consent/open', {}),
    enabled: Boolean(signedIn && quiet),
    staleTime: Number.POSITIVE_INFINITY,
  });
  useServiceWorker(Boolean(signedIn && quiet));
  useLineReport(Boolean(signedIn && quiet));
  const open = signedIn ? (consents.data?.data ?? []) : [];
  const ConsentGate = useComing(consentGate, open.length > 0);
  const Gate = useComing(gate, Boolean(org?.members && signedIn) || search.includes('member'));
  const NoShop = useComing(noShop, !org);
  const rests = Boolean(org?.suspended && sells);
  const Resting = useComing(resting, rests);

  return (
    <>
      <SkipLink />
      {org && !bare && <DesktopTabs active={tab} />}
      <main id="content" className={clsx(tab && 'over-tabs pb-24 lg:pb-12')}>
        {org && !rests && children}
        {rests && Resting && <Resting />}
        {NoShop && <NoShop />}
      </main>
      {org && tab && <PhoneTabs active={tab} />}
      {Gate && <Gate />}
      {ConsentGate && <ConsentGate audience="user" open={open} entry={path('home')} />}
      {Toaster && <Toaster />}
    </>
  );
}

/** My vouchers open without a connection, for who is signed in. */
function useServiceWorker(wanted: boolean) {
  const { base } = useArea();
  useEffect(() => {
    if (!wanted) return;
    void import('../offline/register.ts').then(({ registerServiceWorker }) => registerServiceWorker(base));
  }, [wanted, base]);
}

/** What the shop sends to LINE is written in the language of the app. It is reported anew on the next visit where that fails. */
function useLineReport(wanted: boolean) {
  const { liffId } = useArea();
  useEffect(() => {
    if (!wanted) return;
    void import('./line-report.ts').then(({ reportLine }) => reportLine(liffId)).catch(() => undefined);
  }, [wanted, liffId]);
}

/** True from the first touch or key on. */
function useTouched() {
  const [touched, setTouched] = useState(false);
  useEffect(() => {
    const touch = () => setTouched(true);
    for (const event of ['pointerdown', 'keydown'])
      window.addEventListener(event, touch, { once: true, capture: true });
  }, []);
  return touched;
}

/** Whose profile the server does not give signs in anew; the home asks, and goes nowhere by itself. */
function useSignInAnew() {
  const { closed } = useFacts();
  const { href } = useLocation();
  const { go } = useArea();
  const { data, error, refetch } = useProfile();
  const failed = !data && wasAnswered(error);
  useEffect(() => {
    if (!failed || !closed) return;
    void go('home', { reason: 'profile', next: href }, { replace: true });
    // It may be there by the time he goes on without signing in.
    void refetch();
  }, [failed, closed, href, go, refetch]);
}
