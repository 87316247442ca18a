import { clsx } from 'clsx';
import { Slot } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';

/** The office's menu: 248 wide, a rail of 72 on tablets. In a phone's drawer it is `full` whatever the screen. */
export function Sidebar({ full, className, ...props }: ComponentProps<'aside'> & { full?: boolean }) {
  return (
    <aside
      data-slot="sidebar"
      data-rail={full ? undefined : ''}
      className={clsx(
        'flex flex-col gap-0.5 px-3 py-3.5',
        full ? 'w-full' : 'h-dvh w-[72px] shrink-0 overflow-y-auto bg-card shadow-[1px_0_0_var(--line)] lg:w-[248px]',
        className,
      )}
      {...props}
    />
  );
}

/** Words of the menu; on the rail only a screen reader says them. */
export function SidebarLabel({ className, ...props }: ComponentProps<'span'>) {
  return (
    <span
      data-slot="sidebar-label"
      className={clsx('min-w-0 flex-1 truncate in-data-rail:max-lg:sr-only', className)}
      {...props}
    />
  );
}

/** Wraps a link; on the rail only its icon is seen. */
export function SidebarItem({
  active,
  nested,
  open,
  className,
  ...props
}: ComponentProps<'a'> & {
  active?: boolean;
  nested?: boolean;
  /** Its nested items are shown below. */
  open?: boolean;
}) {
  return (
    <Slot.Root
      data-slot="sidebar-item"
      aria-current={active ? 'page' : undefined}
      className={clsx(
        'flex h-9 shrink-0 items-center gap-[11px] rounded-small px-3 text-left text-sm [&_svg]:size-[18px] [&_svg]:shrink-0',
        'in-data-rail:max-lg:h-11 in-data-rail:max-lg:justify-center in-data-rail:max-lg:px-0',
        nested && 'pl-[41px]',
        active
          ? 'bg-accent font-semibold text-accent-foreground [&_svg]:stroke-2'
          : [
              'hover:bg-muted',
              open ? 'font-semibold text-foreground' : 'text-muted-foreground',
              nested || open ? '' : 'font-medium',
            ],
        className,
      )}
      {...props}
    />
  );
}

export function SidebarCount({ children }: { children: ReactNode }) {
  return (
    <span
      data-slot="sidebar-count"
      className="ml-auto rounded-full bg-muted px-2 text-tab text-muted-foreground in-data-rail:max-lg:hidden"
    >
      {children}
    </span>
  );
}
