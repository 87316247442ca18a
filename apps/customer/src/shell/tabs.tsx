import { useLingui } from '@lingui/react/macro';
import { useBrand, usePage } from '@wlv/client/page';
import { Avatar } from '@wlv/ui/avatar';
import { BottomTab, BottomTabs, CountBadge } from '@wlv/ui/bottom-tabs';
import { OrgMark, PlatformMark } from '@wlv/ui/org-mark';
import { clsx } from 'clsx';
import { ShoppingBag, Store, Ticket } from 'lucide-react';
import { AreaLink } from '../area.tsx';
import { useCartCount } from '../cart-store.ts';
import { type Tab, useProfile } from './shell.tsx';

function useTabs() {
  const { t } = useLingui();
  const profile = useProfile();
  return [
    { page: 'market', icon: <Store aria-hidden />, label: t`Market` },
    { page: 'activevoucher', icon: <Ticket aria-hidden />, label: t`Vouchers` },
    { page: 'cart', icon: <ShoppingBag aria-hidden />, label: t`Cart` },
    { page: 'profile', icon: <Avatar src={profile.data?.pictureUrl} />, label: t`Profile` },
  ] satisfies { page: Tab; icon: React.ReactNode; label: string }[];
}

export function PhoneTabs({ active }: { active: Tab }) {
  const { t } = useLingui();
  const inCart = useCartCount();
  return (
    <BottomTabs label={t`Main menu`}>
      {useTabs().map(({ page, icon, label }) => (
        <AreaLink key={page} page={page} aria-current={page === active ? 'page' : undefined}>
          <BottomTab
            icon={icon}
            label={label}
            active={page === active}
            {...(page === 'cart' ? { badge: inCart } : {})}
          />
        </AreaLink>
      ))}
    </BottomTabs>
  );
}

/** On large screens the tabs stand in the top bar; the organisation's name is the way to the market, whose icon is hidden. */
export function TopTabs({ active }: { active: Tab | undefined }) {
  const { t } = useLingui();
  const { org } = usePage();
  const brand = useBrand();
  const inCart = useCartCount();
  return (
    <header className="sticky top-0 z-30 hidden h-16 bg-card shadow-[0_1px_0_var(--line)] lg:block">
      <div className="mx-auto flex h-full max-w-[1120px] items-center gap-8 px-6">
        <AreaLink page="market" className="flex items-center gap-3 font-semibold">
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
                'relative flex h-11 items-center gap-2 rounded-full px-4 text-row [&_svg]:size-5',
                page === active
                  ? 'bg-accent font-semibold text-accent-foreground'
                  : 'font-medium text-muted-foreground',
              )}
            >
              {page !== 'market' && (
                <span className={clsx('relative', page === 'cart' && inCart > 0 && 'mr-2')}>
                  {icon}
                  {page === 'cart' && inCart > 0 && <CountBadge count={inCart} className="-right-2.5 -top-2" />}
                </span>
              )}
              {label}
            </AreaLink>
          ))}
        </nav>
      </div>
    </header>
  );
}
