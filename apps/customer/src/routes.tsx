import { browserPage } from '@wlv/client/browser-page';
import { createRouter } from '@wlv/client/create-router';
import type { Coming, Place, Route } from '@wlv/client/routes';
import { readSearch, writeSearch } from '@wlv/client/search';
import { session } from '@wlv/client/session';
import type { Host } from './features/site/routes.tsx';
import { customerAreas, type PagePath } from './pages.ts';
import { NotLoaded } from './shell/not-loaded.tsx';
import { page, screen } from './shell/screen.ts';
import { Shell } from './shell/shell.tsx';
import type { Tab } from './shell/tabs.tsx';

interface Screen {
  screen: Coming;
  tab?: Tab;
  bare?: boolean;
  /** Visitors may see it. */
  open?: boolean;
  /** Where something is bought, given, offered or paid into. */
  sells?: boolean;
}

const voucher = {
  list: page(() => import('./features/voucher/vouchers-page.tsx'), 'VouchersPage'),
  detail: page(() => import('./features/voucher/voucher-page.tsx'), 'VoucherPage'),
  use: page(() => import('./features/voucher/use-page.tsx'), 'UsePage'),
  qr: page(() => import('./features/voucher/qr-page.tsx'), 'QrPage'),
};

/** Each comes when it is gone to. The market's and a package's sentences are in the first script, and their pages ask for them at once (tooling/first-screen.ts). */
const screens: Record<PagePath, Screen> = {
  home: { screen: page(() => import('./features/entry/home-page.tsx'), 'HomePage'), open: true },
  market: {
    screen: screen(() => import('./features/market/market-page.tsx'), 'MarketPage'),
    tab: 'market',
    open: true,
    sells: true,
  },
  'market/$packageId': {
    screen: screen(() => import('./features/package/package-page.tsx'), 'PackagePage'),
    open: true,
    sells: true,
  },
  'market/$packageId/days': {
    screen: page(() => import('./features/days/days-page.tsx'), 'DaysPage'),
    open: true,
    sells: true,
  },
  cart: { screen: page(() => import('./features/cart/cart-page.tsx'), 'CartPage'), tab: 'cart', sells: true },
  'order/$orderId': { screen: page(() => import('./features/cart/order-page.tsx'), 'OrderPage') },
  orders: { screen: page(() => import('./features/orders/orders-page.tsx'), 'OrdersPage'), tab: 'profile' },
  'orders/$orderId': { screen: page(() => import('./features/orders/order-page.tsx'), 'OrderPage'), tab: 'profile' },
  'orders/$orderId/refund': { screen: page(() => import('./features/refund/refund-page.tsx'), 'RefundPage') },
  activevoucher: { screen: voucher.list, tab: 'activevoucher' },
  'activevoucher/$voucherId': { screen: voucher.detail },
  'activevoucher/$voucherId/use': { screen: voucher.use },
  'activevoucher/$voucherId/qr': { screen: voucher.qr, bare: true },
  'activevoucher/$voucherId/give': {
    screen: page(() => import('./features/gift/give-page.tsx'), 'GivePage'),
    sells: true,
  },
  'activevoucher/$voucherId/sell': {
    screen: page(() => import('./features/trade/sell-page.tsx'), 'SellPage'),
    sells: true,
  },
  'used/$useId': { screen: page(() => import('./features/voucher/was-it-you-page.tsx'), 'WasItYouPage') },
  'receipts/$kind/$receiptId': { screen: page(() => import('./features/receipt/receipt-page.tsx'), 'ReceiptPage') },
  trade: {
    screen: page(() => import('./features/trade/trade-page.tsx'), 'TradePage'),
    bare: true,
    open: true,
    sells: true,
  },
  'trade/$offerId': {
    screen: page(() => import('./features/trade/offer-page.tsx'), 'OfferPage'),
    bare: true,
    open: true,
  },
  'pay/$paymentId': { screen: page(() => import('./features/trade/payment-page.tsx'), 'PaymentPage') },
  sale: { screen: page(() => import('./features/trade/sale-page.tsx'), 'SalePage'), tab: 'profile' },
  'gift/$giftId': { screen: page(() => import('./features/gift/gift-page.tsx'), 'GiftPage') },
  scanqrcodegift: { screen: page(() => import('./features/gift/scan-gift-page.tsx'), 'ScanGiftPage'), tab: 'profile' },
  gifts: { screen: page(() => import('./features/gift/gifts-page.tsx'), 'GiftsPage'), tab: 'profile' },
  inbox: { screen: page(() => import('./features/inbox/inbox-page.tsx'), 'InboxPage'), tab: 'profile' },
  'inbox/line': { screen: page(() => import('./features/inbox/line-page.tsx'), 'LinePage'), tab: 'profile' },
  history: { screen: page(() => import('./features/history/history-page.tsx'), 'HistoryPage'), tab: 'profile' },
  agent: { screen: page(() => import('./features/profile/agent-page.tsx'), 'AgentPage'), tab: 'profile' },
  member: { screen: page(() => import('./features/member/member-page.tsx'), 'MemberPage'), tab: 'profile' },
  registermember: {
    screen: page(() => import('./features/member/register-page.tsx'), 'RegisterMemberPage'),
    tab: 'profile',
  },
  wallet: { screen: page(() => import('./features/wallet/wallet-page.tsx'), 'WalletPage'), tab: 'profile' },
  'wallet/cashout': { screen: page(() => import('./features/wallet/cashout-page.tsx'), 'CashoutPage') },
  'wallet/statement': {
    screen: page(() => import('./features/wallet/statement-page.tsx'), 'StatementPage'),
    tab: 'profile',
  },
  'wallet/topup': { screen: page(() => import('./features/wallet/topup-page.tsx'), 'TopupPage'), sells: true },
  'wallet/topup/$topupId': {
    screen: page(() => import('./features/wallet/topup-state-page.tsx'), 'TopupStatePage'),
  },
  profile: {
    screen: page(() => import('./features/profile/profile-page.tsx'), 'ProfilePage'),
    tab: 'profile',
  },
  'profile/edit': { screen: page(() => import('./features/profile/edit-page.tsx'), 'EditProfilePage') },
  'profile/mobile': { screen: page(() => import('./features/profile/mobile-page.tsx'), 'MobilePage'), tab: 'profile' },
  faq: { screen: page(() => import('./features/profile/questions-page.tsx'), 'QuestionsPage') },
  mydata: { screen: page(() => import('./features/profile/data-page.tsx'), 'DataPage') },
  consents: { screen: page(() => import('./features/profile/consents-page.tsx'), 'ConsentsPage') },
};

