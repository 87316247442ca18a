import { useLocation } from '@tanstack/react-router';
import { wasAnswered } from '@wlv/client/api-error';
import { useEffect } from 'react';
import { useArea } from '../area.tsx';
import { takeWantedPage } from '../pages.ts';
import { useProfile } from './profile.ts';

/** An agent goes on to the page he wanted; who is none reads at `register` how one becomes one. */
export function useGate() {
  const { data, error } = useProfile();
  const agent = data?.agent;
  const failed = !data && wasAnswered(error);
  const { page, go } = useArea();
  const { href, searchStr } = useLocation();
  // Who sells already sends other details from there.
  const changes = page === 'register' && new URLSearchParams(searchStr).has('change');

  // Whose profile the server does not give signs in anew.
  useEffect(() => {
    if (failed && !href.includes('reason=')) void go('home', { reason: 'profile', next: href }, { replace: true });
  }, [failed, href, go]);

  useEffect(() => {
    if (agent === undefined) return;
    if (!agent) {
      if (page !== 'register') void go('register', {}, { replace: true });
      return;
    }
    const wanted = takeWantedPage();
    const next = wanted && wanted !== 'register' ? wanted : page === 'register' && !changes ? 'home' : page;
    if (next !== page) void go(next as 'home', {}, { replace: true });
  }, [agent, page, changes, go]);
}
