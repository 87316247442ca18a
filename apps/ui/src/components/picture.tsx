import { clsx } from 'clsx';
import type { ReactNode } from 'react';

/** A product's picture in a box of fixed size; without one, the organisation's mark on a soft ground. */
export function Picture({
  src,
  srcSet,
  sizes,
  alt = '',
  mark,
  eager,
  className,
}: {
  src: string | null | undefined;
  /** The same in several widths, and how wide it is shown. */
  srcSet?: string | undefined;
  sizes?: string | undefined;
  alt?: string;
  mark?: ReactNode;
  /** The first screen's picture is asked for at once. */
  eager?: boolean;
  className?: string;
}) {
  if (!src) {
    return (
      <span
        data-slot="picture"
        className={clsx('grid place-items-center overflow-hidden bg-accent text-accent-foreground', className)}
      >
        {mark}
      </span>
    );
  }
  return (
    <img
      data-slot="picture"
      src={src}
      srcSet={srcSet}
      sizes={sizes}
      alt={alt}
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={eager ? 'high' : 'auto'}
      decoding={eager ? 'sync' : 'async'}
      className={clsx('bg-accent object-cover', className)}
    />
  );
}
