import { useLingui } from '@lingui/react/macro';
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { IconButton } from './icon-button.tsx';

export const Drawer = Radix.Root;

/**
 * The office's record beside its list; on a phone the whole screen. Head, body with an aside where there is room,
 * and a foot that stays.
 */
export function DrawerContent({
  title,
  meta,
  note,
  aside,
  foot,
  className,
  children,
  ...props
}: Omit<ComponentProps<typeof Radix.Content>, 'title'> & {
  title: ReactNode;
  /** Beside the title: a number, a state. */
  meta?: ReactNode;
  /** At the right of the head: what is not saved. */
  note?: ReactNode;
  /** 404 wide at the right, on large screens only. */
  aside?: ReactNode;
  foot?: ReactNode;
}) {
  const { t } = useLingui();
  return (
    <Radix.Portal>
      <Radix.Overlay className="fixed inset-0 z-40 bg-black/45 data-[state=closed]:animate-out data-[state=closed]:fade-out-0 data-[state=open]:animate-in data-[state=open]:fade-in-0" />
      <Radix.Content
        data-slot="drawer-content"
        aria-describedby={undefined}
        onOpenAutoFocus={(event) => {
          // The drawer itself: a field would open a phone's keyboard at once.
          event.preventDefault();
          (event.currentTarget as HTMLElement).focus();
        }}
        className={clsx(
          'fixed inset-0 z-40 flex flex-col overflow-hidden bg-card text-sm text-card-foreground shadow-float outline-none duration-[260ms] ease-in-sheet data-[state=closed]:animate-out data-[state=closed]:slide-out-to-right data-[state=closed]:duration-[180ms] data-[state=closed]:ease-out-sheet data-[state=open]:animate-in data-[state=open]:slide-in-from-right sm:inset-3 sm:left-auto sm:max-w-[calc(100vw-24px)] sm:rounded-[20px]',
          aside ? 'sm:w-[1064px]' : 'sm:w-[680px]',
          className,
        )}
        {...props}
      >
        <header className="flex min-h-16 items-center gap-3.5 border-b py-2 pl-5 pr-2.5 sm:pl-7">
          <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3.5 gap-y-1">
            <Radix.Title className="max-w-full truncate text-h2 font-semibold">{title}</Radix.Title>
            {meta}
          </div>
          {note}
          <Radix.Close asChild>
            <IconButton label={t`Close`}>
              <X aria-hidden />
            </IconButton>
          </Radix.Close>
        </header>
        <div className="flex min-h-0 flex-1">
          <div className="min-w-0 flex-1 overflow-y-auto px-5 py-5 sm:px-7">{children}</div>
          {aside && (
            <aside className="hidden w-[404px] shrink-0 overflow-y-auto bg-muted px-6 py-5 lg:block">{aside}</aside>
          )}
        </div>
        {foot && (
          <footer
            data-foot=""
            className="flex min-h-[72px] flex-wrap items-center justify-end gap-2.5 border-t px-5 py-3 sm:px-7"
          >
            {foot}
          </footer>
        )}
      </Radix.Content>
    </Radix.Portal>
  );
}
