import { useLingui } from '@lingui/react/macro';
import { BrandMark, useBrand, usePage } from '@wlv/client/page';
import { count } from '@wlv/ui/format';
import { keepThaiTogether } from '@wlv/ui/thai';
import { ChevronRight } from 'lucide-react';
import { AreaLink } from '../../area.tsx';

/** Who sells it: the shop's mark and name, how many places it has, and since when it is here. */
export function Seller({ places }: { places: number }) {
  const brand = useBrand();
  return (
    <AreaLink page="market" className="mt-2.5 flex min-h-14 items-center gap-3 rounded-touch bg-muted px-4 py-3">
      <BrandMark size={40} />
      <span className="min-w-0 flex-1">
        <span className="block text-row font-medium">{brand}</span>
        <SellerLine places={places} />
      </span>
      <ChevronRight aria-hidden className="size-5 shrink-0 text-quiet" />
    </AreaLink>
  );
}

export function SellerLine({ places }: { places: number }) {
  const { t } = useLingui();
  const [year, month] = (usePage().org?.since ?? '').split('-');
  const number = count(places);
  const since = t`On the platform since ${`${month}/${year}`}`;
  const where = places > 1 ? t`${number} places` : places === 1 ? t`1 place` : '';
  return (
    <span className="block text-caption text-quiet">
      {keepThaiTogether([where, since].filter(Boolean).join(' · '))}
    </span>
  );
}
