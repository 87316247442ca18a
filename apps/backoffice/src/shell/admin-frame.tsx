import { useLingui } from '@lingui/react/macro';
import { Link, Outlet, useLocation, useMatches } from '@tanstack/react-router';
import { Dialog, DialogContent, DialogTrigger } from '@wlv/ui/dialog';
import { IconButton } from '@wlv/ui/icon-button';
import { Sidebar, SidebarItem, SidebarLabel } from '@wlv/ui/sidebar';
import { Menu as MenuIcon } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useMayCall } from '../access/admin-right.ts';
import { usePerson } from '../access/person.ts';
import { useAdminMenu } from '../administration.ts';
import { areas } from '../area.ts';
import { AreaFrame, Boundary } from './area-frame.tsx';
import { Elsewhere } from './elsewhere.tsx';
import { PersonMenu } from './person-menu.tsx';
import { RedMark } from './red-mark.tsx';

/** The administration of the platform: menu at the left, bar on top, the screen. */
export function AdminFrame() {
  return (
    <AreaFrame>
      <div className="flex min-h-dvh text-sm">
        <div className="sticky top-0 z-20 h-dvh max-sm:hidden">
          <Sidebar>
            <Head />
            <Menu />
          </Sidebar>
        </div>
        <div className="flex min-w-0 flex-1 flex-col">
          <header className="sticky top-0 z-10 flex h-[60px] shrink-0 items-center gap-3 bg-background px-2 sm:px-7">
            <PhoneMenu />
            <span className="flex-1" />
            <PersonMenu />
          </header>
          <main id="content" className="flex min-w-0 flex-1 flex-col">
            <Boundary>
              <Suspense>
                <Admitted />
              </Suspense>
            </Boundary>
          </main>
        </div>
      </div>
    </AreaFrame>
  );
}

function Head() {
  const { t } = useLingui();
  const { name } = usePerson();
  return (
    <Link
      to="/advwsadmin"
      className="flex items-center gap-[11px] px-2 pb-3 pt-1 in-data-rail:max-lg:justify-center in-data-rail:max-lg:px-0"
    >
      <RedMark size={38} />
      <span className="min-w-0 flex-1 in-data-rail:max-lg:hidden">
        <span className="block truncate font-semibold">We Love Voucher</span>
        <span className="block truncate text-caption text-quiet">
          {name} · {t`Platform administration`}
        </span>
      </span>
    </Link>
  );
}

function Menu({ onGo }: { onGo?: () => void }) {
  const { t, i18n } = useLingui();
  const { pathname } = useLocation();
  return (
    <nav aria-label={t`Main menu`} className="grid gap-0.5">
      {useAdminMenu().map(({ to, title, icon: Icon, under = to }) => (
        <SidebarItem key={to} active={pathname.startsWith(under)}>
          <Link to={to} title={i18n._(title)} {...(onGo ? { onClick: onGo } : {})}>
            <Icon aria-hidden />
            <SidebarLabel>{i18n._(title)}</SidebarLabel>
          </Link>
        </SidebarItem>
      ))}
    </nav>
  );
}

function PhoneMenu() {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <IconButton label={t`Menu`} className="sm:hidden">
          <MenuIcon aria-hidden />
        </IconButton>
      </DialogTrigger>
      <DialogContent shape="menu" title={t`Platform administration`}>
        <Sidebar full className="px-0! pt-1!">
          <Menu onGo={() => setOpen(false)} />
        </Sidebar>
      </DialogContent>
    </Dialog>
  );
}

/** The page, to who may make the call that it is made of; a missing right leads to the entry. */
function Admitted() {
  const mayCall = useMayCall();
  const { call } = useMatches().at(-1)?.staticData ?? {};
  if (call && !mayCall(call)) return <Elsewhere to={areas.admin.base} />;
  return <Outlet />;
}
