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
function page<Module extends Record<string, unknown>>(load: () => Promise<Module>, name: keyof Module & string) {
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
const entry = page(() => import('./features/entry/home-page.tsx'), 'HomePage');

/** Each comes when it is gone to. The market's and a package's sentences are in the first script, and their pages ask for them at once (tooling/first-screen.ts). */
const screens: Screen[] = [
  { path: 'home', component: entry, open: true },
  { path: 'home/$', component: entry, open: true },
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

/** The same screens under one base; without a token a closed one sends to the base's home (specification 2.1). */
function area(base: string) {
  const parent = createRoute({ getParentRoute: () => root, path: base, component: Shell });
  const to = (href: string, page: string) => {
    const [, first, second] = href.split('/');
    return first === 'user' ? `/user/${page}` : `/${first}/${second}/${page}`;
  };
  /** Who is signed in, as everybody is inside LINE, is not asked to: he goes where signing in leads. */
  const onward = ({ location }: { location: { pathname: string } }) => {
    if (session.token('user')) throw redirect({ to: to(location.pathname, 'market'), replace: true });
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
      staticData: { ...(tab ? { tab } : {}), ...(bare ? { bare } : {}) },
      ...(open ? (component === entry ? { beforeLoad: onward } : {}) : { beforeLoad: guard }),
    }),
  );
  for (const path of ['/', '$']) children.push(createRoute({ getParentRoute: () => parent, path, beforeLoad: toHome }));
  return parent.addChildren(children);
}

const callback = page(() => import('./features/entry/callback-page.tsx'), 'CallbackPage');
const callbacks = ['user', 'welovevoucher'].map((name) =>
  createRoute({ getParentRoute: () => root, path: `logincallback/${name}/$`, component: callback }),
);

const siteFrame = createRoute({
  getParentRoute: () => root,
  id: 'site',
  component: page(() => import('./features/site/site-frame.tsx'), 'SiteFrame'),
});

const platformHome = page(() => import('./features/site/home-page.tsx'), 'SiteHomePage');
const shopHome = page(() => import('./features/site/shop-home-page.tsx'), 'ShopHomePage');
const forgotPassword = page(() => import('./features/site/forgot-password-page.tsx'), 'ForgotPasswordPage');

/** The addresses of the public site (specification 2.2), on the platform's own host and on a shop's. */
const sitePages: Record<string, { platform: RouteComponent; shop?: RouteComponent }> = {
  '/': { platform: platformHome, shop: shopHome },
  home: { platform: platformHome, shop: shopHome },
  main: { platform: platformHome, shop: shopHome },
  aboutus: { platform: page(() => import('./features/site/about-page.tsx'), 'AboutPage') },
  partner: { platform: page(() => import('./features/site/partner-page.tsx'), 'PartnerPage') },
  contact: {
    platform: page(() => import('./features/site/contact-page.tsx'), 'ContactPage'),
    shop: page(() => import('./features/site/shop-places-page.tsx'), 'ShopPlacesPage'),
  },
  faq: {
    platform: page(() => import('./features/site/faq-page.tsx'), 'FaqPage'),
    shop: page(() => import('./features/site/shop-questions-page.tsx'), 'ShopQuestionsPage'),
  },
  termsandconditions: {
    platform: page(() => import('./features/site/terms-page.tsx'), 'TermsPage'),
    shop: page(() => import('./features/site/shop-terms-page.tsx'), 'ShopTermsPage'),
  },
  'online/forgotpassword': { platform: forgotPassword, shop: forgotPassword },
  'welovevoucher/forgotpassword': { platform: forgotPassword, shop: forgotPassword },
};

/** What only the platform says of itself leads to a shop's own front on that shop's host. */
function site(host: Host) {
  const toFront = () => {
    throw redirect({ to: '/', replace: true });
  };
  return siteFrame.addChildren(
    Object.entries(sitePages).map(([path, { [host]: component }]) =>
      createRoute({
        getParentRoute: () => siteFrame,
        path,
        ...(component ? { component } : { beforeLoad: toFront }),
      }),
    ),
  );
}

const signInPage = createRoute({
  getParentRoute: () => root,
  path: 'loginpage',
  beforeLoad: () => {
    throw redirect({ to: '/user/home', replace: true });
  },
});

/** Whatever is not known belongs to the customer's area, which sends it home. */
const unknown = createRoute({
  getParentRoute: () => root,
  path: '$',
  beforeLoad: () => {
    throw redirect({ to: '/user/home', replace: true });
  },
});

/** Whose host the page stands on. */
export type Host = 'platform' | 'shop';

export function newRouter(host: Host) {
  const areas = [area('user'), area('welovevoucher/$liffId')];
  const routeTree = root.addChildren([site(host), signInPage, ...areas, ...callbacks, unknown]);
  return fromTheTop(createRouter({ ...routing, routeTree }));
}
