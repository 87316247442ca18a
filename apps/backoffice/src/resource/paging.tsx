import { useLingui } from '@lingui/react/macro';
import { useRouter } from '@tanstack/react-router';
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from '@wlv/ui/dropdown-menu';
import { count } from '@wlv/ui/format';
import { IconButton } from '@wlv/ui/icon-button';
import { ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react';
import { AsOf } from '../shell/as-of.tsx';
import { countedUpTo, type Listing, pageSizes } from './listing.ts';

/**
 * The server reads on from the last row it gave, so a page knows what comes after it; what came before it is where
 * the browser has been, or else the beginning.
 */
export function Paging({
  listing,
  shown,
  next,
  total,
  at,
}: {
  listing: Listing;
  shown: number;
  next: string | null;
  total: number;
  at: number;
}) {
  const { t } = useLingui();
  const router = useRouter();
  const { from } = listing;
  const last = from + shown - 1;
  return (
    <div className="flex h-12 items-center gap-2 px-2.5 text-muted-foreground">
      <DropdownMenu>
        <DropdownMenuTrigger className="inline-flex h-9 items-center gap-2 rounded-small px-2 hover:bg-muted max-sm:hidden">
          {t`${listing.size} rows a page`}
          <ChevronDown aria-hidden className="size-4" />
        </DropdownMenuTrigger>
        <DropdownMenuContent align="start">
          {pageSizes.map((size) => (
            <DropdownMenuItem key={size} onSelect={() => listing.narrow({ size: String(size) })}>
              {t`${size} rows a page`}
            </DropdownMenuItem>
          ))}
        </DropdownMenuContent>
      </DropdownMenu>
      <AsOf at={at} />
      <span className="flex-1" />
      <span>
        {total > countedUpTo
          ? t`${count(from)}–${count(last)} of about ${count(total)}`
          : t`${count(from)}–${count(last)} of ${count(total)}`}
      </span>
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
