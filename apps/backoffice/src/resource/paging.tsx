import { useLingui } from '@lingui/react/macro';
import { useRouter } from '@tanstack/react-router';
import { count } from '@wlv/ui/format';
import { IconButton } from '@wlv/ui/icon-button';
import { Select } from '@wlv/ui/select';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type Listing, pageSizes } from './listing.ts';

/**
 * The server reads on from the last row it gave, so a page knows what comes after it; what came before it is where
 * the browser has been, or else the beginning.
 */
export function Paging({
  listing,
  shown,
  next,
  total,
}: {
  listing: Listing;
  shown: number;
  next: string | null;
  total: number;
}) {
  const { t } = useLingui();
  const router = useRouter();
  const { from } = listing;
  const last = from + shown - 1;
  return (
    <div className="flex h-12 items-center gap-2 px-[18px] text-muted-foreground">
      <div className="w-44 max-sm:hidden">
        <Select
          size="office"
          label={t`Rows on a page`}
          value={String(listing.size)}
          onChange={(size) => listing.narrow({ size })}
          options={pageSizes.map((size) => ({ value: String(size), label: t`${size} rows a page` }))}
        />
      </div>
      <span className="flex-1" />
      <span>{t`${count(from)}–${count(last)} of ${count(total)}`}</span>
      <IconButton
        size="sm"
        label={t`Page before`}
        disabled={from <= 1}
        onClick={() =>
          router.history.canGoBack() ? router.history.back() : listing.change({ after: undefined, from: undefined })
        }
      >
        <ChevronLeft aria-hidden />
      </IconButton>
      <IconButton
        size="sm"
        label={t`Next page`}
        disabled={!next}
        onClick={() => next && listing.change({ after: next, from: String(last + 1) }, { push: true })}
      >
        <ChevronRight aria-hidden />
      </IconButton>
    </div>
  );
}
