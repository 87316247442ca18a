// Every address that the specification names (its section 2), and where it ends: the data of the tests that walk them.

/** What brings a screen that is not there yet. Until then its address ends somewhere useful. */
export type Capability =
  | 'commission and payouts'
  | 'members and the counter'
  | 'the platform’s own office'
  | 'printed vouchers'
  | 'contents of a shop’s pages';

/** An address with the pathname that it ends on, and what brings its own screen where it has none yet. */
export interface Address {
  address: string;
  ends: string;
  later?: Capability;
}

/** Stands for what the specification writes as `{cb*}`, and for a record's id. */
export const someId = '01990000-0000-7000-8000-000000000001';

/** What stands for `{product}`: the word of a shop for what it sells. */
const product = 'voucher';

/** A name of the owner's office. The specification has it alone, and with `list`, `add` and `edit` behind it. */
interface OfficeName {
  name: string;
  /** Its screen, `/owner/{screen}`, and the heading that stands there. */
  screen?: string;
  heading?: string;
  /** An address may name one record, over the list. */
  records?: boolean;
  /** Its screen can add one. */
  adds?: boolean;
  later?: Capability;
}

const editable = (name: string, screen: string, heading: string): OfficeName => ({
  name,
  screen,
  heading,
  records: true,
  adds: true,
});
const readable = (name: string, screen: string, heading: string): OfficeName => ({
  name,
  screen,
  heading,
  records: true,
});
const page = (name: string, screen: string, heading: string): OfficeName => ({ name, screen, heading });
const later = (capability: Capability, ...names: string[]): OfficeName[] =>
  names.map((name) => ({ name, later: capability }));

/** Section 2.5: the left menu and the full list of routes. */
export const officeNames: OfficeName[] = [
  page('main', 'main', 'Overview'),
  page('dashboard', 'main', 'Overview'),
  { ...readable('customer', 'customerlist', 'Customers'), later: 'members and the counter' },
  editable('customertype', 'customertypelist', 'Customer types'),
  { ...readable('payment', 'paymentoptionlist', 'Payments'), later: 'the platform’s own office' },
  { ...readable('paymentoption', 'paymentoptionlist', 'Payments'), later: 'the platform’s own office' },
  editable('service', 'servicelist', 'Services'),
  editable('salechannel', 'salechannellist', 'Sales channels'),
  editable('staff', 'stafflist', 'Staff'),
  editable('permission', 'permissionlist', 'Permission sets'),
  editable('package', 'packagelist', 'Packages'),
  editable('vouchertype', 'vouchertypelist', 'Voucher types'),
  editable('giftvoucher', 'giftvoucherlist', 'Gift vouchers'),
  readable('voucher', 'voucherlist', 'Vouchers'),
  editable('servicepoint', 'servicepointlist', 'Service points'),
  readable('member', 'memberlist', 'Members'),
  editable('membercardtype', 'membercardtypelist', 'Card types'),
  readable('agent', 'agentlist', 'Agents'),
  editable('agenttype', 'agenttypelist', 'Agent types'),
  editable('agentsetting', 'agentsetting', 'Special rates'),
  { name: 'settingorganize', screen: 'settingorganize' },
  { name: 'settingtheme', screen: 'settingtheme' },
  { name: 'approval', screen: 'approval', records: true },
  { name: 'settingapproval', screen: 'settingapproval' },
  { name: 'settingaccount', screen: 'settingaccount' },
  { name: 'settlement', screen: 'settlementlist' },
  { name: 'settinggift', screen: 'settinggift' },
  { name: 'settingwallet', screen: 'settingwallet' },
  { name: 'settingboard', screen: 'settingboard' },
  { name: 'settingline', screen: 'settingline' },
  { name: 'settingpayout', screen: 'settingpayout' },
  { name: 'settingproduct', screen: 'settingproduct' },
  { name: 'settingcontactus', screen: 'settingcontactus' },
  editable('faq', 'faq', "Customers' questions"),
  editable('settingtag', 'settingtag', 'Tags'),
  editable('settingcalendar', 'settingcalendar', 'Closed days'),
  editable('settingpdpa', 'settingpdpalist', 'Privacy (PDPA)'),
  editable('settingtermandcondition', 'settingtermandconditionlist', 'Terms and conditions'),
  editable('slot', 'slotlist', 'Time slots'),
  editable('discount', 'discountlist', 'Discounts'),
  editable('size', 'sizelist', 'Sizes'),
  page('soldtransaction', 'soldtransaction', 'Sales by order'),
  readable('order', 'orderlist', 'Orders'),
  readable('ordertracking', 'orderlist', 'Orders'),
  readable('depositqrtransaction', 'depositqrtransaction', 'Payments received'),
  page('activevouchertransaction', 'activevouchertransaction', 'Vouchers used'),
  page('dailytransaction', 'dailytransaction', 'Daily sales'),
  readable('contactus', 'contactuslist', 'Messages'),
  readable('auditlog', 'auditlog', 'Audit log'),
  readable('transfertransaction', 'transfertransaction', 'Gifts'),
  readable('boardtransaction', 'boardtransaction', 'Resale'),
  page('wallettransaction', 'wallettransaction', 'Wallet movements'),
  page('pointtransaction', 'pointtransaction', 'Points'),
  page('report01', 'report01', 'Sales by package'),
  page('report02', 'report02', 'Earned by service point'),
  page('report03', 'report03', 'Sales by channel'),
  page('report04', 'report04', 'Sales by hour'),
  readable('paycommissiontransaction', 'paycommissiontransaction', 'Payouts'),
  page('agentpaycommissiontransaction', 'agentpaycommissiontransaction', 'Commission paid to agents'),
  page('agentgeneratesaletransaction', 'agentgeneratesaletransaction', 'Sales of agents'),
  page('agentcommissiontransaction', 'agentcommissiontransaction', 'Commission of agents'),
  page(`agent${product}commissiontransaction`, `agent${product}commissiontransaction`, 'Commission by voucher'),
  page(
    `partner${product}commissiontransaction`,
    `partner${product}commissiontransaction`,
    'Commission of partners by voucher',
  ),
  ...later(
    'members and the counter',
    'membercard',
    'privilege',
    'privilegetransaction',
    'buypackage',
    'activevoucher',
    'scanqrcode',
  ),
  ...later('printed vouchers', 'generatetype', 'generate', 'ordergenerate', 'definestatusqr', 'printqrcode'),
  ...later(
    'contents of a shop’s pages',
    'settingheader',
    'settingcontent1',
    'settingcontent2',
    'settingcontent3',
    'settingcontent4',
    'settingcontent5',
  ),
];

