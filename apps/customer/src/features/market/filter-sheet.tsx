import { useLingui } from '@lingui/react/macro';
import { loadMoreMessages } from '@wlv/client/language';
import { once } from '@wlv/client/routes';
import { useComing } from '@wlv/client/use-coming';
import { IconButton } from '@wlv/ui/icon-button';
import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { messageCatalog } from '../../messages.ts';
import { filterCount, type MarketSearch } from './listing.ts';

/** The sheet's parts and words come when it is opened: the first screen is lighter for it. */
const filterForm = once(async () => {
  const [module] = await Promise.all([import('./filter-form.tsx'), loadMoreMessages(messageCatalog)]);
  return module.default;
});

export function FilterSheet({ search }: { search: MarketSearch }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const FilterForm = useComing(filterForm, open);
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
      {FilterForm && <FilterForm search={search} onDone={() => setOpen(false)} />}
    </>
  );
}
