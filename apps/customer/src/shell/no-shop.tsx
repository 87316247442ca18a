import { useLingui } from '@lingui/react/macro';
import { useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { EmptyState } from '@wlv/ui/state';

/** On the platform's own host there is no shop to buy from: each sells at its own address. */
export function NoShop() {
  const { t } = useLingui();
  useTitle(t`Market`);
  return (
    <EmptyState
      className="min-h-dvh content-center"
      title={t`Go to a shop's page first`}
      line={t`Each shop sells at an address of its own. Open the link it gave you, or ask us which shops are near you.`}
      action={
        <Button asChild>
          <a href="/contact">{t`Ask us`}</a>
        </Button>
      }
    />
  );
}
