/** Where a customer's paths begin. */
export const customerAreas = ['user', 'welovevoucher', 'trade', 'tradeuser', 'transfer', 'transferuser'] as const;

/** The pages of an area as addresses name them: `$name` stands for one part of the path. */
export type PagePath =
  | 'home'
  | 'market'
  | 'market/$packageId'
  | 'market/$packageId/days'
  | 'cart'
  | 'order/$orderId'
  | 'orders'
  | 'orders/$orderId'
  | 'orders/$orderId/refund'
  | 'activevoucher'
  | 'activevoucher/$voucherId'
  | 'activevoucher/$voucherId/use'
  | 'activevoucher/$voucherId/qr'
  | 'activevoucher/$voucherId/give'
  | 'activevoucher/$voucherId/sell'
  | 'used/$useId'
  | 'receipts/$kind/$receiptId'
  | 'trade'
  | 'trade/$offerId'
  | 'sale'
  | 'pay/$paymentId'
  | 'gift/$giftId'
  | 'gifts'
  | 'scanqrcodegift'
  | 'history'
  | 'inbox'
  | 'inbox/line'
  | 'agent'
  | 'member'
  | 'registermember'
  | 'wallet'
  | 'wallet/cashout'
  | 'wallet/statement'
  | 'wallet/topup'
  | 'wallet/topup/$topupId'
  | 'profile'
  | 'profile/edit'
  | 'profile/mobile'
  | 'faq'
  | 'mydata'
  | 'consents';

/** The pages of the public site, on the platform's own host and on a shop's. */
export type SitePath =
  | ''
  | 'home'
  | 'main'
  | 'aboutus'
  | 'partner'
  | 'contact'
  | 'faq'
  | 'termsandconditions'
  | 'loginpage'
  | 'receipt'
  | 'statement'
  | 'online/forgotpassword'
  | 'welovevoucher/forgotpassword';

/** Any text in the place of each `$name`. */
type Filled<Path extends string> = Path extends `${infer Before}$${infer Name}`
  ? `${Before}${string}${Name extends `${string}/${infer After}` ? `/${Filled<After>}` : ''}`
  : Path;

/** A page of an area as it is gone to, named without its base: `market`, `wallet/topup`. */
export type Page = Filled<PagePath>;

declare module '@wlv/client/routes' {
  interface Register {
    address:
      | `/user/${Page}`
      | '/user/transferdata'
      | `/welovevoucher/${string}/transferdata`
      | `/welovevoucher/${string}/${Page}`
      | `/${SitePath}`
      | `/partner#${string}`;
  }
}
