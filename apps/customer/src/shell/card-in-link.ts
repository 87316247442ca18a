import { useLocation, useRouter, useSearch } from '@wlv/client/router';
import { useEffect } from 'react';

const names = ['memberid', 'membertoken'] as const;
const key = 'card'; // session.ts keeps it when a session ends

/** `?memberid=` and `?membertoken=` name a card that somebody came with. They are kept, and do not stay in the address. */
export function useCardInLink() {
  const asked = useSearch<Record<(typeof names)[number], string>>();
  const { pathname, search, hash } = useLocation();
  const { replace } = useRouter();
  const came = names.some((name) => asked[name]);
  useEffect(() => {
    if (!came) return;
    const rest = new URLSearchParams(search);
    const card = new URLSearchParams();
    for (const name of names) {
      const value = rest.get(name);
      if (value) card.set(name, value.slice(0, 40));
      rest.delete(name);
    }
    localStorage.setItem(key, card.toString());
    replace(`${pathname}${rest.size ? `?${rest}` : ''}${hash}`);
  }, [came, pathname, search, hash, replace]);
}

/** The card that somebody came with, as calls name it. */
export function cardInLink() {
  const card = new URLSearchParams(localStorage.getItem(key) ?? '');
  return Object.fromEntries(card) as Partial<Record<(typeof names)[number], string>>;
}