/** What a login brings back to the home: LINE's answer, the name of a kept path, or the path itself. */
interface Returned {
  code?: string;
  state?: string;
  back?: string;
  next?: string;
  /** Why the person stands here: whose profile did not come signs in anew. */
  reason?: string;
}

/** A page of the area that this path is of. */
function beside(pathname: string, page: string) {
  const [, first, second] = pathname.split('/');
  return first?.toLowerCase() === 'user' ? `/user/${page}` : `/${first}/${second}/${page}`;
}

const toHome = ({ pathname }: Place) => beside(pathname, 'home');

/** Without a token a closed screen sends to the base's home. */
function guard({ pathname, href }: Place) {
  if (session.token('user')) return;
  session.clear('user');
  return beside(pathname, 'home') + writeSearch({ next: href });
}

/**
 * The home and what stands under it, where a login returns to. Who is signed in, as everybody is inside LINE, is not asked to: he
 * goes where he wanted to, else where signing in leads.
 */
async function onward({ pathname, search, hash, href }: Place) {
  if (/trade/i.test(pathname)) {
    const { isTradeLink, tradePage } = await import('./features/trade/link.ts');
    if (isTradeLink(pathname)) return await tradePage({ pathname, search, hash, href });
  }
  const returned: Returned = readSearch(search);
  if (returned.code && returned.state) return `/logincallback/${pathname.split('/')[1]}/cb${search}`;
  const { ownPath, takeReturn } = await import('@wlv/client/return-path');
  const kept = ownPath(takeReturn(returned.back), customerAreas);
  if (session.token('user') && returned.reason !== 'profile') {
    return kept ?? ownPath(returned.next, customerAreas) ?? beside(pathname, 'market');
  }
  return kept ? beside(pathname, 'home') + writeSearch({ next: kept }) : undefined;
}

const frame = async () => Shell;

/** Where a link of the board leads; behind its LIFF app's home LINE brings who has signed in. */
const toTrade = async (place: Place) => (await import('./features/trade/link.ts')).tradePage(place);
const trades: Route[] = [
  { path: 'tradeuser/$liffId/home/$', frame, screen: screens.home.screen, before: onward },
  ...['trade/$', 'tradeuser/$liffId/$'].map((path) => ({ path, before: toTrade })),
];

/** The same screens under one base; what is none of them is its home, and so is what stands under the home. */
function area(base: string): Route[] {
  const routes = Object.entries(screens).map(([path, { screen, tab, bare, open, sells }]): Route => {
    const facts = { ...(tab ? { tab } : {}), ...(bare ? { bare } : {}), ...(sells ? { sells } : {}), closed: !open };
    return { path: `${base}/${path}`, frame, screen, facts, ...(open ? {} : { before: guard }) };
  });
  const home = { path: `${base}/home/$`, frame, screen: screens.home.screen, before: onward };
  return [home, ...routes, { path: `${base}/trade/$`, before: toTrade }, { path: `${base}/$`, before: toHome }];
}

/** What the links of gifts lead to. A link of liff.line.me ends at the address of its LIFF app, with the rest of its path behind that. */
const claim = page(() => import('./features/gift/claim-page.tsx'), 'ClaimPage');
const claims: Route[] = [
  { path: 'transferuser/$liffId/home/$', frame, screen: screens.home.screen, before: onward },
  ...['transfer/$', 'transferuser/$liffId/$', 'user/transferdata/$', 'welovevoucher/$liffId/transferdata/$'].map(
    (path) => ({
      path,
      frame,
      screen: claim,
      facts: { bare: true },
    }),
  ),
];

/** On the web, and inside LINE. */
export const areas = [...claims, ...trades, ...area('user'), ...area('welovevoucher/$liffId')];

const callback = page(() => import('./features/entry/callback-page.tsx'), 'CallbackPage');
const callbacks = ['user', 'welovevoucher'].map((name) => ({ path: `logincallback/${name}/$`, screen: callback }));

/** What opens without the public site: the first script is lighter without its addresses. */
const withoutSite = /^\/(user|welovevoucher\/\d+-\w+|(trade|transfer)(user)?|logincallback)(\/|$)/;

/** The router of the address that the browser stands on. */
export async function newRouter(host: Host) {
  const opened = location.pathname;
  const site = withoutSite.test(opened) ? undefined : (await import('./features/site/routes.tsx')).site(host);

  const unknown = ({ pathname }: Place) => {
    // Whatever is not known belongs to the customer's area, which sends it home.
    if (site || pathname === opened) return '/user/home';
    // It may be the site's: that comes with the page.
    return browserPage.reload();
  };
  const routes = [...(site ?? []), ...areas, ...callbacks];
  return createRouter([...routes, { path: '$', before: unknown }], NotLoaded);
}
