import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { type RegisteredRouter, useRouter } from '@tanstack/react-router';
import {
  Building2,
  CalendarOff,
  CreditCard,
  HandCoins,
  Landmark,
  Layers,
  LayoutDashboard,
  LayoutTemplate,
  ListChecks,
  type LucideIcon,
  Mail,
  Megaphone,
  QrCode,
  ScrollText,
  Shield,
  Ticket,
  UserCog,
  Users,
  Wallet,
} from 'lucide-react';
import { useMayCall } from './access/admin-right.ts';

type Path = Exclude<
  Extract<
    keyof RegisteredRouter['routesByPath'],
    '/advwsadmin/main' | '/advwsadmin/paymentsystem' | `/advwsadmin/${string}_${string}`
  >,
  `${string}$${string}`
>;

/** An entry of the administration's menu: a route, whose call says who sees it. */
export interface Entry {
  to: Path;
  title: MessageDescriptor;
  icon: LucideIcon;
  /** How the other addresses that belong to it begin. */
  under?: string;
}

export const adminMenu: Entry[] = [
  { to: '/advwsadmin/main', title: msg`Overview`, icon: LayoutDashboard },
  {
    to: '/advwsadmin/organize_list',
    title: msg`Organisations`,
    icon: Building2,
    under: '/advwsadmin/organize_',
  },
  { to: '/advwsadmin/package_list', title: msg`Plans and modules`, icon: Layers, under: '/advwsadmin/package_' },
  { to: '/advwsadmin/template_list', title: msg`Templates`, icon: LayoutTemplate, under: '/advwsadmin/template_' },
  { to: '/advwsadmin/user_list', title: msg`Customers of all organisations`, icon: Users },
  { to: '/advwsadmin/voucher_list', title: msg`Vouchers of all organisations`, icon: Ticket },
  { to: '/advwsadmin/wallet_list', title: msg`Wallets of all organisations`, icon: Wallet },
  { to: '/advwsadmin/deposit_list', title: msg`Payments of all organisations`, icon: QrCode },
  { to: '/advwsadmin/paymentsystem', title: msg`Payment systems`, icon: CreditCard },
  { to: '/advwsadmin/staff_list', title: msg`Staff of all organisations`, icon: UserCog },
  { to: '/advwsadmin/settlement_list', title: msg`Payments to organisations`, icon: HandCoins },
  { to: '/advwsadmin/account_list', title: msg`Bank accounts`, icon: Landmark },
  { to: '/advwsadmin/bankholiday_list', title: msg`Bank holidays`, icon: CalendarOff },
  { to: '/advwsadmin/announcement_list', title: msg`Announcements`, icon: Megaphone },
  { to: '/advwsadmin/contactus_list', title: msg({ message: 'Messages', context: 'to the platform' }), icon: Mail },
  { to: '/advwsadmin/job_list', title: msg`Background jobs`, icon: ListChecks },
  { to: '/advwsadmin/admin_list', title: msg`Administrators`, icon: Shield, under: '/advwsadmin/admin_' },
  { to: '/advwsadmin/auditlog_list', title: msg`Audit log`, icon: ScrollText },
];

/** The entries that this admin may see. */
export function useAdminMenu() {
  const mayCall = useMayCall();
  const { routesByPath } = useRouter();
  return adminMenu.filter(({ to }) => {
    const { call } = routesByPath[to].options.staticData ?? {};
    return call && mayCall(call);
  });
}
