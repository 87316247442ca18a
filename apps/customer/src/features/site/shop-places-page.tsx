import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { ServicePoints } from '../../shop/service-points.tsx';
import { ShopContact } from '../../shop/shop-contact.tsx';
import { Article } from './article.tsx';
import { ContactForm } from './contact-form.tsx';

/** A shop is asked where it is: each place with its hours, its phone and the way there. */
export function ShopPlacesPage() {
  const { t } = useLingui();
  return (
    <Article title={t`Our places`} lead={t`Call or visit the place that suits you.`}>
      <AllPlaces />
      <div className="mt-8 grid grid-cols-1 gap-6">
        <ShopContact />
        <ContactForm to="shop" />
      </div>
    </Article>
  );
}

function AllPlaces() {
  const { t } = useLingui();
  const places = useQuery(query('/api/user/get/service_point', {}));
  if (places.isError) {
    return <Failure title={t`The places did not load`} error={places.error} onRetry={() => void places.refetch()} />;
  }
  if (places.isPending) return <Skeleton className="h-64 rounded-card" />;
  if (!places.data.data.length) {
    return <EmptyState title={t`No places yet`} line={t`Where vouchers can be used will stand here.`} />;
  }
  return <ServicePoints places={places.data.data} />;
}
