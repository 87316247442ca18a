import { useLocation, useRouter, useSearch } from '@wlv/client/router';
import { useEffect } from 'react';

const names = ['memberid', 'membertoken'] as const;

/** `?memberid=` and `?membertoken=` name a card that somebody came with. They are kept, and do not stay in the address. */
export function useCardInLink() {
  const asked = useSearch<Record<(typeof names)[number], string>>();
  const { pathname, search, hash } = useLocation();
  const { replace } = useRouter();
  const came = names.some((name) => asked[name]);
  useEffect(() => {
    if (!came) return;
    const rest = new URLSearchParams(search);
    for (const name of names) {
      const value = rest.get(name);
      if (value) localStorage.setItem(name, value.slice(0, 40));
      rest.delete(name);
    }
    replace(`${pathname}${rest.size ? `?${rest}` : ''}${hash}`);
  }, [came, pathname, search, hash, replace]);
}

/** The card that somebody came with, as calls name it. */
export function cardInLink() {
  const kept = names.flatMap((name) => {
    const value = localStorage.getItem(name);
    return value ? [[name, value] as const] : [];
  });
  return Object.fromEntries(kept) as Partial<Record<(typeof names)[number], string>>;
}
