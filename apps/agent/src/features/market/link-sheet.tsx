import { lazy, Suspense } from 'react';
import type { Package } from './listing.ts';

/** The sheet's parts come when it is opened: the first screen is lighter for it. */
const LinkSheetBody = lazy(() => import('./link-sheet-body.tsx'));

export function LinkSheet(props: { product: Package; onClose: () => void }) {
  return (
    <Suspense>
      <LinkSheetBody {...props} />
    </Suspense>
  );
}
