import { Trans, useLingui } from '@lingui/react/macro';
import { useTitle } from '@wlv/client/page';
import { Link } from '@wlv/client/router';
import { Button } from '@wlv/ui/button';
import { CircleHelp, QrCode, ShieldCheck, Store } from 'lucide-react';
import { Assurance, Hero } from './hero.tsx';
import { HeroTickets } from './hero-tickets.tsx';
import { Steps } from './steps.tsx';

/** What we promise, in one sentence and three tickets; then how it goes in three steps. Shops sell at their own addresses. */
export function SiteHomePage() {
  const { t } = useLingui();
  useTitle(t`Home`);
  return (
    <>
      <Hero
        size="slogan"
        title={
          <Trans>
            Vouchers
            <br />
            you <span className="text-brand-text">really use</span>
          </Trans>
        }
        lead={t`Vouchers for spas, buffets and favourite shops: buy them in LINE, show a QR at the shop.`}
        actions={
          <>
            <Button asChild className="flex-1 lg:flex-none">
              <Link to="/partner">
                <Store aria-hidden />
                {t`Open a shop with us`}
              </Link>
            </Button>
            <Button asChild variant="outline">
              <Link to="/faq">
                <CircleHelp aria-hidden />
                {t`How it works`}
              </Link>
            </Button>
          </>
        }
        assurances={
          <>
            <Assurance
              icon={<ShieldCheck aria-hidden />}
            >{t`Where the package says so, your money is set aside until you use it or it expires`}</Assurance>
            <Assurance
              icon={<QrCode aria-hidden />}
            >{t`The QR changes every 30 seconds; nobody else can use it`}</Assurance>
          </>
        }
        tickets={<HeroTickets />}
      />
      <Steps className="mt-6 lg:mx-auto lg:max-w-[1440px] lg:px-20" />
    </>
  );
}
