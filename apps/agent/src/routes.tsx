import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { loadMoreMessages } from '@wlv/client/language';
import { ownPath, takeReturn } from '@wlv/client/return-path';
import { session } from '@wlv/client/session';
import { fromTheTop, routing } from '@wlv/client/tanstack';
import { CallbackPage } from './features/entry/callback-page.tsx';
import { messageCatalog } from './messages.ts';
import { HomePage } from './shell/home-page.tsx';
import { NoSuchPage } from './shell/no-such-page.tsx';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute({ component: Outlet, notFoundComponent: NoSuchPage });

const area = createRoute({ getParentRoute: () => root, path: 'weloveagent/$liffId', component: Shell });

const homeOf = (pathname: string) => `/weloveagent/${pathname.split('/')[2]}/home`;

/** Without a token every screen but the home sends there. */
function guard({ location }: { location: { pathname: string; href: string } }) {
  if (session.token('agent')) return;
  throw redirect({ to: homeOf(location.pathname), search: { next: location.href } as never, replace: true });
}

/** What a login brings back to the home: the name of a kept path, or the path itself. */
interface Returned {
  back?: string;
  next?: string;
  /** Why the person stands here: whose profile did not come signs in anew. */
  reason?: string;
}

/** A login at LINE comes back under the home, with the name of the path that was kept; the home asks again when it failed. */
function onward({ location, search }: { location: { pathname: string }; search: Returned }) {
  const kept = ownPath(takeReturn(search.back), ['weloveagent']);
  const wanted = kept ?? ownPath(search.next, ['weloveagent']);
  if (session.token('agent') && wanted && search.reason !== 'profile') throw redirect({ href: wanted, replace: true });
  if (kept) throw redirect({ to: homeOf(location.pathname), search: { next: kept } as never, replace: true });
}

function toHome({ location }: { location: { pathname: string } }) {
  throw redirect({ to: homeOf(location.pathname), replace: true });
}

/** A screen that comes when it is gone to, with the sentences of all such screens. */
function later<Module extends Record<string, unknown>>(load: () => Promise<Module>, name: keyof Module & string) {
  return lazyRouteComponent(async () => {
    const [module] = await Promise.all([load(), loadMoreMessages(messageCatalog)]);
    return module as never;
  }, name as never);
}

const screens = [
  createRoute({
    getParentRoute: () => area,
    path: 'home',
    component: HomePage,
    beforeLoad: onward,
    staticData: { tab: 'home' },
  }),
  createRoute({
    getParentRoute: () => area,
    path: 'home/$',
    component: HomePage,
    beforeLoad: onward,
    staticData: { tab: 'home' },
  }),
  createRoute({
    getParentRoute: () => area,
    path: 'history',
    component: later(() => import('./features/history/history-page.tsx'), 'HistoryPage'),
    beforeLoad: guard,
    staticData: { tab: 'history' },
  }),
  createRoute({
    getParentRoute: () => area,
    path: 'payouts',
    component: later(() => import('./features/payouts/payouts-page.tsx'), 'PayoutsPage'),
    beforeLoad: guard,
    staticData: { tab: 'history' },
  }),
  createRoute({
    getParentRoute: () => area,
    path: 'payouts/$payoutId',
    component: later(() => import('./features/payouts/payout-page.tsx'), 'PayoutPage'),
    beforeLoad: guard,
    staticData: { tab: 'history' },
  }),
  createRoute({
    getParentRoute: () => area,
    path: 'profile',
    component: later(() => import('./features/profile/profile-page.tsx'), 'ProfilePage'),
    beforeLoad: guard,
    staticData: { tab: 'profile' },
  }),
  createRoute({
    getParentRoute: () => area,
    path: 'register',
    component: later(() => import('./features/register/register-page.tsx'), 'RegisterPage'),
    beforeLoad: guard,
  }),
  createRoute({ getParentRoute: () => area, path: '/', beforeLoad: toHome }),
  createRoute({ getParentRoute: () => area, path: '$', beforeLoad: toHome }),
];

const callback = createRoute({
  getParentRoute: () => root,
  path: 'logincallback/weloveagent/$',
  component: CallbackPage,
});

export function newRouter() {
  const routeTree = root.addChildren([area.addChildren(screens), callback]);
  return fromTheTop(createRouter({ ...routing, routeTree }));
}
