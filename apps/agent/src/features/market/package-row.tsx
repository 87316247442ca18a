import { useLingui } from '@lingui/react/macro';
import { pictureURL } from '@wlv/client/media';
import { Mark, useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Chip } from '@wlv/ui/chip';
import { baht } from '@wlv/ui/format';
import { Picture } from '@wlv/ui/picture';
import { Skeleton } from '@wlv/ui/skeleton';
import { Share2 } from 'lucide-react';
import type { Package } from './listing.ts';

/** One package: its price, what a sale earns, and the way to send it. */
export function PackageRow({ product, onShare }: { product: Package; onShare: () => void }) {
  const { t } = useLingui();
  const text = useTexts();
  const name = text(product, 'name');
  const [price, earned] = [baht(product.price_satang), baht(product.commission_satang)];
  return (
    <article className="flex items-center gap-3 py-2.5">
      <Picture
        src={pictureURL(product.picture, 160)}
        mark={<Mark size={28} />}
        className="size-12 shrink-0 rounded-control"
      />
      <div className="min-w-0 flex-1">
        <h3 className="line-clamp-2 text-row font-medium">{name}</h3>
        <p className="flex flex-wrap gap-x-2 text-caption">
          <span className="font-medium text-ok-text">{t`You earn ${earned}`}</span>
          <span className="text-quiet">{t`Price ${price}`}</span>
        </p>
      </div>
      {product.remaining === 0 ? (
        <Chip>{t`Sold out`}</Chip>
      ) : (
        <Button
          variant="soft"
          size="xs"
          className="relative after:absolute after:-inset-1"
          aria-label={t`Share ${name}`}
          onClick={onShare}
        >
          <Share2 aria-hidden className="size-[18px]!" />
          {t`Share`}
        </Button>
      )}
    </article>
  );
}

export function PackageRowSkeleton() {
  return (
    <div className="flex h-16 items-center gap-3">
      <Skeleton className="size-12 shrink-0 rounded-control" />
      <div className="grid flex-1 grid-cols-1 gap-2.5">
        <Skeleton className="h-3.5 w-4/5" />
        <Skeleton className="h-3 w-2/5" />
      </div>
      <Skeleton className="h-9 w-[84px] rounded-small" />
    </div>
  );
}
