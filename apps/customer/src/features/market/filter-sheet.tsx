import { useLingui } from '@lingui/react/macro';
import { sayMore } from '@wlv/client/language';
import { IconButton } from '@wlv/ui/icon-button';
import { SlidersHorizontal } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { catalogue } from '../../catalogue.ts';
import { filterCount, type MarketSearch } from './listing.ts';

/** The sheet's parts and words come when it is opened: the first screen is lighter for it. */
const FilterForm = lazy(async () => {
  const [form] = await Promise.all([import('./filter-form.tsx'), sayMore(catalogue)]);
  return form;
});

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
