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
import type { AdminCall } from './access/admin-right.ts';
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
const join = createRoute({
  getParentRoute: () => root,
  path: '/advwsadmin/join',
  component: page(() => import('./features/entry/join-page.tsx'), 'JoinPage'),
});
const forgotten = Object.values(areas).flatMap(({ base }) => [
  createRoute({
    getParentRoute: () => root,
    path: `${base}/forgotpassword`,
    component: page(() => import('./features/entry/forgot-page.tsx'), 'ForgotPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: `${base}/newpassword`,
    component: page(() => import('./features/entry/new-password-page.tsx'), 'NewPasswordPage'),
  }),
]);
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
const ownerSecondFactor = createRoute({
  getParentRoute: () => owner,
  path: 'secondfactor',
  component: page(() => import('./features/password/second-factor-page.tsx'), 'SecondFactorPage'),
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
  // A shop's word for what it sells is in the middle of the address.
  createRoute({
    getParentRoute: () => staff,
    path: 'partner{$product}commissiontransaction',
    component: page(() => import('./features/scan/partner-page.tsx'), 'PartnerPage'),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: 'changepassword',
    component: page(() => import('./features/password/password-page.tsx'), 'PasswordPage'),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: 'secondfactor',
    component: page(() => import('./features/password/second-factor-page.tsx'), 'SecondFactorPage'),
  }),
  ...['/', '$'].map((path) => createRoute({ getParentRoute: () => staff, path, beforeLoad: to(areas.staff.home) })),
];

/** The specification writes the record's id behind the path or in `?id=`. */
function toOrganisation({ search }: { search: Search }) {
  if (!search.id) throw redirect({ to: '/advwsadmin/organize_list', replace: true });
  throw redirect({ to: '/advwsadmin/organize_edit/$id', params: { id: search.id }, replace: true });
}

function toAdmin({ search }: { search: Search }) {
  if (!search.id) throw redirect({ to: '/advwsadmin/admin_list', replace: true });
  throw redirect({ to: '/advwsadmin/admin_edit/$id', params: { id: search.id }, replace: true });
}

const admin = createRoute({
  getParentRoute: () => root,
  path: 'advwsadmin',
  beforeLoad: guard('admin'),
  component: page(() => import('./shell/admin-frame.tsx'), 'AdminFrame'),
});
const administration = [
  createRoute({
    getParentRoute: () => admin,
    path: '/',
    component: page(() => import('./shell/admin-entry-page.tsx'), 'AdminEntryPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: 'main',
    component: page(() => import('./features/overview/overview-page.tsx'), 'OverviewPage'),
    staticData: { call: '/api/admin/dashboard/overview' },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: 'user_list',
    component: page(() => import('./features/overview/customers-page.tsx'), 'CustomersPage'),
    staticData: { call: '/api/admin/user/list' },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: 'voucher_list',
    component: page(() => import('./features/overview/vouchers-page.tsx'), 'VouchersPage'),
    staticData: { call: '/api/admin/voucher/list' },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: 'wallet_list',
    component: page(() => import('./features/overview/wallets-page.tsx'), 'WalletsPage'),
    staticData: { call: '/api/admin/wallet/list' },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: 'deposit_list',
    component: page(() => import('./features/overview/deposits-page.tsx'), 'DepositsPage'),
    staticData: { call: '/api/admin/deposit/list' },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: 'template_list',
    component: page(() => import('./features/template/templates-page.tsx'), 'TemplatesPage'),
    staticData: { call: '/api/admin/template/list' },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: 'template_add',
    component: page(() => import('./features/template/template-add-page.tsx'), 'TemplateAddPage'),
    staticData: { call: '/api/admin/template/add' },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: 'template_edit/$id',
    component: page(() => import('./features/template/template-page.tsx'), 'TemplatePage'),
    staticData: { call: '/api/admin/template/detail' },
  }),
  ...['template', 'template_edit'].map((path) =>
    createRoute({ getParentRoute: () => admin, path, beforeLoad: to('/advwsadmin/template_list') }),
  ),
  createRoute({
    getParentRoute: () => admin,
    path: 'paymentsystem',
    component: page(() => import('./features/overview/payment-systems-page.tsx'), 'PaymentSystemsPage'),
    staticData: { call: '/api/admin/paymentsystem/list' },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: 'staff_list',
    component: page(() => import('./features/overview/staff-page.tsx'), 'StaffPage'),
    staticData: { call: '/api/admin/staff/list' },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: 'job_list',
    component: page(() => import('./features/overview/jobs-page.tsx'), 'JobsPage'),
    staticData: { call: '/api/admin/job/list' },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: 'organize_list',
    component: page(() => import('./features/organize/list-page.tsx'), 'OrganisationsPage'),
    staticData: { call: '/api/admin/organize/list' },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: 'announcement_list',
    component: page(() => import('./features/announcement/announcements-page.tsx'), 'AnnouncementsPage'),
    staticData: { call: '/api/admin/announcement/list' },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: 'contactus_list',
    component: page(() => import('./features/organize/messages-page.tsx'), 'MessagesPage'),
    staticData: { call: '/api/admin/contactus/list' },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: 'bankholiday_list',
    component: page(() => import('./features/organize/bank-holidays-page.tsx'), 'BankHolidaysPage'),
    staticData: { call: '/api/admin/bankholiday/list' },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: 'settlement_list',
    component: page(() => import('./features/organize/settlements-page.tsx'), 'SettlementsPage'),
    staticData: { call: '/api/admin/settlement/list' },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: 'account_list',
    component: page(() => import('./features/organize/accounts-page.tsx'), 'AccountsPage'),
    staticData: { call: '/api/admin/account/list' },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: 'organize_add',
    component: page(() => import('./features/organize/wizard-page.tsx'), 'WizardPage'),
    staticData: { call: '/api/admin/organize/save' },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: 'organize_edit/$id',
    component: page(() => import('./features/organize/organisation-page.tsx'), 'OrganisationPage'),
    staticData: { call: '/api/admin/organize/detail' },
  }),
  ...['user', 'user_edit'].map((path) =>
    createRoute({ getParentRoute: () => admin, path, beforeLoad: to('/advwsadmin/user_list') }),
  ),
  ...['staff', 'staff_edit'].map((path) =>
    createRoute({ getParentRoute: () => admin, path, beforeLoad: to('/advwsadmin/staff_list') }),
  ),
  createRoute({
    getParentRoute: () => admin,
    path: 'staff_add',
    component: page(() => import('./features/overview/staff-add-page.tsx'), 'StaffAddPage'),
    staticData: { call: '/api/admin/staff/invite' },
  }),
  createRoute({ getParentRoute: () => admin, path: 'organize', beforeLoad: to('/advwsadmin/organize_list') }),
  createRoute({ getParentRoute: () => admin, path: 'organize_edit', beforeLoad: toOrganisation }),
  createRoute({
    getParentRoute: () => admin,
    path: 'admin_list',
    component: page(() => import('./features/admins/admins-page.tsx'), 'AdminsPage'),
    staticData: { call: '/api/admin/admin/list' },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: 'admin_edit/$id',
    component: page(() => import('./features/admins/admin-page.tsx'), 'AdminPage'),
    staticData: { call: '/api/admin/admin/detail' },
  }),
  createRoute({ getParentRoute: () => admin, path: 'admin_edit', beforeLoad: toAdmin }),
  createRoute({
    getParentRoute: () => admin,
    path: 'auditlog_list',
    component: page(() => import('./features/auditlog/audit-log-page.tsx'), 'AuditLogPage'),
    staticData: { call: '/api/admin/auditlog/list' },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: 'package_list',
    component: page(() => import('./features/organize/plans-page.tsx'), 'PlansPage'),
    staticData: { call: '/api/admin/plan/list' },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: 'package_add',
    component: page(() => import('./features/organize/plan-page.tsx'), 'PlanPage'),
    staticData: { call: '/api/admin/plan/add' },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: 'package_edit/$id',
    component: page(() => import('./features/organize/plan-page.tsx'), 'PlanPage'),
    staticData: { call: '/api/admin/plan/save' },
  }),
  ...['package', 'package_edit', 'module', 'module_list', 'module_add', 'module_edit'].map((path) =>
    createRoute({ getParentRoute: () => admin, path, beforeLoad: to('/advwsadmin/package_list') }),
  ),
  createRoute({
    getParentRoute: () => admin,
    path: 'secondfactor',
    component: page(() => import('./features/password/second-factor-page.tsx'), 'SecondFactorPage'),
  }),
  createRoute({ getParentRoute: () => admin, path: '$', beforeLoad: to(areas.admin.home) }),
];

const unknown = createRoute({ getParentRoute: () => root, path: '$', beforeLoad: to('/owner') });

const routeTree = root.addChildren([
  ...logins,
  register,
  join,
  ...forgotten,
  ...callbacks,
  owner.addChildren([ownerHome, ownerPassword, ownerSecondFactor, ownerScreen, ownerRecord]),
  staff.addChildren(staffScreens),
  admin.addChildren(administration),
  unknown,
]);

export function newRouter(history?: RouterHistory) {
  return fromTheTop(createRouter({ ...routing, routeTree, ...(history ? { history } : {}) }));
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Of the administration: the call that one must have the right to make to come here. */
    call?: AdminCall;
  }
  interface Register {
    router: ReturnType<typeof newRouter>;
  }
}
