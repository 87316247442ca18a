import { clsx } from 'clsx';
import type { ReactNode } from 'react';

/** The phone's way through the app, 80 px high. Links come from who knows the routes. */
export function BottomTabs({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav
      data-slot="bottom-tabs"
      data-foot=""
      aria-label={label}
      className="fixed inset-x-0 bottom-0 z-30 flex h-20 items-stretch bg-card px-2 pb-3.5 pt-2 shadow-foot *:flex-1 lg:hidden"
    >
      {children}
    </nav>
  );
}

export function BottomTab({
  icon,
  label,
  active,
  badge,
}: {
  icon: ReactNode;
  label: ReactNode;
  active: boolean;
  badge?: number;
}) {
  return (
    <span
      data-slot="bottom-tab"
      className={clsx(
        'flex h-full flex-col items-center justify-center gap-[3px] text-tab',
        active ? 'font-semibold text-brand-text [&_svg]:stroke-2' : 'font-medium text-quiet',
      )}
    >
      <span
        className={clsx('relative grid h-8 w-14 place-items-center rounded-full [&_svg]:size-6', active && 'bg-accent')}
      >
        {icon}
        {badge ? <CountBadge count={badge} className="-top-px right-2" /> : null}
      </span>
      <span className="text-center leading-[13px]">{label}</span>
    </span>
  );
}

/** A count on an icon, the same red in every organisation. */
export function CountBadge({ count, className }: { count: number; className?: string }) {
  return (
    <span
      data-slot="count-badge"
      className={clsx(
        'absolute min-w-[18px] rounded-full bg-badge px-[5px] text-center text-[11px] font-semibold leading-[18px] text-white ring-2 ring-card',
        className,
      )}
    >
      {count > 99 ? '99+' : count}
    </span>
  );
}
