import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Gift, MapPin, ShieldCheck } from 'lucide-react';
import { HeroTickets } from './hero-tickets.tsx';
import { Steps } from './steps.tsx';

/** What we promise, in one sentence and three tickets; then how it goes in three steps. */
export function SiteHomePage() {
  const { t } = useLingui();
  useTitle(t`Home`);
  return (
    <>
      <div className="mx-auto grid max-w-[1440px] grid-cols-1 overflow-x-clip lg:grid-cols-2 lg:px-20">
        <section className="px-5 pt-3.5 lg:px-0 lg:pt-11">
          <h1 className="text-hero-phone font-bold lg:text-hero">
            <Trans>
              Gifts
              <br />
              they <span className="text-brand-text">really use</span>
            </Trans>
          </h1>
          <p className="mt-2 max-w-[540px] text-[17px] leading-[29px] text-muted-foreground lg:mt-5 lg:text-[20px] lg:leading-[34px]">
            {t`Vouchers for spas, buffets and favourite shops: buy, and send them on in LINE at once. Your money stays safe until they go and use it.`}
          </p>
          <div className="mt-[18px] flex flex-wrap gap-2.5 lg:mt-8">
            <Button asChild className="flex-1 lg:flex-none">
              <Link to={'/user/market' as never}>
                <Gift aria-hidden />
                {t`Choose a gift`}
              </Link>
            </Button>
            <Button asChild variant="outline">
              <Link to={'/partner' as never}>{t`Open a shop with us`}</Link>
            </Button>
          </div>
          <ul className="mt-6 hidden gap-6 text-row text-muted-foreground lg:flex">
            <li className="flex items-center gap-2">
              <ShieldCheck aria-hidden className="size-5 text-ok-text" />
              {t`Not used? Ask for your money back`}
            </li>
            <li className="flex items-center gap-2">
              <MapPin aria-hidden className="size-5 text-ok-text" />
              {t`At real shops all over Thailand`}
            </li>
          </ul>
        </section>
        <HeroTickets />
      </div>
      <Steps />
    </>
  );
}
