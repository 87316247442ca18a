import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** A report's screen: `/owner/{path}`, seen by who has `v` in the module. */
interface ReportScreen {
  path: string;
  module: string;
  title: MessageDescriptor;
  /** In the menu. */
  place: number;
  /** The list whose record an id behind its address names. */
  records?: string;
  /** Its address and its name have the organisation's own word of what it sells. */
  product?: 'agent' | 'partner';
}

/** Each report, by the name that calls and files have. */
export const reports = {
  daily: { path: 'dailytransaction', module: 'dailytransaction', title: msg`Daily sales`, place: 10 },
  sold: {
    path: 'soldtransaction',
    module: 'soldtransaction',
    title: msg`Sales by order`,
    place: 15,
    records: 'orderlist',
  },
  uses: { path: 'activevouchertransaction', module: 'activevouchertransaction', title: msg`Vouchers used`, place: 40 },
  wallets: { path: 'wallettransaction', module: 'wallettransaction', title: msg`Wallet movements`, place: 45 },
  points: { path: 'pointtransaction', module: 'pointtransaction', title: msg`Points`, place: 48 },
  float: { path: 'walletfloat', module: 'wallettransaction', title: msg`Money in Wallets`, place: 47 },
  discounts: { path: 'discountreport', module: 'discount', title: msg`Discounts by name`, place: 58 },
  unearned: { path: 'unearnedreport', module: 'dailytransaction', title: msg`Owed to holders`, place: 70 },
  breakage: { path: 'breakagereport', module: 'dailytransaction', title: msg`Expired unused`, place: 75 },
  report01: { path: 'report01', module: 'dailytransaction', title: msg`Sales by package`, place: 80 },
  report02: { path: 'report02', module: 'activevouchertransaction', title: msg`Earned by service point`, place: 82 },
  report03: { path: 'report03', module: 'dailytransaction', title: msg`Sales by channel`, place: 84 },
  report04: { path: 'report04', module: 'dailytransaction', title: msg`Sales by hour`, place: 86 },
  agentgeneratesaletransaction: {
    path: 'agentgeneratesaletransaction',
    module: 'agentgeneratesaletransaction',
    title: msg`Sales of agents`,
    place: 87,
  },
  links: { path: 'linkreport', module: 'agentgeneratesaletransaction', title: msg`Agents’ links by day`, place: 89 },
  agentcommissiontransaction: {
    path: 'agentcommissiontransaction',
    module: 'agentcommissiontransaction',
    title: msg`Commission of agents`,
    place: 88,
  },
  agentproductcommissiontransaction: {
    path: 'agentproductcommissiontransaction',
    module: 'agentproductcommissiontransaction',
    title: msg`Commission by voucher`,
    place: 90,
    product: 'agent',
  },
  agentpaycommissiontransaction: {
    path: 'agentpaycommissiontransaction',
    module: 'agentpaycommissiontransaction',
    title: msg`Commission paid to agents`,
    place: 92,
    records: 'payoutlist',
  },
  partnercommissiontransaction: {
    path: 'partnercommissiontransaction',
    module: 'partnercommissiontransaction',
    title: msg`Commission of partners by voucher`,
    place: 96,
    product: 'partner',
  },
  payoutruns: {
    path: 'payoutreport',
    module: 'paycommissiontransaction',
    title: msg`Payouts by run`,
    place: 94,
  },
} satisfies Record<string, ReportScreen>;

export type ReportName = keyof typeof reports;

/** The lists whose records reports lead to. */
export const recordScreens: Record<string, { path: string; module: string }> = {
  orders: { path: 'orderlist', module: 'soldtransaction' },
  customer: { path: 'customerlist', module: 'customer' },
  voucher: { path: 'voucherlist', module: 'voucher' },
  discount: { path: 'discountlist', module: 'discount' },
  agent: { path: 'agentlist', module: 'agent' },
  partner: { path: 'partnerlist', module: 'servicepoint' },
  payout: { path: 'payoutlist', module: 'paycommissiontransaction' },
  payoutrun: { path: 'paycommissiontransaction', module: 'paycommissiontransaction' },
};
