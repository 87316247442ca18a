import { useLingui } from '@lingui/react/macro';
import { useBrand, usePage } from '@wlv/client/page';
import { Avatar } from '@wlv/ui/avatar';
import { BottomTab, BottomTabs } from '@wlv/ui/bottom-tabs';
import { OrgMark, PlatformMark } from '@wlv/ui/org-mark';
import { clsx } from 'clsx';
import { History, Store } from 'lucide-react';
import type { ReactNode } from 'react';
import { AreaLink } from '../area.tsx';
import { useProfile } from './profile.ts';
import type { Tab } from './shell.tsx';

function useTabs(): { page: Tab; icon: ReactNode; label: string }[] {
  const { t } = useLingui();
  const profile = useProfile();
  return [
    { page: 'home', icon: <Store aria-hidden />, label: t`Market` },
    { page: 'history', icon: <History aria-hidden />, label: t`Sales` },
    { page: 'profile', icon: <Avatar src={profile.data?.pictureUrl} />, label: t`Profile` },
  ];
}

export function PhoneTabs({ active }: { active: Tab }) {
  const { t } = useLingui();
  return (
    <BottomTabs label={t`Main menu`}>
      {useTabs().map(({ page, icon, label }) => (
        <AreaLink key={page} page={page} aria-current={page === active ? 'page' : undefined}>
          <BottomTab icon={icon} label={label} active={page === active} />
        </AreaLink>
      ))}
    </BottomTabs>
  );
}

/** On large screens the tabs stand in the top bar, where the market has no icon. */
export function TopTabs({ active }: { active: Tab }) {
  const { t } = useLingui();
  const { org } = usePage();
  const brand = useBrand();
  return (
    <header className="sticky top-0 z-30 hidden h-16 bg-card shadow-[0_1px_0_var(--line)] lg:block">
      <div className="mx-auto flex h-full max-w-[1120px] items-center gap-8 px-6">
        <AreaLink page="home" className="flex items-center gap-3 font-semibold">
          {org ? <OrgMark logo={org.logo_url} name={brand} size={36} /> : <PlatformMark size={36} />}
          {brand}
        </AreaLink>
        <nav aria-label={t`Main menu`} className="ml-auto flex items-center gap-1">
          {useTabs().map(({ page, icon, label }) => (
            <AreaLink
              key={page}
              page={page}
              aria-current={page === active ? 'page' : undefined}
              className={clsx(
                'flex h-11 items-center gap-2 rounded-full px-4 text-row [&_svg]:size-5',
                page === active
                  ? 'bg-accent font-semibold text-accent-foreground'
                  : 'font-medium text-muted-foreground',
              )}
            >
              {page !== 'home' && icon}
              {label}
            </AreaLink>
          ))}
        </nav>
      </div>
    </header>
  );
}
