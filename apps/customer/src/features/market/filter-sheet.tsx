import { useLingui } from '@lingui/react/macro';
import { IconButton } from '@wlv/ui/icon-button';
import { SlidersHorizontal } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { filterCount, type MarketSearch } from './listing.ts';

/** The sheet's parts come when it is opened: the first screen is lighter for it. */
const FilterForm = lazy(() => import('./filter-form.tsx'));

export function FilterSheet({ search }: { search: MarketSearch }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const active = filterCount(search);
  return (
    <>
      <IconButton
        label={active ? t`Filters, ${active} on` : t`Filters`}
        aria-haspopup="dialog"
        aria-expanded={open}
        className="text-quiet"
        onClick={() => setOpen(true)}
      >
        <SlidersHorizontal aria-hidden className="size-5!" />
        {active > 0 && <span aria-hidden className="absolute right-2 top-2 size-2.5 rounded-full bg-brand-mark" />}
      </IconButton>
      {open && (
        <Suspense>
          <FilterForm search={search} onDone={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
