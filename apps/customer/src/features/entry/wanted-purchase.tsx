import { Plural, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { pictureURL } from '@wlv/client/media';
import { Mark, useTexts } from '@wlv/client/page';
import { Card } from '@wlv/ui/card';
import { Picture } from '@wlv/ui/picture';
import { Price } from '@wlv/ui/price';
import { Skeleton } from '@wlv/ui/skeleton';
import { keepThaiTogether } from '@wlv/ui/thai';
import { useCart } from '../../cart/cart-store.ts';

interface Line {
  package_id: string;
  total: number;
}

/** What is about to be paid for on the page that signing in leads to: a cart, or the one package of "Buy now". */
export function useWanted(next: string | null): Line[] {
  const inCart = useCart();
  const { pathname, searchParams } = new URL(next ?? '/', location.origin);
  if (!pathname.endsWith('/cart')) return [];
  const only = searchParams.get('only');
  return only ? [{ package_id: only, total: Number(searchParams.get('n')) || 1 }] : inCart;
}

/** What somebody was buying when he was asked to sign in: its picture, name and price. It is nothing where the first package is not on sale. */
export function WantedPurchase({ lines: [first, ...more] }: { lines: [Line, ...Line[]] }) {
  const { t } = useLingui();
  const text = useTexts();
  const detail = useQuery(query('/api/user/salepackage/detail', { id: first.package_id }));
  const product = detail.data;
  if (detail.isError) return null;
  return (
    <section aria-label={t`Carry on buying`} className="my-4 w-full text-left">
      <h2 className="mb-2 px-1 text-row font-semibold">{t`Carry on buying`}</h2>
      <Card className="flex items-center gap-3.5 p-4">
        {product ? (
          <Picture
            src={pictureURL(product.picture, 160)}
            mark={<Mark size={40} />}
            className="size-[68px] shrink-0 rounded-[12px]"
          />
        ) : (
          <Skeleton className="size-[68px] rounded-[12px]" />
        )}
        {product ? (
          <div className="min-w-0 flex-1">
            <p className="line-clamp-2 text-row font-medium">{keepThaiTogether(text(product, 'name'))}</p>
            <p className="mt-1 flex flex-wrap items-baseline gap-x-2">
              <Price satang={product.price_satang} className="text-lead text-brand-text" />
              {first.total > 1 && <span className="text-sm text-muted-foreground">× {first.total}</span>}
              {more.length > 0 && (
                <span className="text-sm text-muted-foreground">
                  <Plural value={more.length} one="and # more package" other="and # more packages" />
                </span>
              )}
            </p>
          </div>
        ) : (
          <div role="status" aria-label={t`Loading…`} className="grid flex-1 gap-2">
            <Skeleton className="h-5 w-4/5" />
            <Skeleton className="h-6 w-1/2" />
          </div>
        )}
      </Card>
    </section>
  );
}
