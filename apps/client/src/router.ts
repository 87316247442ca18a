import type { AnyRouter } from '@tanstack/react-router';

/** How every app's router reads and writes addresses: text stays text, twenty digits of a code too. */
export const routing = {
  parseSearch: (search: string) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search: Record<string, unknown>) => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
    const text = new URLSearchParams(given as [string, string][]).toString();
    return text ? `?${text}` : '';
  },
  defaultPreload: 'intent',
  scrollRestoration: false,
} as const;

/** A new page is read from its top; a change of its search leaves the person where he is, and so does the app's own start. */
export function fromTheTop<Router extends AnyRouter>(router: Router): Router {
  router.subscribe('onResolved', ({ pathChanged, fromLocation }) => {
    if (pathChanged && fromLocation) window.scrollTo(0, 0);
  });
  return router;
}
