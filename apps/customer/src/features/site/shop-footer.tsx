import { useLingui } from '@lingui/react/macro';
import { BrandMark, useBrand, usePage, useTexts } from '@wlv/client/page';
import { Link } from '@wlv/client/router';

/** The shop's own last lines; the platform is named once, quietly. */
export function ShopFooter() {
  const { t } = useLingui();
  const brand = useBrand();
  const text = useTexts();
  const { org } = usePage();
  const tagline = org && text(org, 'tagline');
  const links = [
    { to: '/user/market', label: t`Packages` },
    { to: '/contact', label: t`Our places` },
    { to: '/faq', label: t`FAQ` },
    { to: '/termsandconditions', label: t`Terms and privacy` },
  ] as const;
  return (
    <footer className="mt-16 bg-card shadow-[0_-1px_0_var(--line)]">
      <div className="mx-auto grid max-w-[1440px] gap-8 px-5 py-10 sm:grid-cols-2 lg:px-20">
        <div className="flex items-start gap-3.5">
          <BrandMark size={48} />
          <div className="min-w-0">
            <p className="text-base font-semibold">{brand}</p>
            {tagline && <p className="text-row text-muted-foreground">{tagline}</p>}
          </div>
        </div>
        <nav aria-label={t`More of this shop`} className="sm:justify-self-end">
          <ul className="text-row text-muted-foreground">
            {links.map(({ to, label }) => (
              <li key={to}>
                <Link to={to} className="flex min-h-9 items-center">
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <p className="mx-auto max-w-[1440px] border-t px-5 py-4 text-sm text-quiet lg:px-20">{t`Powered by We Love Voucher`}</p>
    </footer>
  );
}
