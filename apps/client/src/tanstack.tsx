import { type AnyRouter, RouterProvider } from '@tanstack/react-router';
import type { AppRouter } from './app.tsx';
import { readSearch, writeSearch } from './search.ts';

/** How a router of TanStack reads and writes addresses. */
export const routing = {
  parseSearch: readSearch,
  stringifySearch: writeSearch,
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

/** A router of TanStack as the router of an app. */
export function appRouter(router: AnyRouter): AppRouter {
  return {
    Pages: () => <RouterProvider router={router} />,
    load: () => router.load(),
    replace: (href) => router.history.replace(href),
  };
}
