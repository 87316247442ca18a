import type { Coming, Place, Route } from '@wlv/client/routes';
import type { SitePath } from '../../pages.ts';
import { page } from '../../shell/screen.ts';

/** Whose host the page stands on. */
export type Host = 'platform' | 'shop';

const frame = page(() => import('./site-frame.tsx'), 'SiteFrame');
const platformHome = page(() => import('./home-page.tsx'), 'SiteHomePage');
const shopHome = page(() => import('./shop-home-page.tsx'), 'ShopHomePage');
const forgotPassword = page(() => import('./forgot-password-page.tsx'), 'ForgotPasswordPage');

/** What stands there; what has no screen of a shop leads to the shop's front. */
const sitePages: Record<SitePath, { platform: Coming; shop?: Coming }> = {
  '': { platform: platformHome, shop: shopHome },
  home: { platform: platformHome, shop: shopHome },
  main: { platform: platformHome, shop: shopHome },
  aboutus: { platform: page(() => import('./about-page.tsx'), 'AboutPage') },
  partner: { platform: page(() => import('./partner-page.tsx'), 'PartnerPage') },
  contact: {
    platform: page(() => import('./contact-page.tsx'), 'ContactPage'),
    shop: page(() => import('./shop-places-page.tsx'), 'ShopPlacesPage'),
  },
  faq: {
    platform: page(() => import('./faq-page.tsx'), 'FaqPage'),
    shop: page(() => import('./shop-questions-page.tsx'), 'ShopQuestionsPage'),
  },
  termsandconditions: {
    platform: page(() => import('./terms-page.tsx'), 'TermsPage'),
    shop: page(() => import('./shop-terms-page.tsx'), 'ShopTermsPage'),
  },
  receipt: { platform: platformHome, shop: page(() => import('./linked-receipt-page.tsx'), 'LinkedReceiptPage') },
  statement: { platform: platformHome, shop: page(() => import('./linked-statement-page.tsx'), 'LinkedStatementPage') },
  loginpage: { platform: page(() => import('./login-page.tsx'), 'LoginPage') },
  'online/forgotpassword': { platform: forgotPassword, shop: forgotPassword },
  'welovevoucher/forgotpassword': { platform: forgotPassword, shop: forgotPassword },
};

/** What only the platform says of itself leads to a shop's own front on that shop's host, its sign-in to the shop's. */
export function site(host: Host) {
  const toShop = ({ pathname }: Place) => (pathname === '/loginpage' ? '/user/home' : '/');
  return Object.entries(sitePages).map(
    ([path, { [host]: screen }]): Route => (screen ? { path, frame, screen } : { path, before: toShop }),
  );
}
