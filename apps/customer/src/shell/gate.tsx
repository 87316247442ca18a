import { useQuery } from '@tanstack/react-query';
import { call } from '@wlv/client/call';
import { usePage } from '@wlv/client/page';
import { useFacts, useLocation, useRouter } from '@wlv/client/router';
import { session } from '@wlv/client/session';
import { useSignedIn } from '@wlv/client/use-signed-in';
import { useEffect } from 'react';
import { useArea } from '../area.tsx';
import { cardInLink, useCardInLink } from './card-in-link.ts';

const wantedKey = 'gate:wanted';
const passedKey = 'gate:passed';

/** Where the gate lets everybody: who comes in, what makes a member, and the money for it. */
const ungated = /\/(home|member|registermember|wallet\/topup(\/.+)?)\/?$/i;

/** Where the shop's gate sends who is signed in: nowhere, to the card, or to its form. The server decides it. */
export function useGate() {
  const { org } = usePage();
  const signedIn = useSignedIn('user');
  const { data } = useQuery({
    queryKey: ['/api/authen/rechecktoken', 'gate'],
    queryFn: () =>
      call('/api/authen/rechecktoken', { token: session.token('user') ?? '', ...cardInLink() }, { as: 'user' }),
    enabled: Boolean(org?.members && signedIn),
    staleTime: 60_000,
    meta: { audience: 'user' },
  });
  return data?.gate;
}

interface Wanted {
  href: string;
  /** Nothing is sold there. */
  own: boolean;
}

/** Where a customer wanted to go before the gate. */
export function wantedPage(): Wanted | undefined {
  const kept = sessionStorage.getItem(wantedKey);
  return kept ? (JSON.parse(kept) as Wanted) : undefined;
}

/** Lets a customer go on to what he has, for this visit. */
export function passGate() {
  sessionStorage.setItem(passedKey, '1');
}

/**
 * Sends who has to be a member first to the card, and on to where he wanted to go once he is one. What he has he may use, so the
 * gate has a link there: who follows it is sent back only from where something is sold.
 */
export function Gate() {
  useCardInLink();
  const { closed, sells } = useFacts();
  const { href, pathname } = useLocation();
  // What a link of a gift leads to is no page of the area.
  const gated = closed !== undefined && !ungated.test(pathname);
  const { replace } = useRouter();
  const { go } = useArea();
  const to = useGate();
  useEffect(() => {
    if (to) {
      if (!gated || (!sells && sessionStorage.getItem(passedKey))) return;
      sessionStorage.setItem(wantedKey, JSON.stringify({ href, own: !sells } satisfies Wanted));
      void go(to, {}, { replace: true });
    } else if (to === '') {
      const wanted = wantedPage();
      sessionStorage.removeItem(wantedKey);
      sessionStorage.removeItem(passedKey);
      if (wanted && !gated) replace(wanted.href);
    }
  }, [to, gated, sells, href, go, replace]);
  return null;
}
