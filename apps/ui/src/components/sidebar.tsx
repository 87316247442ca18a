import { clsx } from 'clsx';
import { Slot } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';

/** The office's menu: 248 wide, a rail of 72 on tablets. */
export function Sidebar({ className, ...props }: ComponentProps<'aside'>) {
  return (
    <aside
      data-slot="sidebar"
      className={clsx(
        'flex h-dvh w-[72px] shrink-0 flex-col gap-0.5 overflow-y-auto bg-card px-3 py-3.5 shadow-[1px_0_0_var(--line)] lg:w-[248px]',
        className,
      )}
      {...props}
    />
  );
}

export function SidebarGroup({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section data-slot="sidebar-group" className="grid grid-cols-1 gap-0.5">
      <h2 className="hidden px-3 pb-1 pt-3 text-tab font-medium text-quiet lg:block">{title}</h2>
      {children}
    </section>
  );
}

/** Wraps a link; on the rail only its icon is seen. */
export function SidebarItem({
  active,
  nested,
  className,
  ...props
}: ComponentProps<'a'> & { active?: boolean; nested?: boolean }) {
  return (
    <Slot.Root
      data-slot="sidebar-item"
      aria-current={active ? 'page' : undefined}
      className={clsx(
        'flex h-9 items-center gap-[11px] rounded-small px-3 text-sm [&_svg]:size-[18px] [&_svg]:shrink-0',
        nested && 'lg:pl-[43px]',
        active
          ? 'bg-accent font-semibold text-accent-foreground [&_svg]:stroke-2'
          : ['text-muted-foreground hover:bg-muted', nested ? 'font-normal' : 'font-medium'],
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
      className="ml-auto hidden rounded-full bg-muted px-2 text-tab text-muted-foreground lg:inline"
    >
      {children}
    </span>
  );
}
