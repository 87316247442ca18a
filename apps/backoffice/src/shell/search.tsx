import { useLingui } from '@lingui/react/macro';
import { Dialog } from '@wlv/ui/dialog';
import { IconButton } from '@wlv/ui/icon-button';
import { Search as SearchIcon } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { isApple } from './is-apple.ts';

const SearchDialog = lazy(() => import('./search-dialog.tsx'));

/** The bar's search, a field that opens on ⌘K as well; on a phone an icon. */
export function Search() {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);

  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey)
        return;
      // What somebody is writing in a drawer or a question stays on top.
      if (!open && document.querySelector('[role=dialog]')) return;
      event.preventDefault();
      setOpen(!open);
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [open]);

  return (
    <>
      <button
        type="button"
        aria-keyshortcuts="Meta+K Control+K"
        onClick={() => setOpen(true)}
        className="flex h-10 w-[300px] items-center gap-2.5 rounded-small bg-card px-3.5 text-quiet shadow-[inset_0_0_0_1px_var(--line)] hover:bg-muted max-lg:w-60 max-sm:hidden"
      >
        <SearchIcon aria-hidden className="size-4" />
        <span className="min-w-0 flex-1 truncate text-left">{t`Customers, vouchers, menu`}</span>
        <kbd aria-hidden className="rounded-[6px] bg-muted px-2 font-sans text-tab">
          {isApple ? '⌘K' : 'Ctrl K'}
        </kbd>
      </button>
      <IconButton label={t`Search`} className="sm:hidden" onClick={() => setOpen(true)}>
        <SearchIcon aria-hidden />
      </IconButton>
      <Dialog open={open} onOpenChange={setOpen}>
        {open && (
          <Suspense>
            <SearchDialog onGo={() => setOpen(false)} />
          </Suspense>
        )}
      </Dialog>
    </>
  );
}
