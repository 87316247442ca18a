import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouterHistory,
  redirect,
} from '@tanstack/react-router';
import { loadMoreMessages } from '@wlv/client/language';
import { session } from '@wlv/client/session';
import { fromTheTop, routing } from '@wlv/client/tanstack';
import { type Area, areas } from './area.ts';
import { CallbackPage } from './features/entry/callback-page.tsx';
import { LoginPage } from './features/entry/login-page.tsx';
import { messageCatalog } from './messages.ts';
import { AreaFrame } from './shell/area-frame.tsx';

/** A component that comes when it is gone to, with the sentences of all such: staff who scan load no forms, owners no camera. */
function page<Module extends Record<string, unknown>>(load: () => Promise<Module>, name: keyof Module) {
  return lazyRouteComponent(async () => {
    const [module] = await Promise.all([load(), loadMoreMessages(messageCatalog)]);
    return module;
  }, name);
}

type Search = Record<string, string | undefined>;

const root = createRootRoute({ component: Outlet, validateSearch: (search) => search as Search });

/**
 * Without a token: what is stored of the session is forgotten, and the area's sign-in page asks. Who has
 * just left the area reads there that he has.
 */
function guard(area: Area) {
  return ({ location }: { location: { href: string; search: object } }) => {
    if (session.token(area)) return;
    session.clear(area);
    const { reason } = location.search as Search;
    throw redirect({ to: areas[area].entry, search: reason ? { reason } : { next: location.href }, replace: true });
  };
}

function to(path: string) {
  return () => {
    throw redirect({ to: path, replace: true });
  };
}

const logins = Object.values(areas).map(({ entry }) =>
  createRoute({ getParentRoute: () => root, path: entry, component: LoginPage }),
);
const register = createRoute({
  getParentRoute: () => root,
  path: '/owner/register/staff',
  component: page(() => import('./features/entry/register-page.tsx'), 'RegisterPage'),
});
const callbacks = ['owner', 'staff', 'register', 'advwsadmin'].map((name) =>
  createRoute({ getParentRoute: () => root, path: `logincallback/${name}/$`, component: CallbackPage }),
);

const owner = createRoute({
  getParentRoute: () => root,
  path: 'owner',
  beforeLoad: guard('owner'),
  component: page(() => import('./shell/office-frame.tsx'), 'OfficeFrame'),
});
/** The specification's other names of a screen lead to its own address (screens.ts, resolve), and what is none to main. */
async function toScreen({ params, search }: { params: { screen: string; id?: string }; search: Search }) {
  const { resolve } = await import('./navigation.ts');
  const { id: asked, ...rest } = search;
  const there = resolve(params.screen, params.id, asked);
  if (!there) return to(areas.owner.home)();
  if (there.path === params.screen && there.id === params.id) return;
  const address = ['/owner', there.path, ...(there.id ? [there.id] : [])].join('/');
  throw redirect({ to: address, search: rest, replace: true });
}

/** Rights and names come from the registry: a route for lists, and one for a record over its list. */
const ownerScreen = createRoute({
  getParentRoute: () => owner,
  path: '$screen',
  beforeLoad: toScreen,
  component: page(() => import('./shell/screen-page.tsx'), 'ScreenPage'),
});
const ownerRecord = createRoute({
  getParentRoute: () => owner,
  path: '$screen/$id',
  beforeLoad: toScreen,
  component: page(() => import('./shell/screen-page.tsx'), 'ScreenPage'),
});
/** One's own, whatever the rights: it stands in no menu of modules. */
const ownerPassword = createRoute({
  getParentRoute: () => owner,
  path: 'changepassword',
  component: page(() => import('./features/password/password-page.tsx'), 'PasswordPage'),
});
const ownerHome = createRoute({ getParentRoute: () => owner, path: '/', beforeLoad: to(areas.owner.home) });

const staff = createRoute({
  getParentRoute: () => root,
  path: 'staff',
  beforeLoad: guard('staff'),
  component: AreaFrame,
});
const staffScreens = [
  createRoute({
    getParentRoute: () => staff,
    path: 'scanqrcode',
    component: page(() => import('./features/scan/scan-page.tsx'), 'ScanPage'),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: 'activevouchertransaction',
    component: page(() => import('./features/scan/today-page.tsx'), 'TodayPage'),
  }),
  ...['/', '$'].map((path) => createRoute({ getParentRoute: () => staff, path, beforeLoad: to(areas.staff.home) })),
];

/** The specification writes the record's id behind the path or in `?id=`. */
function toOrganisation({ search }: { search: Search }) {
  if (!search.id) throw redirect({ to: areas.admin.home, replace: true });
  throw redirect({ to: '/advwsadmin/organize_edit/$id', params: { id: search.id }, replace: true });
}

const admin = createRoute({
  getParentRoute: () => root,
  path: 'advwsadmin',
  beforeLoad: guard('admin'),
  component: page(() => import('./features/organize/admin-frame.tsx'), 'AdminFrame'),
});
const administration = [
  createRoute({
    getParentRoute: () => admin,
    path: '/',
    component: page(() => import('./features/organize/entry-page.tsx'), 'AdminEntryPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: 'organize_list',
    component: page(() => import('./features/organize/list-page.tsx'), 'OrganisationsPage'),
    staticData: { module: 'organize' },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: 'contactus_list',
    component: page(() => import('./features/organize/messages-page.tsx'), 'MessagesPage'),
    staticData: { module: 'contactus' },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: 'bankholiday_list',
    component: page(() => import('./features/organize/bank-holidays-page.tsx'), 'BankHolidaysPage'),
    staticData: { module: 'payment' },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: 'organize_add',
    component: page(() => import('./features/organize/wizard-page.tsx'), 'WizardPage'),
    staticData: { module: 'organize' },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: 'organize_edit/$id',
    component: page(() => import('./features/organize/provisioning-page.tsx'), 'ProvisioningPage'),
    staticData: { module: 'organize' },
  }),
  createRoute({ getParentRoute: () => admin, path: 'organize_edit', beforeLoad: toOrganisation }),
  createRoute({ getParentRoute: () => admin, path: '$', beforeLoad: to(areas.admin.home) }),
];

const unknown = createRoute({ getParentRoute: () => root, path: '$', beforeLoad: to('/owner') });

const routeTree = root.addChildren([
  ...logins,
  register,
  ...callbacks,
  owner.addChildren([ownerHome, ownerPassword, ownerScreen, ownerRecord]),
  staff.addChildren(staffScreens),
  admin.addChildren(administration),
  unknown,
]);

export function newRouter(history?: RouterHistory) {
  return fromTheTop(createRouter({ ...routing, routeTree, ...(history ? { history } : {}) }));
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Of the administration: seen by who has `v` in this module. */
    module?: string;
  }
  interface Register {
    router: ReturnType<typeof newRouter>;
  }
}
