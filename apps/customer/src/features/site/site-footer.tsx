import { useLingui } from '@lingui/react/macro';
import { company } from '@wlv/client/company';
import { useTexts } from '@wlv/client/page';
import { Link } from '@wlv/client/router';
import { Mail, MapPin, Phone } from 'lucide-react';
import { useSisterServices } from './sister-services.ts';
import { SocialIcon } from './social-icon.tsx';

export function SiteFooter() {
  const { t } = useLingui();
  const text = useTexts();
  return (
    <footer className="mt-16 bg-card shadow-[0_-1px_0_var(--line)]">
      <div className="mx-auto grid max-w-[1440px] gap-10 px-5 py-12 sm:grid-cols-2 lg:grid-cols-[1.4fr_1fr_1fr] lg:px-20">
        <section>
          <h2 className="text-base font-semibold">{text(company, 'name')}</h2>
          <address className="mt-3 grid grid-cols-1 gap-2.5 text-row not-italic text-muted-foreground">
            <span className="flex gap-2.5">
              <MapPin aria-hidden className="mt-1 size-[18px] shrink-0" />
              {text(company, 'address')}
            </span>
            <a href={`mailto:${company.email}`} className="flex min-h-6 items-center gap-2.5">
              <Mail aria-hidden className="size-[18px] shrink-0" />
              {company.email}
            </a>
            <a href={`tel:${company.phone.replaceAll(' ', '')}`} className="flex min-h-6 items-center gap-2.5">
              <Phone aria-hidden className="size-[18px] shrink-0" />
              {company.phone}
            </a>
          </address>
        </section>
        <nav aria-label={t`Our other services`}>
          <h2 className="text-base font-semibold">{t`Our other services`}</h2>
          <ul className="mt-2 text-row text-muted-foreground">
            {useSisterServices().map(({ id, name }) => (
              <li key={id}>
                <Link to={`/partner#${id}`} className="flex min-h-9 items-center">
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <section>
          <h2 className="text-base font-semibold">{t`Follow us`}</h2>
          <ul className="mt-3 flex gap-2">
            {company.social.map(({ name, href }) => (
              <li key={name}>
                <a
                  href={href}
                  aria-label={name}
                  target="_blank"
                  rel="noreferrer"
                  className="grid size-11 place-items-center rounded-touch bg-accent text-accent-foreground"
                >
                  <SocialIcon name={name} />
                </a>
              </li>
            ))}
          </ul>
        </section>
      </div>
      <div className="border-t">
        <p className="mx-auto flex max-w-[1440px] flex-wrap gap-x-6 gap-y-1 px-5 py-4 text-sm text-quiet lg:px-20">
          <span>© 2026 We Love Voucher</span>
          <Link to="/termsandconditions" className="font-medium text-brand-text">
            {t`Terms & Conditions`}
          </Link>
        </p>
      </div>
    </footer>
  );
}
