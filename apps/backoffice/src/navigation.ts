import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import {
  ChartColumn,
  Handshake,
  IdCard,
  Inbox,
  LayoutDashboard,
  type LucideIcon,
  Package,
  Settings,
  Shield,
  SlidersHorizontal,
  Users,
} from 'lucide-react';
import { type ComponentType, lazy } from 'react';
import { type ReportName, reports } from './reports.ts';
import type { AnyResource, MenuPlace, Table } from './resource/resource.ts';

/** One screen of the owner's office: `/owner/{path}`, and `/owner/{path}/{id}` for one record over it. */
export interface Screen {
  path: string;
  title: MessageDescriptor;
  /** Seen by who has `v` in this module. */
  module: string;
  menu: MenuPlace;
  component: ComponentType<{ id?: string | undefined }>;
  /** Whose rows it lists. */
  table?: Table;
  /** It is one page: no address names a record of it. */
  single?: boolean;
  /** The list whose record an id behind its address names. */
  records?: string;
  /** Its address and its name have the organisation's own word of what it sells. */
  product?: 'agent' | 'partner';
}

/** An entry of the menu: a screen of its own, or several under one name. */
export interface MenuGroup {
  title: MessageDescriptor;
  icon: LucideIcon;
  screens: Screen[];
}

/** A screen of a declared table. Every `*.table.tsx` of a feature is found by its name. */
function tableScreen(resource: AnyResource): Screen {
  const component = lazy<Screen['component']>(async () => {
    const { resourceScreen } = await import('./resource/resource-screen.tsx');
    return { default: resourceScreen(resource) };
  });
  const { path, module, title, menu, table } = resource;
  return { path, module, title, menu, table, component };
}

const tables = import.meta.glob<Record<string, AnyResource>>('./features/*/*.table.tsx', { eager: true });

/** Every declared table. */
export const resources: AnyResource[] = Object.values(tables).flatMap((file) => Object.values(file));

type Load<Name extends string> = () => Promise<Record<Name, Screen['component']>>;

function page<Name extends string>(
  path: string,
  menu: MenuPlace,
  module: string,
  title: MessageDescriptor,
  load: Load<Name>,
  name: Name,
  { single = true }: { single?: boolean } = {},
): Screen {
  const component = lazy<Screen['component']>(async () => ({ default: (await load())[name] }));
  return { path, menu, module, title, component, single };
}

/** All reports have one page, which comes when one is gone to. */
const reportScreens = Object.entries<(typeof reports)[ReportName]>(reports).map(([name, one]): Screen => {
  const component = lazy<Screen['component']>(async () => {
    const { reportScreen } = await import('./features/report/report-page.tsx');
    return { default: reportScreen(name as ReportName) };
  });
  const { path, module, title, place } = one;
  const records = 'records' in one ? { records: one.records } : {};
  const product = 'product' in one ? { product: one.product } : {};
  return { path, module, title, component, menu: { group: 'reports', place }, single: true, ...records, ...product };
});

