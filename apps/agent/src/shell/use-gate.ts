import { useEffect } from 'react';
import { useArea } from '../area.tsx';
import { takeWantedPage } from '../pages.ts';
import { useProfile } from './profile.ts';

/** An agent goes on to the page he wanted; who is none reads at `register` how one becomes one (specification 2.4). */
export function useGate() {
  const agent = useProfile().data?.agent;
  const { page, go } = useArea();

  useEffect(() => {
    if (agent === undefined) return;
    if (!agent) {
      if (page !== 'register') void go('register', {}, { replace: true });
      return;
    }
    const wanted = takeWantedPage();
    const next = wanted && wanted !== 'register' ? wanted : page === 'register' ? 'home' : page;
    if (next !== page) void go(next as 'home', {}, { replace: true });
  }, [agent, page, go]);
}
