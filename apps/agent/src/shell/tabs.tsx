import { useLingui } from '@lingui/react/macro';
import { BrandMark, useBrand } from '@wlv/client/page';
import { Avatar } from '@wlv/ui/avatar';
import { BottomTab, BottomTabs } from '@wlv/ui/bottom-tabs';
import { TopTab, TopTabs } from '@wlv/ui/top-tabs';
import { History, Store } from 'lucide-react';
import type { ReactNode } from 'react';
import { AreaLink } from '../area.tsx';
import { useProfile } from './profile.ts';

export type Tab = 'home' | 'history' | 'profile';

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
      {useTabs().map(({ page, ...tab }) => (
        <AreaLink key={page} page={page} aria-current={page === active ? 'page' : undefined}>
          <BottomTab {...tab} active={page === active} />
        </AreaLink>
      ))}
    </BottomTabs>
  );
}

/** The shop's name is the way to the market too, whose icon is hidden. */
export function DesktopTabs({ active }: { active: Tab }) {
  const { t } = useLingui();
  const brand = useBrand();
  return (
    <TopTabs
      label={t`Main menu`}
      home={
        <AreaLink page="home" className="flex items-center gap-3 font-semibold">
          <BrandMark size={36} />
          {brand}
        </AreaLink>
      }
    >
      {useTabs().map(({ page, icon, ...tab }) => (
        <AreaLink key={page} page={page} aria-current={page === active ? 'page' : undefined}>
          <TopTab icon={page === 'home' ? null : icon} {...tab} active={page === active} />
        </AreaLink>
      ))}
    </TopTabs>
  );
}
