import type { ReactNode } from 'react';
import { ShownPage } from './create-router.tsx';
import { Current, type Router, type Shown } from './router.tsx';
import { matcher, type Route } from './routes.ts';

/** A router that shows the page of one address and goes nowhere: the build renders pages with it, where there is no browser. */
export async function stillRouter(routes: Route[], pathname: string) {
  const { route, params } = matcher(routes)(pathname);
  const [Frame, Screen] = await Promise.all([route.frame?.(), route.screen?.()]);
  const place = { pathname, search: '', hash: '', href: pathname };
  const now: Shown = { ...place, route, params, asked: {}, Frame, Screen, top: undefined };

  const nowhere = () => {
    throw new Error('a page that is rendered by the build goes nowhere');
  };
  const router: Router = {
    Pages: () => <ShownPage now={now} router={router} />,
    load: async () => undefined,
    replace: nowhere,
    go: nowhere,
    back: nowhere,
    prepare: nowhere,
    hold: nowhere,
  };
  /** Renders a part of the page by itself, as it stands in it. */
  const Part = ({ children }: { children: ReactNode }) => <Current value={{ ...now, router }}>{children}</Current>;
  return { ...router, Part };
}