/** The addresses of one name. What has no screen ends on `main`. */
export function officeAddresses({ name, screen = 'main', records, adds, later }: OfficeName): Address[] {
  const list = `/owner/${screen}`;
  const record = records ? `${list}/${someId}` : list;
  const brought = later ? { later } : {};
  const alone = [
    { address: `/owner/${name}`, ends: list, ...brought },
    { address: `/owner/${name}list`, ends: list, ...brought },
  ];
  if (screen === 'main') return alone;
  return [
    ...alone,
    { address: `/owner/${name}add`, ends: adds ? `${list}/new` : list, ...brought },
    { address: `/owner/${name}edit/${someId}`, ends: record, ...brought },
    { address: `/owner/${name}edit?id=${someId}`, ends: record, ...brought },
  ];
}

/** Names of section 2.5 that stand alone. */
export const officePages: Address[] = [
  { address: '/owner', ends: '/owner/main' },
  { address: '/owner/changepassword', ends: '/owner/changepassword' },
  { address: '/owner/secondfactor', ends: '/owner/secondfactor' },
  { address: '/owner/customeredit', ends: '/owner/customerlist' },
  { address: `/owner/orderlistdetail/${someId}`, ends: `/owner/orderlist/${someId}` },
  { address: `/owner/ordertrackingdetail?id=${someId}`, ends: `/owner/orderlist/${someId}` },
  { address: `/owner/ordergeneratedetail/${someId}`, ends: '/owner/main', later: 'printed vouchers' },
  { address: `/owner/contactusdetail/${someId}`, ends: `/owner/contactuslist/${someId}` },
  { address: '/owner/nobody/knows', ends: '/owner/main' },
];

/** Section 2.6, of staff who scan. */
export const staffAddresses: Address[] = [
  { address: '/staff', ends: '/staff/scanqrcode' },
  { address: '/staff/scanqrcode', ends: '/staff/scanqrcode' },
  { address: '/staff/activevouchertransaction', ends: '/staff/activevouchertransaction' },
  { address: '/staff/changepassword', ends: '/staff/changepassword' },
  { address: '/staff/secondfactor', ends: '/staff/secondfactor' },
  {
    address: `/staff/partner${product}commissiontransaction`,
    ends: `/staff/partner${product}commissiontransaction`,
  },
];

const soonInTheOffice = (...names: string[]): Address[] =>
  names.map((name) => ({
    address: `/advwsadmin/${name}`,
    ends: '/advwsadmin/main',
    later: 'the platform’s own office',
  }));