const screens: Screen[] = [
  ...resources.map(tableScreen),
  ...reportScreens,
  page(
    'main',
    { group: 'dashboard', place: 10, names: ['dashboard'] },
    'dashboard',
    msg`Overview`,
    () => import('./features/dashboard/dashboard-page.tsx'),
    'DashboardPage',
  ),
  {
    ...page(
      'approval',
      { group: 'approvals', place: 10, waiting: { state: 'waiting' } },
      'approval',
      msg({ message: 'Approvals', context: 'inbox' }),
      () => import('./features/approval/approvals-page.tsx'),
      'ApprovalsPage',
      { single: false },
    ),
    table: 'approval',
  },
  page(
    'settingpayout',
    { group: 'agents', place: 35 },
    'paycommissiontransaction',
    msg`Payout settings`,
    () => import('./features/payout/setting-page.tsx'),
    'PayoutSettingPage',
  ),
  page(
    'permissionlist',
    { group: 'staff', place: 20 },
    'permission',
    msg`Permission sets`,
    () => import('./features/rights/rights-page.tsx'),
    'RightsPage',
    { single: false },
  ),
  page(
    'settingorganize',
    { group: 'settings', place: 10 },
    'setting',
    msg`Organisation`,
    () => import('./features/setting/organisation-page.tsx'),
    'OrganisationPage',
  ),
  page(
    'settingcontactus',
    { group: 'settings', place: 15 },
    'setting',
    msg`Contact and tax`,
    () => import('./features/setting/contact-page.tsx'),
    'ContactPage',
  ),
  page(
    'settingaccount',
    { group: 'settings', place: 17 },
    'setting',
    msg`Bank account`,
    () => import('./features/setting/account-page.tsx'),
    'AccountPage',
  ),
  page(
    'settlementlist',
    { group: 'settings', place: 18 },
    'setting',
    msg`Payments from the platform`,
    () => import('./features/setting/settlements-page.tsx'),
    'SettlementsPage',
  ),
  page(
    'settingapproval',
    { group: 'settings', place: 23 },
    'setting',
    msg`Two people`,
    () => import('./features/setting/approval-page.tsx'),
    'ApprovalSettingPage',
  ),
  page(
    'settinggift',
    { group: 'settings', place: 25 },
    'setting',
    msg({ message: 'Gifts', context: 'settings' }),
    () => import('./features/setting/gift-page.tsx'),
    'GiftSettingPage',
  ),
  page(
    'settingboard',
    { group: 'settings', place: 27 },
    'setting',
    msg({ message: 'Resale', context: 'settings' }),
    () => import('./features/setting/board-page.tsx'),
    'BoardSettingPage',
  ),
  page(
    'settingwallet',
    { group: 'settings', place: 26 },
    'setting',
    msg({ message: 'Wallets', context: 'settings' }),
    () => import('./features/setting/wallet-page.tsx'),
    'WalletSettingPage',
  ),
  page(
    'settingproduct',
    { group: 'settings', place: 24 },
    'setting',
    msg`Word for what is sold`,
    () => import('./features/setting/product-page.tsx'),
    'ProductWordPage',
  ),
  page(
    'settingline',
    { group: 'settings', place: 28 },
    'setting',
    msg`LINE messages`,
    () => import('./features/setting/push-page.tsx'),
    'PushSettingPage',
  ),
  page(
    'settingtheme',
    { group: 'settings', place: 20 },
    'setting',
    msg`Colours and logo`,
    () => import('./features/setting/theme-page.tsx'),
    'ThemePage',
  ),
];

const groups: Record<MenuPlace['group'], Omit<MenuGroup, 'screens'>> = {
  dashboard: { title: msg`Overview`, icon: LayoutDashboard },
  approvals: { title: msg({ message: 'Approvals', context: 'inbox' }), icon: Inbox },
  customers: { title: msg`Customers`, icon: Users },
  reports: { title: msg`Reports`, icon: ChartColumn },
  products: { title: msg`Services and products`, icon: Package },
  members: { title: msg`Members`, icon: IdCard },
  agents: { title: msg`Agents`, icon: Handshake },
  staff: { title: msg`Staff and rights`, icon: Shield },
  settings: { title: msg`Settings`, icon: Settings },
  advanced: { title: msg`Advanced`, icon: SlidersHorizontal },
};

/** The menu, the routes and the rights come from this one list. */
export const menu: MenuGroup[] = Object.entries(groups).map(([key, group]) => ({
  ...group,
  screens: screens.filter((one) => one.menu.group === key).sort((a, b) => a.menu.place - b.menu.place),
}));

/** The screen of an address. That of what is sold is found by every word: an organisation may have had another one. */
export function findScreen(path: string) {
  const [, product] = ofProduct.exec(path) ?? [];
  return find((one) => one.path === path) ?? (product ? find((one) => one.product === product) : null);
}

const ofProduct = /^(agent|partner)[a-z]{2,20}commissiontransaction$/;

/**
 * The screen that an address names, and the record over it. The specification writes `customer`, `customerlist`,
 * `customeradd`, `customeredit` with an id behind it or in `?id=`; all of them lead to the one list. A report's own name, which e-mails have, leads to it.
 * What has a word of the organisation's own keeps the one that it was asked by.
 */
export function resolve(path: string, id: string | undefined, asked: string | undefined) {
  const exact = findScreen(path in reports ? reports[path as ReportName].path : path);
  const records = exact?.screen.records && id ? findScreen(exact.screen.records) : null;
  if (records) return { ...records, path: records.screen.path, id };
  if (exact) {
    const { path: own, product, single } = exact.screen;
    return { ...exact, path: product ? path : own, id: single ? undefined : id };
  }

  const [, name = '', form] = /^(.+?)(?:list)?(add|edit|detail)?$/.exec(path) ?? [];
  const found = findScreen(name);
  if (found?.screen.product) return { ...found, path: name, id: undefined };
  const named = find(({ path, menu: { names = [] } }) => path.replace(/list$/, '') === name || names.includes(name));
  if (!named) return null;
  const record = form === 'add' ? 'new' : form ? (id ?? asked) : undefined;
  return { ...named, path: named.screen.path, id: named.screen.single ? undefined : record };
}

function find(is: (screen: Screen) => boolean) {
  for (const group of menu) {
    const screen = group.screens.find(is);
    if (screen) return { group, screen };
  }
  return null;
}
