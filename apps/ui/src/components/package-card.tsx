import type { ReactNode } from 'react';
import { Badge } from './badge.tsx';
import { Picture } from './picture.tsx';
import { Price } from './price.tsx';
import { Skeleton } from './skeleton.tsx';

const card = 'flex flex-col overflow-hidden rounded-card bg-card shadow-card';

/** A product in the grid; the whole card is one link, given by who knows the routes. */
export function PackageCard({
  name,
  picture,
  srcSet,
  sizes,
  mark,
  badge,
  priceSatang,
  meta,
  link,
}: {
  name: string;
  picture: string | null;
  srcSet?: string | undefined;
  sizes?: string | undefined;
  mark?: ReactNode;
  badge?: ReactNode;
  priceSatang: number;
  meta?: ReactNode;
  /** A link around the name; it stretches over the card. */
  link: (content: ReactNode) => ReactNode;
}) {
  return (
    <article data-slot="package-card" className={`${card} relative has-focus-visible:outline-2 outline-ring`}>
      <div className="relative h-[104px] sm:h-[132px]">
        <Picture src={picture} srcSet={srcSet} sizes={sizes} mark={mark} className="size-full" />
        {badge && <Badge>{badge}</Badge>}
      </div>
      <div className="px-3 pb-2.5 pt-[9px]">
        <h3 className="line-clamp-2 h-[46px] text-[15px] font-medium leading-[23px]">
          {link(
            <>
              <span aria-hidden className="absolute inset-0" />
              {name}
            </>,
          )}
        </h3>
        <div className="mt-0.5 text-h2 leading-[27px]">
          <Price satang={priceSatang} />
        </div>
        <p className="h-5 truncate text-caption text-quiet">{meta}</p>
      </div>
    </article>
  );
}

export function PackageCardSkeleton() {
  return (
    <div className={card}>
      <Skeleton className="h-[104px] rounded-none sm:h-[132px]" />
      <div className="px-3 pb-2.5 pt-[9px]">
        <div className="grid h-[46px] content-center gap-2">
          <Skeleton className="h-3.5" />
          <Skeleton className="h-3.5 w-2/3" />
        </div>
        <div className="mt-0.5 flex h-[27px] items-center">
          <Skeleton className="h-4 w-20" />
        </div>
        <div className="flex h-5 items-center">
          <Skeleton className="h-3 w-24" />
        </div>
      </div>
    </div>
  );
}
