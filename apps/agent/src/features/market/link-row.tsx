import { useLingui } from '@lingui/react/macro';
import { Button } from '@wlv/ui/button';
import { Copy, RefreshCw } from 'lucide-react';
import { type useSaleLink, useSending } from './link.ts';
import type { Package } from './listing.ts';

/** The link and its copying, in one sunken row. Host and code distinguish links; what lies between would only fill it. */
export function LinkRow({ link, product }: { link: ReturnType<typeof useSaleLink>; product: Package }) {
  const { t } = useLingui();
  const { copy } = useSending(product);
  /* The row is 44 high; its button answers to all of that. */
  const button = 'relative after:absolute after:-inset-1';

  return (
    <div className="flex h-11 items-center gap-2 rounded-[12px] bg-muted pl-3.5 pr-1">
      <span title={link.data?.url} className="flex min-w-0 flex-1 text-sm text-muted-foreground">
        {link.data ? (
          <>
            <span className="truncate">{new URL(link.data.url).host}</span>
            <span className="shrink-0">/…/{link.data.code}</span>
          </>
        ) : (
          <span className="truncate">{link.isError ? t`Your link did not load` : t`Making your link…`}</span>
        )}
      </span>
      {link.isError ? (
        <Button variant="outline" size="xs" className={button} onClick={() => void link.refetch()}>
          <RefreshCw aria-hidden />
          {t`Try again`}
        </Button>
      ) : (
        <Button
          variant="outline"
          size="xs"
          className={button}
          disabled={!link.data}
          onClick={() => link.data && void copy(link.data.url)}
        >
          <Copy aria-hidden />
          {t`Copy`}
        </Button>
      )}
    </div>
  );
}
