import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import {
  ChartColumn,
  Handshake,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  Package,
  Settings,
  Shield,
  Users,
} from 'lucide-react';
import { type ComponentType, lazy } from 'react';

/** One screen of the owner's office: `/owner/{path}`, and `/owner/{path}/{id}` for one record over it. */
interface Screen {
  path: string;
  title: MessageDescriptor;
  /** Seen by who has `v` in this module. */
  module: string;
  component: ComponentType<{ id?: string | undefined }>;
  /** What the specification calls it besides its path without `list`. */
  names?: string[];
  /** It is one page: no address names a record of it. */
  single?: boolean;
}

/** An entry of the menu: a screen of its own, or several under one name. */
export interface MenuGroup {
  title: MessageDescriptor;
  icon: LucideIcon;
  screens: Screen[];
}

type Load<Name extends string> = () => Promise<Record<Name, Screen['component']>>;

function screen<Name extends string>(
  path: string,
  module: string,
  title: MessageDescriptor,
  load: Load<Name>,
  name: Name,
  rest: Pick<Screen, 'names' | 'single'> = {},
): Screen {
  const component = lazy<Screen['component']>(async () => ({ default: (await load())[name] }));
  return { path, module, title, component, ...rest };
}

const catalogue = () => import('./features/catalogue/catalogue.ts');
const people = () => import('./features/people/people.ts');
const texts = () => import('./features/texts/texts.ts');
const lists = () => import('./features/lists/lists.ts');
const sales = () => import('./features/sales/sales.ts');

/** The menu, the routes and the rights come from this one list. */
export const menu: MenuGroup[] = [
  {
    title: msg`Dashboard`,
    icon: LayoutDashboard,
    screens: [
      screen(
        'main',
        'dashboard',
        msg`Overview`,
        () => import('./features/dashboard/dashboard-page.tsx'),
        'DashboardPage',
        { names: ['dashboard'], single: true },
      ),
    ],
  },
  {
    title: msg`Customers`,
    icon: Users,
    screens: [screen('customerlist', 'customer', msg`Customers`, people, 'CustomersPage')],
  },
  {
    title: msg`Reports`,
    icon: ChartColumn,
    screens: [
      screen(
        'dailytransaction',
        'dailytransaction',
        msg`Daily sales`,
        () => import('./features/report/daily-page.tsx'),
        'DailyPage',
        { single: true },
      ),
      screen('soldtransaction', 'soldtransaction', msg`Orders`, sales, 'OrdersPage', {
        names: ['order', 'ordertracking'],
      }),
      screen('depositqrtransaction', 'depositqrtransaction', msg`Payments received`, sales, 'DepositsPage'),
    ],
  },
  {
    title: msg`Services and products`,
    icon: Package,
    screens: [
      screen('packagelist', 'salepackage', msg`Packages`, catalogue, 'PackagesPage'),
      screen('giftvoucherlist', 'giftvoucher', msg`Gift vouchers`, catalogue, 'GiftVouchersPage'),
      screen('vouchertypelist', 'vouchertype', msg`Voucher types`, catalogue, 'VoucherTypesPage'),
      screen('voucherlist', 'voucher', msg`Vouchers`, sales, 'VouchersPage'),
    ],
  },
  {
    title: msg`Agents`,
    icon: Handshake,
    screens: [
      screen('agentlist', 'agent', msg`Agents`, people, 'AgentsPage'),
      screen('agenttypelist', 'agentsetting', msg`Agent types`, people, 'AgentTypesPage', { names: ['agentsetting'] }),
    ],
  },
  {
    title: msg`Staff and rights`,
    icon: Shield,
    screens: [
      screen('stafflist', 'staff', msg`Staff`, people, 'StaffPage'),
      screen(
        'permissionlist',
        'permission',
        msg`Permission sets`,
        () => import('./features/rights/rights-page.tsx'),
        'RightsPage',
      ),
      screen('servicepointlist', 'servicepoint', msg`Service points`, catalogue, 'ServicePointsPage'),
    ],
  },
  {
    title: msg`Settings`,
    icon: Settings,
    screens: [
      screen(
        'settingorganize',
        'setting',
        msg`Organisation`,
        () => import('./features/setting/organisation-page.tsx'),
        'OrganisationPage',
        { single: true },
      ),
      screen(
        'settingtheme',
        'setting',
        msg`Colours and logo`,
        () => import('./features/setting/theme-page.tsx'),
        'ThemePage',
        { single: true },
      ),
      screen('settingpdpalist', 'pdpa', msg`Privacy (PDPA)`, texts, 'PdpaPage'),
      screen('settingtermandconditionlist', 'termsandconditions', msg`Terms and conditions`, texts, 'TermsPage'),
      screen('faq', 'setting', msg`Customers' questions`, lists, 'QuestionsPage'),
      screen('paymentoptionlist', 'payment', msg`Payment systems`, lists, 'PaymentSystemsPage', {
        names: ['payment'],
      }),
      screen('settingtag', 'tags', msg`Tags`, catalogue, 'TagsPage'),
      screen('definestatuslist', 'setting', msg`Names of states`, texts, 'StatusesPage'),
    ],
  },
  {
    title: msg`Option lists`,
    icon: ListChecks,
    screens: [
      screen('customertypelist', 'setting', msg`Customer types`, lists, 'CustomerTypesPage'),
      screen('salechannellist', 'setting', msg`Sales channels`, lists, 'SaleChannelsPage'),
      screen('servicelist', 'setting', msg`Services`, lists, 'ServicesPage'),
      screen('slotlist', 'setting', msg`Time slots`, lists, 'TimeSlotsPage'),
      screen('sizelist', 'setting', msg`Sizes`, lists, 'SizesPage'),
      screen('qrtypelist', 'setting', msg`QR types`, lists, 'QRTypesPage'),
    ],
  },
];

export function findScreen(path: string) {
  return find((one) => one.path === path);
}

/**
 * The screen that an address names, and the record over it. The specification writes `customer`, `customerlist`,
 * `customeradd`, `customeredit` with an id behind it or in `?id=`; all of them lead to the one list.
 */
export function resolve(path: string, id: string | undefined, asked: string | undefined) {
  const exact = findScreen(path);
  if (exact) return { ...exact, id: exact.screen.single ? undefined : id };

  const [, name = '', form] = /^(.+?)(?:list)?(add|edit|detail)?$/.exec(path) ?? [];
  const named = find(({ path, names = [] }) => path.replace(/list$/, '') === name || names.includes(name));
  if (!named) return null;
  const record = form === 'add' ? 'new' : form ? (id ?? asked) : undefined;
  return { ...named, id: named.screen.single ? undefined : record };
}

function find(is: (screen: Screen) => boolean) {
  for (const group of menu) {
    const screen = group.screens.find(is);
    if (screen) return { group, screen };
  }
  return null;
}
