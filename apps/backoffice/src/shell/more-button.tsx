import { useLingui } from '@lingui/react/macro';
import { Button } from '@wlv/ui/button';

interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

/** Reads the next page of a list that grows below; gone with the last one. */
export function MoreButton({ of }: { of: Pages }) {
  const { t } = useLingui();
  if (!of.hasNextPage) return null;
  return (
    <Button
      variant="outline"
      size="office"
      className="mt-4"
      disabled={of.isFetchingNextPage}
      onClick={() => void of.fetchNextPage()}
    >{t`Show more`}</Button>
  );
}
