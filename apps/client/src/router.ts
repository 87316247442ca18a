import type { AnyRouter } from '@tanstack/react-router';

/** How every app's router reads and writes addresses: text stays text, twenty digits of a code too. */
export const routing = {
  parseSearch: (search: string) => {
    const given: Record<string, string | string[]> = {};
    for (const [name, value] of new URLSearchParams(search)) {
      // What no screen reads as one text is kept as a list, so that it is not lost when the address is written again.
      given[name] = name.endsWith('[]') ? [given[name] ?? [], value].flat() : value;
    }
    return given;
  },
  stringifySearch: (search: Record<string, unknown>) => {
    const given = Object.entries(search).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
    const said = given.filter(([, value]) => value !== undefined && value !== '');
    const text = new URLSearchParams(said as [string, string][]).toString();
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
