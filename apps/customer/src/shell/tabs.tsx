import { useLingui } from '@lingui/react/macro';
import { BrandMark, useBrand } from '@wlv/client/page';
import { Avatar } from '@wlv/ui/avatar';
import { BottomTab, BottomTabs } from '@wlv/ui/bottom-tabs';
import { TopTab, TopTabs } from '@wlv/ui/top-tabs';
import { ShoppingBag, Store, Ticket } from 'lucide-react';
import type { ReactNode } from 'react';
import { AreaLink } from '../area.tsx';
import { useCartCount } from '../cart/cart-store.ts';
import { useProfile } from './profile.ts';
import { useUnread } from './unread.ts';

export type Tab = 'market' | 'activevoucher' | 'cart' | 'profile';

function useTabs(): { page: Tab; icon: ReactNode; label: string; badge?: number }[] {
  const { t } = useLingui();
  const profile = useProfile();
  const inCart = useCartCount();
  const unread = useUnread();
  return [
    { page: 'market', icon: <Store aria-hidden />, label: t`Market` },
    { page: 'activevoucher', icon: <Ticket aria-hidden />, label: t`My Voucher & Ticket` },
    { page: 'cart', icon: <ShoppingBag aria-hidden />, label: t`Cart`, badge: inCart },
    { page: 'profile', icon: <Avatar src={profile.data?.pictureUrl} />, label: t`Profile`, badge: unread },
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

/** The organisation's name is the way to the market too, whose icon is hidden. */
export function DesktopTabs({ active }: { active: Tab | undefined }) {
  const { t } = useLingui();
  const brand = useBrand();
  return (
    <TopTabs
      label={t`Main menu`}
      home={
        <AreaLink page="market" className="flex items-center gap-3 font-semibold">
          <BrandMark size={36} />
          {brand}
        </AreaLink>
      }
    >
      {useTabs().map(({ page, icon, ...tab }) => (
        <AreaLink key={page} page={page} aria-current={page === active ? 'page' : undefined}>
          <TopTab icon={page === 'market' ? null : icon} {...tab} active={page === active} />
        </AreaLink>
      ))}
    </TopTabs>
  );
}
