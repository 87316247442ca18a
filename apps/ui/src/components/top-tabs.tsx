import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { CountBadge } from './bottom-tabs.tsx';

/** On a large screen the tabs stand in a bar on top, beside the way home. Links come from who knows the routes. */
export function TopTabs({ label, home, children }: { label: string; home: ReactNode; children: ReactNode }) {
  return (
    <header
      data-slot="top-tabs"
      className="sticky top-0 z-30 hidden h-16 bg-card shadow-[0_1px_0_var(--line)] lg:block"
    >
      <div className="mx-auto flex h-full max-w-[1120px] items-center gap-8 px-6">
        {home}
        <nav aria-label={label} className="ml-auto flex items-center gap-1 *:rounded-full">
          {children}
        </nav>
      </div>
    </header>
  );
}

export function TopTab({
  icon,
  label,
  active,
  badge,
}: {
  /** None for the tab that the way home leads to as well. */
  icon?: ReactNode;
  label: ReactNode;
  active: boolean;
  badge?: number;
}) {
  return (
    <span
      data-slot="top-tab"
      className={clsx(
        'flex h-11 items-center gap-2 rounded-full px-4 text-row [&_svg]:size-5',
        active ? 'bg-accent font-semibold text-accent-foreground' : 'font-medium text-muted-foreground',
      )}
    >
      {icon && (
        <span className={clsx('relative', badge && 'mr-2')}>
          {icon}
          {badge ? <CountBadge count={badge} className="-right-2.5 -top-2" /> : null}
        </span>
      )}
      {label}
    </span>
  );
}
