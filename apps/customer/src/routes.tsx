import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router';
import { sayMore } from '@wlv/client/language';
import { fromTheTop, routing } from '@wlv/client/router';
import { session } from '@wlv/client/session';
import { customerAreas } from './area.tsx';
import { catalogue } from './catalogue.ts';
import { Shell, type Tab } from './shell/shell.tsx';

interface Screen {
  path: string;
  component: RouteComponent;
  tab?: Tab;
  bare?: boolean;
  /** Visitors may see it. */
  open?: boolean;
}

/** A screen that comes when it is gone to, with the sentences of all such screens. */
export function page<Module extends Record<string, unknown>>(load: () => Promise<Module>, name: keyof Module & string) {
  return lazyRouteComponent(async () => {
    const [module] = await Promise.all([load(), sayMore(catalogue)]);
    return module;
  }, name);
}

const voucher = {
  list: page(() => import('./features/voucher/vouchers-page.tsx'), 'VouchersPage'),
  detail: page(() => import('./features/voucher/voucher-page.tsx'), 'VoucherPage'),
  use: page(() => import('./features/voucher/use-page.tsx'), 'UsePage'),
  qr: page(() => import('./features/voucher/qr-page.tsx'), 'QrPage'),
  history: page(() => import('./features/voucher/history-page.tsx'), 'HistoryPage'),
};
const home = page(() => import('./features/entry/home-page.tsx'), 'HomePage');

/** Each comes when it is gone to. The market's and a package's sentences are in the first script, and their pages ask for them at once (tooling/first-screen.ts). */
const screens: Screen[] = [
  { path: 'home/$', component: home, open: true },
  {
    path: 'market',
    component: lazyRouteComponent(() => import('./features/market/market-page.tsx'), 'MarketPage'),
    tab: 'market',
    open: true,
  },
  {
    path: 'market/$packageId',
    component: lazyRouteComponent(() => import('./features/package/package-page.tsx'), 'PackagePage'),
    open: true,
  },
  { path: 'cart', component: page(() => import('./features/cart/cart-page.tsx'), 'CartPage') },
  { path: 'order/$orderId', component: page(() => import('./features/cart/order-page.tsx'), 'OrderPage') },
  { path: 'activevoucher', component: voucher.list, tab: 'activevoucher' },
  { path: 'activevoucher/$voucherId', component: voucher.detail },
  { path: 'activevoucher/$voucherId/use', component: voucher.use },
  { path: 'activevoucher/$voucherId/qr', component: voucher.qr, bare: true },
  { path: 'history', component: voucher.history, tab: 'profile' },
  { path: 'wallet', component: page(() => import('./features/wallet/wallet-page.tsx'), 'WalletPage'), tab: 'profile' },
  { path: 'wallet/topup', component: page(() => import('./features/wallet/topup-page.tsx'), 'TopupPage') },
  {
    path: 'wallet/topup/$topupId',
    component: page(() => import('./features/wallet/topup-state-page.tsx'), 'TopupStatePage'),
  },
  {
    path: 'profile',
    component: page(() => import('./features/profile/profile-page.tsx'), 'ProfilePage'),
    tab: 'profile',
  },
  { path: 'profile/edit', component: page(() => import('./features/profile/edit-page.tsx'), 'EditProfilePage') },
  { path: 'faq', component: page(() => import('./features/profile/questions-page.tsx'), 'QuestionsPage') },
  { path: 'mydata', component: page(() => import('./features/profile/data-page.tsx'), 'DataPage') },
  { path: 'consents', component: page(() => import('./features/profile/consents-page.tsx'), 'ConsentsPage') },
];

const root = createRootRoute({ component: Outlet });

/** What a login brings back to the home: LINE's answer, the name of a kept path, or the path itself. */
interface Returned {
  code?: string;
  state?: string;
  back?: string;
  next?: string;
  /** Why the person stands here: whose profile did not come signs in anew. */
  reason?: string;
}

/** The same screens under one base; without a token a closed one sends to the base's home (specification 2.1). */
function area(base: string) {
  const parent = createRoute({ getParentRoute: () => root, path: base, component: Shell });
  const to = (href: string, page: string) => {
    const [, first, second] = href.split('/');
    return first === 'user' ? `/user/${page}` : `/${first}/${second}/${page}`;
  };
  /**
   * The home and what stands under it, where a login returns to. Who is signed in, as everybody is inside LINE, is not asked to: he
   * goes where he wanted to, else where signing in leads.
   */
  const onward = async ({
    location,
    search,
  }: {
    location: { pathname: string; searchStr: string };
    search: Returned;
  }) => {
    const [, first] = location.pathname.split('/');
    if (search.code && search.state) {
      throw redirect({ href: `/logincallback/${first}/cb${location.searchStr}`, replace: true });
    }
    const { ownPath, takeReturn } = await import('@wlv/client/return-path');
    const kept = ownPath(takeReturn(search.back), customerAreas);
    if (session.token('user') && search.reason !== 'profile') {
      const wanted = kept ?? ownPath(search.next, customerAreas) ?? to(location.pathname, 'market');
      throw redirect({ href: wanted, replace: true });
    }
    if (kept) throw redirect({ to: to(location.pathname, 'home'), search: { next: kept } as never, replace: true });
  };
  const toHome = ({ location }: { location: { pathname: string; href: string } }) => {
    throw redirect({ to: to(location.pathname, 'home'), replace: true });
  };
  const guard = ({ location }: { location: { pathname: string; href: string } }) => {
    if (session.token('user')) return;
    session.clear('user');
    throw redirect({ to: to(location.pathname, 'home'), search: { next: location.href } as never, replace: true });
  };

  const children: AnyRoute[] = screens.map(({ path, component, tab, bare, open }) =>
    createRoute({
      getParentRoute: () => parent,
      path,
      component,
      staticData: { ...(tab ? { tab } : {}), ...(bare ? { bare } : {}), closed: !open },
      ...(open ? (component === home ? { beforeLoad: onward } : {}) : { beforeLoad: guard }),
    }),
  );
  for (const path of ['/', '$']) children.push(createRoute({ getParentRoute: () => parent, path, beforeLoad: toHome }));
  return parent.addChildren(children);
}

const callback = page(() => import('./features/entry/callback-page.tsx'), 'CallbackPage');
const callbacks = ['user', 'welovevoucher'].map((name) =>
  createRoute({ getParentRoute: () => root, path: `logincallback/${name}/$`, component: callback }),
);

/** Whose host the page stands on. */
export type Host = 'platform' | 'shop';

/** What opens without the public site: the first script is lighter without its addresses. */
const withoutSite = /^\/(user|welovevoucher\/\d+-\w+|logincallback)(\/|$)/;

/** The router of the address that the browser stands on. */
export async function newRouter(host: Host) {
  const site = withoutSite.test(window.location.pathname)
    ? undefined
    : (await import('./features/site/routes.tsx')).site(root, host);
  const unknown = createRoute({
    getParentRoute: () => root,
    path: '$',
    beforeLoad: ({ location }) => {
      // It may be the site's: that comes with the page.
      if (!site) throw redirect({ href: location.href, reloadDocument: true });
      // Whatever is not known belongs to the customer's area, which sends it home.
      throw redirect({ to: '/user/home', replace: true });
    },
  });
  const areas = [area('user'), area('welovevoucher/$liffId')];
  const routeTree = root.addChildren([...(site ? [site] : []), ...areas, ...callbacks, unknown]);
  return fromTheTop(createRouter({ ...routing, routeTree }));
}
