import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { isFault } from '@wlv/client/api-error';
import { type Detail, query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { mediaSet, pictureURL } from '@wlv/client/media';
import { Mark, useTexts, useTitle } from '@wlv/client/page';
import { useParams } from '@wlv/client/router';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { Chip } from '@wlv/ui/chip';
import { amount, baht, count } from '@wlv/ui/format';
import { IconButton } from '@wlv/ui/icon-button';
import { Picture } from '@wlv/ui/picture';
import { Price } from '@wlv/ui/price';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { toast } from '@wlv/ui/toast';
import { ChevronLeft, Flame, ShoppingBag, Store } from 'lucide-react';
import { AreaLink, useArea } from '../../area.tsx';
import { cart } from '../../cart/cart-store.ts';
import { ShareButton } from '../../shop/share-button.tsx';
import type { KnownPackage, PackageDetail } from './package.ts';
import { PackageFacts, Received } from './package-facts.tsx';
import { Seller } from './seller.tsx';

type List = Detail<'/api/user/get/salepackage'>;

/** Few left is worth saying; many is not. */
const scarce = 20;
const bestSeller = 100;

export function PackagePage() {
  const { t } = useLingui();
  const { packageId = '' } = useParams<'packageId'>();
  const detail = useQuery(query('/api/user/salepackage/detail', { id: packageId }));
  const known = useKnown(packageId);

  if (detail.isPending) return known ? <PackageView product={known} seen={known} /> : <PackageSkeleton />;
  if (isFault(detail.error, 'catalog.package_not_found') || isFault(detail.error, 'input.invalid'))
    return <NoSuchPackage />;
  if (detail.isError) {
    return <Failure title={t`The package did not load`} error={detail.error} onRetry={() => void detail.refetch()} />;
  }
  return <PackageView product={detail.data} detail={detail.data} seen={known} />;
}

/** What a list has said of a package: its picture, name and price stand there at once. */
function useKnown(id: string): KnownPackage | undefined {
  const client = useQueryClient();
  const lists = client.getQueriesData<List | { pages: List[] }>({ queryKey: ['/api/user/get/salepackage'] });
  return lists
    .flatMap(([, read]) => (!read ? [] : 'pages' in read ? read.pages : [read]))
    .flatMap((list) => list.data)
    .find((card) => card.id === id);
}

/** An old link, or one that was cut off: there is nothing to try again. */
function NoSuchPackage() {
  const { t } = useLingui();
  return (
    <EmptyState
      title={t`Package not found`}
      line={t`It may have been taken off sale.`}
      action={
        <Button asChild>
          <AreaLink page="market">
            <Store aria-hidden />
            {t`See what is on sale`}
          </AreaLink>
        </Button>
      }
    />
  );
}

/** Without `detail` what it consists of is still on its way. Of what was `seen` in a list, its small picture stands in for the large one. */
function PackageView({
  product,
  detail,
  seen,
}: {
  product: KnownPackage;
  detail?: PackageDetail;
  seen: KnownPackage | undefined;
}) {
  const text = useTexts();
  const small = pictureURL(seen?.picture, 400);
  const name = text(product, 'name');
  useTitle(name);
  return (
    <article className="mx-auto max-w-[1120px] pb-28 lg:grid lg:grid-cols-2 lg:items-start lg:gap-8 lg:px-6 lg:pb-12 lg:pt-8">
      <div
        className="relative h-[286px] bg-cover bg-center sm:h-[380px] lg:overflow-hidden lg:rounded-sheet"
        style={small ? { backgroundImage: `url("${small}")` } : undefined}
      >
        <Picture
          src={pictureURL(product.picture, 800)}
          srcSet={mediaSet(product.picture, 800, 1600)}
          sizes="(min-width: 1024px) 540px, 100vw"
          mark={<Mark size={96} />}
          eager
          className={small ? 'size-full bg-transparent!' : 'size-full'}
        />
        <div className="absolute inset-x-3 top-2.5 flex justify-between">
          <BackOnPicture />
          <ShareButton text={name} variant="picture" />
        </div>
      </div>
      <div className="relative -mt-7 rounded-t-sheet bg-card px-5 py-[22px] lg:mt-0 lg:rounded-sheet lg:shadow-card">
        <Head product={product} />
        {detail ? (
          <>
            <Received parts={detail.parts} />
            <Seller places={detail.shop_service_points} />
            <PackageFacts product={detail} />
          </>
        ) : (
          <FactsSkeleton />
        )}
        <BuyFoot product={product} />
      </div>
    </article>
  );
}

function BackOnPicture() {
  const { t } = useLingui();
  return (
    <IconButton asChild label={t`Back`} variant="picture">
      <AreaLink page="market" back>
        <ChevronLeft aria-hidden className="size-6!" />
      </AreaLink>
    </IconButton>
  );
}

/** What it is, what it costs, and how fast it goes. */
export function Head({ product }: { product: KnownPackage }) {
  const { t } = useLingui();
  const text = useTexts();
  const list = product.list_price_satang;
  const saving = list && list > product.price_satang ? baht(list - product.price_satang) : undefined;
  return (
    <>
      <Marks product={product} />
      <h1 className="text-[22px] font-semibold leading-[35px]">{text(product, 'name')}</h1>
      <div className="mt-1.5 flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <span className="flex items-baseline gap-x-2.5">
          <Price satang={product.price_satang} className="text-money text-brand-text" />
          {saving && list && <Price satang={list} struck />}
        </span>
        {saving && <Chip tone="second" className="ml-auto">{t`Save ${saving}`}</Chip>}
      </div>
      <PricePerItem product={product} />
    </>
  );
}

/** Nothing where there is nothing to say. */
function Marks({ product }: { product: KnownPackage }) {
  const { t } = useLingui();
  const sold = count(product.sold);
  const left = product.remaining;
  if (product.sold === 0 && (left === null || left > scarce)) return null;
  return (
    <div className="mb-2.5 flex min-h-[26px] items-center gap-2">
      {product.sold >= bestSeller && <Chip tone="second" icon={<Flame aria-hidden />}>{t`Best seller`}</Chip>}
      {left === 0 && <Chip>{t`Sold out`}</Chip>}
      {!!left && left <= scarce && <Chip tone="warn">{t`${left} left`}</Chip>}
      {product.sold > 0 && <span className="ml-auto text-caption text-quiet">{t`${sold} sold`}</span>}
    </div>
  );
}

/** What one of several costs, rounded to a satang; only where there is one kind of thing inside. */
function PricePerItem({ product: { price_satang, parts = [] } }: { product: KnownPackage }) {
  const { t } = useLingui();
  const [item] = parts;
  const number = item ? item.quantity * item.count : 0;
  if (item?.kind !== 'item' || parts.length > 1 || number < 2) return null;
  const each = amount(Math.round(price_satang / number));
  return <p className="text-sm text-muted-foreground">{t`${each} each`}</p>;
}

export function BuyFoot({ product }: { product: KnownPackage }) {
  const { t } = useLingui();
  const { go } = useArea();
  const text = useTexts();
  const soldOut = product.remaining === 0;

  const addToCart = () => {
    cart.add(product.id);
    toast({
      tone: 'ok',
      title: t`In your cart`,
      line: text(product, 'name'),
      action: { label: t`Open cart`, onClick: () => void go('cart') },
    });
  };

  return (
    <ActionFoot onCard className="flex gap-2.5">
      <IconButton label={t`Add to cart`} variant="outline" size="lg" disabled={soldOut} onClick={addToCart}>
        <ShoppingBag aria-hidden />
      </IconButton>
      {soldOut ? (
        <Button disabled className="flex-1">{t`Sold out`}</Button>
      ) : (
        <Button asChild className="flex-1">
          <AreaLink page="cart" search={{ only: product.id }}>
            {t`Buy now`}
            <span aria-hidden>·</span> <Price satang={product.price_satang} />
          </AreaLink>
        </Button>
      )}
    </ActionFoot>
  );
}

function PackageSkeleton() {
  return (
    <div className="mx-auto max-w-[1120px] lg:grid lg:grid-cols-2 lg:items-start lg:gap-8 lg:px-6 lg:pt-8">
      <Skeleton className="h-[286px] rounded-none sm:h-[380px] lg:rounded-sheet" />
      <div className="relative -mt-7 grid grid-cols-1 gap-3 rounded-t-sheet bg-card px-5 py-[22px] lg:mt-0 lg:rounded-sheet lg:shadow-card">
        <Skeleton className="h-[26px] w-40" />
        <Skeleton className="h-8 w-4/5" />
        <Skeleton className="h-9 w-36" />
        <FactsSkeleton />
      </div>
    </div>
  );
}

function FactsSkeleton() {
  const { t } = useLingui();
  return (
    <div role="status" aria-label={t`Loading…`} className="mt-2.5 grid grid-cols-1 gap-3">
      <Skeleton className="h-[78px] rounded-touch" />
      <Skeleton className="h-16 rounded-touch" />
      <Skeleton className="h-10 w-2/3" />
      <Skeleton className="h-10 w-3/4" />
      <Skeleton className="h-10 w-2/3" />
    </div>
  );
}
