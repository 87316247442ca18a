import { useLingui } from '@lingui/react/macro';
import type { Row } from '@wlv/client/call';
import { mediaSet, pictureURL } from '@wlv/client/media';
import { Mark, useTexts } from '@wlv/client/page';
import { count, discountPercent } from '@wlv/ui/format';
import { PackageCard } from '@wlv/ui/package-card';
import { keepThaiTogether } from '@wlv/ui/thai';
import { AreaLink } from '../area.tsx';

export type Package = Row<'/api/user/get/salepackage'>;

/** A package in the grid. */
export function PackageTile({ product }: { product: Package }) {
  const text = useTexts();
  const discount = discountPercent(product.price_satang, product.list_price_satang ?? 0);
  const badge = text(product, 'badge') || (discount ? `−${discount}%` : undefined);
  return (
    <PackageCard
      name={text(product, 'name')}
      picture={pictureURL(product.picture, 400)}
      srcSet={mediaSet(product.picture, 400, 800)}
      sizes="(min-width: 600px) 270px, 50vw"
      mark={<Mark />}
      badge={badge}
      priceSatang={product.price_satang}
      meta={useMeta(product)}
      link={(content) => <AreaLink page={`market/${product.id}`}>{content}</AreaLink>}
    />
  );
}

/** `เหลือ 42 · ขายแล้ว 58`, or where it can be used when stock is not counted. */
function useMeta(product: Package) {
  const { t } = useLingui();
  const [left, sold] = [product.remaining === null ? '' : count(product.remaining), count(product.sold)];
  const parts = [
    product.remaining === 0 ? t`Sold out` : left && t`${left} left`,
    product.sold > 0 && t`${sold} sold`,
    product.remaining === null && product.service_points > 1 && t`${product.service_points} places`,
  ];
  return keepThaiTogether(parts.filter(Boolean).join(' · '));
}
