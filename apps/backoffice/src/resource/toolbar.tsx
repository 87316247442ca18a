import { useLingui } from '@lingui/react/macro';
import {
  DropdownMenu,
  DropdownMenuCheckboxItem,
  DropdownMenuContent,
  DropdownMenuTrigger,
} from '@wlv/ui/dropdown-menu';
import { SearchField } from '@wlv/ui/search-field';
import { Columns3 } from 'lucide-react';
import { Filters } from './filters.tsx';
import type { Listing } from './listing.ts';
import type { AnyResource } from './resource.ts';

const tool =
  'inline-flex h-9 shrink-0 items-center gap-2 rounded-small bg-card px-3 font-medium shadow-[inset_0_0_0_1px_var(--line)] hover:bg-muted [&_svg]:size-4';

/** Search, filters, columns. */
export function Toolbar({ resource, listing }: { resource: AnyResource; listing: Listing }) {
  const { t } = useLingui();
  return (
    <div className="mb-3.5 flex flex-wrap items-center gap-2">
      <SearchField
        size="office"
        label={t`Search the list`}
        placeholder={t`Search by name or code`}
        value={listing.params.q ?? ''}
        onSearch={(words) => listing.narrow({ q: words })}
        className="max-sm:-order-1 h-9! w-[270px]! rounded-small! max-sm:h-11! max-sm:w-auto! max-sm:flex-1 shadow-[inset_0_0_0_1px_var(--line)]"
      />
      <Filters resource={resource} listing={listing} />
      <span className="flex-1 max-sm:hidden" />
      <ColumnsMenu resource={resource} listing={listing} />
    </div>
  );
}

function ColumnsMenu({ resource, listing }: { resource: AnyResource; listing: Listing }) {
  const { t, i18n } = useLingui();
  const { hidden } = listing;
  return (
    <DropdownMenu>
      <DropdownMenuTrigger className={`${tool} max-sm:hidden`}>
        <Columns3 aria-hidden />
        {t`Columns`}
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        {resource.columns.map(({ name, title }) => (
          <DropdownMenuCheckboxItem
            key={name}
            checked={!hidden.includes(name)}
            onCheckedChange={(shown) => {
              const next = shown ? hidden.filter((one) => one !== name) : [...hidden, name];
              listing.change({ hide: next.length ? next.join(',') : 'none' });
            }}
          >
            {i18n._(title)}
          </DropdownMenuCheckboxItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
