import { useLingui } from '@lingui/react/macro';
import type { Language } from '@wlv/client/boot';
import { setLanguage } from '@wlv/client/language';
import { BrandMark, useBrand, usePage } from '@wlv/client/page';
import { Link } from '@wlv/client/router';
import { useSignedIn } from '@wlv/client/use-signed-in';
import { Button } from '@wlv/ui/button';
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@wlv/ui/dialog';
import { IconButton } from '@wlv/ui/icon-button';
import { clsx } from 'clsx';
import { LogIn, Menu, MessageCircle, Ticket } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { messageCatalog } from '../../messages.ts';
import { untilKnown } from '../../shell/until-known.ts';
import { ShopFooter } from './shop-footer.tsx';
import { SiteFooter } from './site-footer.tsx';

/** The public site, the platform's or on a shop's host that shop's: a fixed top bar, the page, the footer. */
export function SiteFrame({ children }: { children: ReactNode }) {
  const { org } = usePage();
  return (
    <>
      <SiteHeader />
      <main className="pt-16 lg:pt-[76px]">{children}</main>
      {org ? <ShopFooter /> : <SiteFooter />}
    </>
  );
}

function useMenu() {
  const { t } = useLingui();
  const { org } = usePage();
  if (org) {
    return [
      { to: '/', label: t`Home` },
      { to: '/user/market', label: t`Packages` },
      { to: '/contact', label: t`Our places` },
      { to: '/faq', label: t`FAQ` },
    ] as const;
  }
  return [
    { to: '/', label: t`HOME` },
    { to: '/aboutus', label: t`ABOUT US` },
    { to: '/partner', label: t`PARTNER` },
    { to: '/contact', label: t`CONTACT` },
    { to: '/faq', label: t`FAQ` },
  ] as const;
}

function SiteHeader() {
  const { t } = useLingui();
  return (
    <header className="fixed inset-x-0 top-0 z-40 bg-background/97">
      <div className="mx-auto flex h-16 max-w-[1440px] items-center gap-9 pl-5 pr-2 lg:h-[76px] lg:px-20">
        <Brand />
        <nav aria-label={t`Main menu`} className="hidden flex-1 justify-center gap-2 lg:flex">
          {useMenu().map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              className="flex h-11 items-center px-3.5 text-row font-medium aria-[current=page]:text-brand-text"
            >
              {label}
            </Link>
          ))}
        </nav>
        <div className="ml-auto hidden items-center gap-2.5 lg:flex">
          <LanguageSwitch />
          <Button asChild variant="ghost" size="sm">
            <Link to="/contact">
              <MessageCircle aria-hidden />
              {t`More questions`}
            </Link>
          </Button>
          <WayIn variant="outline" size="sm" />
        </div>
        <PhoneMenu />
      </div>
    </header>
  );
}

function Brand() {
  const brand = useBrand();
  return (
    <Link to="/" className="flex min-w-0 items-center gap-3 lg:text-h2">
      <BrandMark size={38} />
      <span className="truncate text-lead font-semibold">{brand}</span>
    </Link>
  );
}

/** To the shop, where one signs in; who has done so finds his vouchers. */
function WayIn(look: Pick<ComponentProps<typeof Button>, 'variant' | 'size' | 'wide'>) {
  const { t } = useLingui();
  const signedIn = useSignedIn('user');
  const { org } = usePage();
  return (
    <Button asChild className={clsx(signedIn === undefined && untilKnown)} {...look}>
      {signedIn ? (
        <Link to="/user/activevoucher">
          <Ticket aria-hidden />
          {t`My Voucher & Ticket`}
        </Link>
      ) : (
        <Link to={org ? '/user/market' : '/loginpage'}>
          <LogIn aria-hidden />
          {t`Sign in`}
        </Link>
      )}
    </Button>
  );
}

function PhoneMenu() {
  const { t } = useLingui();
  return (
    <Dialog>
      <DialogTrigger asChild>
        <IconButton label={t`Open the menu`} className="ml-auto lg:hidden">
          <Menu aria-hidden className="size-6!" />
        </IconButton>
      </DialogTrigger>
      <DialogContent shape="menu" title={t`Menu`} foot={<WayIn wide />}>
        <nav aria-label={t`Main menu`} className="grid grid-cols-1 divide-y">
          {useMenu().map(({ to, label }) => (
            <DialogClose asChild key={to}>
              <Link to={to} className="flex min-h-14 items-center text-base font-medium">
                {label}
              </Link>
            </DialogClose>
          ))}
        </nav>
        <div className="pt-4">
          <LanguageSwitch />
        </div>
      </DialogContent>
    </Dialog>
  );
}

function LanguageSwitch() {
  const { t, i18n } = useLingui();
  const other: Language = i18n.locale === 'th' ? 'en' : 'th';
  return (
    <button
      type="button"
      lang={other}
      onClick={() => void setLanguage(other, messageCatalog)}
      className="h-11 px-2 text-row text-muted-foreground"
      aria-label={t`Change the language`}
    >
      <span className={i18n.locale === 'th' ? 'font-semibold text-foreground' : ''}>TH</span> /{' '}
      <span className={i18n.locale === 'en' ? 'font-semibold text-foreground' : ''}>EN</span>
    </button>
  );
}
