import { useLingui } from '@lingui/react/macro';
import { useTitle } from '@wlv/client/page';
import { FindShop } from '../features/site/find-shop.tsx';
import { SiteFrame } from '../features/site/site-frame.tsx';

/** On the platform's own host there is no shop to buy from: each sells at its own address, which is found here. */
export function NoShop() {
  const { t } = useLingui();
  useTitle(t`Market`);
  return (
    <SiteFrame>
      <div className="mx-auto grid max-w-[520px] grid-cols-1 gap-5 px-4 py-10 sm:px-6 lg:py-16">
        <div>
          <h1 className="text-h1 font-semibold">{t`Go to a shop's page first`}</h1>
          <p className="mt-1 text-muted-foreground">{t`Each shop sells at an address of its own. Find yours by its name.`}</p>
        </div>
        <FindShop />
      </div>
    </SiteFrame>
  );
}