/** Section 2.7, of the platform's admins. */
export const adminAddresses: Address[] = [
  { address: '/advwsadmin', ends: '/advwsadmin/main' },
  { address: '/advwsadmin/main', ends: '/advwsadmin/main' },
  ...['user', 'user_list', 'user_edit'].map((name) => ({
    address: `/advwsadmin/${name}`,
    ends: '/advwsadmin/user_list',
  })),
  ...['staff', 'staff_list', 'staff_edit'].map((name) => ({
    address: `/advwsadmin/${name}`,
    ends: '/advwsadmin/staff_list',
  })),
  { address: '/advwsadmin/staff_add', ends: '/advwsadmin/staff_add' },
  { address: '/advwsadmin/job_list', ends: '/advwsadmin/job_list' },
  { address: '/advwsadmin/organize', ends: '/advwsadmin/organize_list' },
  { address: '/advwsadmin/organize_list', ends: '/advwsadmin/organize_list' },
  { address: '/advwsadmin/organize_add', ends: '/advwsadmin/organize_add' },
  { address: '/advwsadmin/organize_edit', ends: '/advwsadmin/organize_list' },
  { address: `/advwsadmin/organize_edit/${someId}`, ends: `/advwsadmin/organize_edit/${someId}` },
  { address: `/advwsadmin/organize_edit?id=${someId}`, ends: `/advwsadmin/organize_edit/${someId}` },
  ...['package', 'package_list', 'package_edit', 'module', 'module_list', 'module_add', 'module_edit'].map((name) => ({
    address: `/advwsadmin/${name}`,
    ends: '/advwsadmin/package_list',
  })),
  { address: '/advwsadmin/package_add', ends: '/advwsadmin/package_add' },
  { address: '/advwsadmin/admin_list', ends: '/advwsadmin/admin_list' },
  { address: '/advwsadmin/auditlog_list', ends: '/advwsadmin/auditlog_list' },
  { address: '/advwsadmin/admin_edit', ends: '/advwsadmin/admin_list' },
  { address: `/advwsadmin/admin_edit?id=${someId}`, ends: `/advwsadmin/admin_edit/${someId}` },
  ...['template', 'template_list', 'template_edit'].map((name) => ({
    address: `/advwsadmin/${name}`,
    ends: '/advwsadmin/template_list',
  })),
  { address: '/advwsadmin/template_add', ends: '/advwsadmin/template_add' },
  ...['voucher_list', 'wallet_list', 'deposit_list', 'paymentsystem'].map((name) => ({
    address: `/advwsadmin/${name}`,
    ends: `/advwsadmin/${name}`,
  })),
  ...soonInTheOffice('user_add', 'settingtag'),
];

/** Pages of section 2.3 under `/user` and under the member app, and where each ends for who is signed in. */
const customerPages: { page: string; ends: string; later?: Capability }[] = [
  { page: '', ends: 'market' },
  { page: 'home', ends: 'market' },
  { page: 'home/from/line', ends: 'market' },
  { page: 'market', ends: 'market' },
  { page: 'activevoucher', ends: 'activevoucher' },
  { page: 'cart', ends: 'cart' },
  { page: 'profile', ends: 'profile' },
  { page: 'history', ends: 'history' },
  { page: 'wallet', ends: 'wallet' },
  { page: 'agent', ends: 'agent' },
  { page: 'sale', ends: 'sale' },
  { page: 'trade', ends: 'trade' },
  { page: 'transferdata', ends: 'transferdata' },
  { page: 'scanqrcodegift', ends: 'scanqrcodegift' },
  { page: 'member', ends: 'member' },
  { page: 'registermember', ends: 'registermember' },
  { page: 'privilegemember', ends: 'market', later: 'members and the counter' },
  { page: 'scanqrcodelinkmember', ends: 'market', later: 'members and the counter' },
];

/** The LIFF id of the apps whose addresses stand here. */
export const liffId = '1656565656-AbCdEfGh';

const underBase = (base: string) =>
  customerPages.map(({ page, ends, ...rest }) => ({
    address: page ? `${base}/${page}` : base,
    ends: `${base}/${ends}`,
    ...rest,
  }));

/** Sections 2.3 and the catch-all of 2.1, of who is signed in. */
export const customerAddresses: Address[] = [
  ...underBase('/user'),
  ...underBase(`/welovevoucher/${liffId}`),
  ...[
    { main: '/trade', base: '/user' },
    { main: `/tradeuser/${liffId}`, base: `/welovevoucher/${liffId}` },
  ].flatMap(({ main, base }) => [
    { address: main, ends: `${base}/trade` },
    { address: `${main}/buy/a/b`, ends: `${base}/trade` },
    { address: `${main}/sale/a/b`, ends: `${base}/sale` },
  ]),
  ...['/transfer', `/transferuser/${liffId}`].map((address) => ({ address, ends: address })),
  { address: '/whatever/else', ends: '/user/market' },
];

/** What a visitor sees of them as well; from every other one he is sent to the base's home. */
export const openToVisitors = ['home', 'home/from/line', 'market'];

/** Section 2.2, on the platform's own host and on a shop's. */
export const siteAddresses: { address: string; platform: string; shop: string }[] = [
  { address: '/', platform: '/', shop: '/' },
  { address: '/home', platform: '/home', shop: '/home' },
  { address: '/main', platform: '/main', shop: '/main' },
  { address: '/aboutus', platform: '/aboutus', shop: '/' },
  { address: '/partner', platform: '/partner', shop: '/' },
  { address: '/contact', platform: '/contact', shop: '/contact' },
  { address: '/faq', platform: '/faq', shop: '/faq' },
  { address: '/termsandconditions', platform: '/termsandconditions', shop: '/termsandconditions' },
  { address: '/loginpage', platform: '/loginpage', shop: '/user/home' },
  {
    address: '/welovevoucher/forgotpassword',
    platform: '/welovevoucher/forgotpassword',
    shop: '/welovevoucher/forgotpassword',
  },
  { address: '/online/forgotpassword', platform: '/online/forgotpassword', shop: '/online/forgotpassword' },
];

/** Section 2.4, of an approved agent. */
export const agentAddresses: Address[] = [
  { address: `/weloveagent/${liffId}`, ends: `/weloveagent/${liffId}/home` },
  { address: `/weloveagent/${liffId}/home`, ends: `/weloveagent/${liffId}/home` },
  { address: `/weloveagent/${liffId}/history`, ends: `/weloveagent/${liffId}/history` },
  { address: `/weloveagent/${liffId}/profile`, ends: `/weloveagent/${liffId}/profile` },
  { address: `/weloveagent/${liffId}/register`, ends: `/weloveagent/${liffId}/home`, later: 'commission and payouts' },
];

/** Section 2.8: where LINE comes back to. */
export const callbacks = ['advwsadmin', 'owner', 'staff', 'register', 'user', 'welovevoucher', 'weloveagent'].map(
  (area) => `/logincallback/${area}/from/line`,
);

/** Where the screens do otherwise than the specification says, on purpose. */
export const deviations: { specification: string; here: string; because: string }[] = [
  {
    specification: '/ is decided by a brand word in the host (2.1)',
    here: 'by whose host it is: the platform’s own, or one that an organisation has proved to be its own',
    because: 'anybody can put a word into a host’s name; who proved a host has it',
  },
  {
    specification: 'a screen without the right v goes to /owner/main (6)',
    here: 'so; who may not see main either goes to the first screen that he may see',
    because: 'main would send him to itself',
  },
  {
    specification: '“Change Password” stands only for a user of type user who is no admin (6)',
    here: 'so: for who signs in by a password and is no admin of the platform, whatever his role in the organisation',
    because: 'an owner has a password as well as his people',
  },
  {
    specification: 'add and edit are addresses of their own (2.5)',
    here: 'they lead to a drawer over the list: /owner/{x}list/new and /owner/{x}list/{id}',
    because: 'the list stays in view, and closing goes back to it as it was',
  },
  {
    specification: 'the market needs a user’s token (2.1)',
    here: 'market, package pages and the shop’s front are open',
    because: 'people look before they sign in',
  },
  {
    specification: 'all local storage is cleared at the end of a session (2.1)',
    here: 'cart, trade path, page, ref and sale link are kept',
    because: 'what a person was about to buy is his, and the sentence about the end promises it',
  },
  {
    specification: 'the token is rechecked before every call (4)',
    here: 'on entry',
    because: 'the server checks each call anyway; another call before it says nothing more',
  },
  {
    specification: 'admin’s default page is main (2.7)',
    here: 'organize_list until the platform’s own office has an overview',
    because: 'a page without content is no default',
  },
  {
    specification: 'a failed profile call sends to the sign-in (4, 8)',
    here: 'so, when the server has answered; without an answer the screen says that there is no connection, with another try',
    because: 'without a connection nobody can sign in either',
  },
  {
    specification: 'warnings stand on top, in English (5)',
    here: 'at the field, in the person’s language; word for word on an English screen',
    because: 'who reads Thai is told in Thai, where he has to mend it',
  },
  {
    specification: '/owner/register/staff is free self-registration (2.1)',
    here: 'it takes an invitation',
    because: 'whoever knew the address would be let into the office',
  },
];
