import { useLingui } from '@lingui/react/macro';
import { Link, Outlet, useLocation, useParams } from '@tanstack/react-router';
import { company } from '@wlv/client/company';
import { usePage, useTexts } from '@wlv/client/page';
import { Dialog, DialogContent, DialogTrigger } from '@wlv/ui/dialog';
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from '@wlv/ui/dropdown-menu';
import { IconButton } from '@wlv/ui/icon-button';
import { Note } from '@wlv/ui/note';
import { OrgMark } from '@wlv/ui/org-mark';
import { Sidebar, SidebarItem, SidebarLabel } from '@wlv/ui/sidebar';
import { Skeleton } from '@wlv/ui/skeleton';
import { ChevronDown, ChevronLeft, ChevronRight, CircleHelp, CirclePause, Menu as MenuIcon } from 'lucide-react';
import { Suspense, useState } from 'react';
import { usePerson } from '../access/person.ts';
import { findScreen, type MenuGroup, menu } from '../navigation.ts';
import { Announcements } from './announcements.tsx';
import { AreaFrame, Boundary } from './area-frame.tsx';
import { JobCards } from './job-cards.tsx';
import { PersonMenu } from './person-menu.tsx';
import { useScreenNames } from './screen-names.ts';
import { Search } from './search.tsx';
import { Waiting } from './waiting.tsx';

/** The owner's office: menu at the left, bar on top, the screen. */
export function OfficeFrame() {
  return (
    <AreaFrame>
      <div className="flex min-h-dvh text-sm">
        <div className="sticky top-0 z-20 h-dvh max-sm:hidden">
          <Sidebar>
            <Head />
            <Menu />
            <Foot />
          </Sidebar>
        </div>
        <div className="min-w-0 flex-1">
          <Bar />
          <main id="content" className="mx-auto max-w-[1640px] px-4 pb-24 sm:px-7">
            <Suspended />
            <Announcements />
            <Boundary>
              <Suspense fallback={<ScreenSkeleton />}>
                <Outlet />
              </Suspense>
            </Boundary>
          </main>
        </div>
      </div>
    </AreaFrame>
  );
}

/** Why nothing is sold; only the platform's people can change it. */
function Suspended() {
  const { t } = useLingui();
  if (!usePage().org?.suspended) return null;
  return (
    <Note
      tone="warn"
      icon={<CirclePause aria-hidden />}
      title={t`The platform has suspended this shop`}
      className="mb-5 mt-3"
    >
      {t`Nothing is sold, given, offered or topped up, and the days of gifts stand still. Vouchers are used and refunded as before.`}
    </Note>
  );
}

function useOrganisation() {
  const page = usePage();
  const { org } = usePerson();
  const text = useTexts();
  const known = page.org ?? org?.setting;
  return { name: known ? text(known, 'name') : '', logo: page.org?.logo_url ?? null };
}

function Head() {
  const { name, logo } = useOrganisation();
  const person = usePerson();
  return (
    <div className="flex items-center gap-[11px] px-2 pb-3 pt-1 in-data-rail:max-lg:justify-center in-data-rail:max-lg:px-0">
      <OrgMark logo={logo} name={name} size={38} />
      <div className="min-w-0 flex-1 in-data-rail:max-lg:hidden">
        <p className="truncate font-semibold">{name}</p>
        <p className="truncate text-caption text-quiet">{person.name}</p>
      </div>
    </div>
  );
}

/** Groups and screens that this person may see. */
function useMenu() {
  const { can } = usePerson();
  return menu
    .map((group) => ({ ...group, screens: group.screens.filter((screen) => can(screen.module, 'v')) }))
    .filter((group) => group.screens.length > 0);
}

function Menu({ onGo }: { onGo?: () => void }) {
  const { t } = useLingui();
  const { screen: path } = useParams({ strict: false });
  const current = path ? findScreen(path) : null;
  return (
    <nav aria-label={t`Main menu`} className="grid gap-0.5">
      {useMenu().map((group) => (
        <Group
          key={group.screens[0]?.path}
          group={group}
          active={group.title === current?.group.title}
          path={path}
          {...(onGo ? { onGo } : {})}
        />
      ))}
    </nav>
  );
}

function Group({
  group,
  active,
  path,
  onGo,
}: {
  group: MenuGroup;
  active: boolean;
  path: string | undefined;
  onGo?: () => void;
}) {
  const { i18n } = useLingui();
  const { titleOf, pathOf } = useScreenNames();
  const { icon: Icon, screens } = group;
  const [only, ...others] = screens;
  if (!only || others.length) return <OpenGroup group={group} active={active} path={path} onGo={onGo} />;

  // Of a group that has more for others, this person sees one screen: by its own name.
  const whole = menu.find(({ title }) => title === group.title);
  const name = whole && whole.screens.length > 1 ? titleOf(only) : i18n._(group.title);
  return (
    <SidebarItem active={active}>
      <ScreenLink path={pathOf(only)} onGo={onGo} title={name}>
        <Icon aria-hidden />
        <SidebarLabel>{name}</SidebarLabel>
        <span className="contents in-data-rail:max-lg:hidden">
          <Waiting screens={screens} />
        </span>
      </ScreenLink>
    </SidebarItem>
  );
}

/** A group that opens in the menu; on the rail, where there is no room, beside it. */
function OpenGroup({
  group: { icon: Icon, title, screens },
  active,
  path,
  onGo,
}: {
  group: MenuGroup;
  active: boolean;
  path: string | undefined;
  onGo: (() => void) | undefined;
}) {
  const { i18n } = useLingui();
  const { titleOf, pathOf } = useScreenNames();
  const [open, setOpen] = useState<boolean>();
  const name = i18n._(title);
  const shown = open ?? active;
  const Arrow = shown ? ChevronDown : ChevronRight;
  return (
    <>
      <span className="contents in-data-rail:max-lg:hidden">
        <SidebarItem open={shown}>
          <button type="button" aria-expanded={shown} onClick={() => setOpen(!shown)}>
            <Icon aria-hidden />
            <SidebarLabel>{name}</SidebarLabel>
            {!shown && <Waiting screens={screens} />}
            <Arrow aria-hidden className="size-[15px]! text-quiet" />
          </button>
        </SidebarItem>
        {shown &&
          screens.map((screen) => (
            <SidebarItem key={screen.path} nested active={pathOf(screen) === path}>
              <ScreenLink path={pathOf(screen)} onGo={onGo}>
                <span className="min-w-0 flex-1 truncate">{titleOf(screen)}</span>
                <Waiting screens={[screen]} />
              </ScreenLink>
            </SidebarItem>
          ))}
      </span>
      <span className="hidden in-data-rail:max-lg:contents">
        <DropdownMenu>
          <SidebarItem open={active}>
            <DropdownMenuTrigger aria-label={name} className="relative">
              <Icon aria-hidden />
              <Waiting screens={screens} dot />
            </DropdownMenuTrigger>
          </SidebarItem>
          <DropdownMenuContent side="right" align="start">
            {screens.map((screen) => (
              <DropdownMenuItem key={screen.path} asChild>
                <ScreenLink path={pathOf(screen)} onGo={onGo}>
                  {titleOf(screen)}
                </ScreenLink>
              </DropdownMenuItem>
            ))}
          </DropdownMenuContent>
        </DropdownMenu>
      </span>
    </>
  );
}

function ScreenLink({
  path,
  onGo,
  ...props
}: {
  path: string;
  onGo: (() => void) | undefined;
  title?: string;
  className?: string;
  children: React.ReactNode;
}) {
  return <Link to="/owner/$screen" params={{ screen: path }} {...(onGo ? { onClick: onGo } : {})} {...props} />;
}

/** While a screen that nobody has opened yet comes. */
function ScreenSkeleton() {
  const { t } = useLingui();
  return (
    <div role="status" aria-label={t`Loading…`} className="grid gap-5 pt-2">
      <Skeleton className="h-9 w-56" />
      <Skeleton className="h-10 w-80 max-w-full" />
      <Skeleton className="h-[360px] rounded-office" />
    </div>
  );
}

function Foot() {
  const { t } = useLingui();
  const { phone } = company;
  return (
    <div className="mt-auto grid gap-2 pt-3">
      <JobCards />
      <a
        href={`tel:${phone.replaceAll(' ', '')}`}
        className="flex min-h-11 items-center gap-2.5 px-2 text-caption text-quiet in-data-rail:max-lg:hidden"
      >
        <CircleHelp aria-hidden className="size-[18px] shrink-0" />
        <span>
          {t`Help ${phone}`}
          <span className="block">08:30–17:30</span>
        </span>
      </a>
    </div>
  );
}

function Bar() {
  return (
    <header className="sticky top-0 z-10 flex h-[60px] items-center gap-3 bg-background px-2 sm:px-7">
      <PhoneMenu />
      <Crumbs />
      <Search />
      <PersonMenu />
    </header>
  );
}

function PhoneMenu() {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const { name } = useOrganisation();
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <IconButton label={t`Menu`} className="relative sm:hidden">
          <MenuIcon aria-hidden />
          <Waiting screens={menu.flatMap(({ screens }) => screens)} dot />
        </IconButton>
      </DialogTrigger>
      <DialogContent shape="menu" title={name}>
        <Sidebar full className="px-0! pt-1!">
          <Menu onGo={() => setOpen(false)} />
        </Sidebar>
      </DialogContent>
    </Dialog>
  );
}

function Crumbs() {
  const { t, i18n } = useLingui();
  const { titleOf, pathOf } = useScreenNames();
  const { screen: path, id } = useParams({ strict: false });
  const { pathname } = useLocation();
  const found = path ? findScreen(path) : null;
  if (!found || found.group.screens.length === 1) return <span className="flex-1" data-path={pathname} />;
  return (
    <nav aria-label={t`Where you are`} className="flex min-w-0 flex-1 items-center gap-2 truncate text-quiet">
      <span className="max-sm:hidden">{i18n._(found.group.title)}</span>
      <ChevronRight aria-hidden className="size-3.5 max-sm:hidden" />
      {id ? (
        <Link
          to="/owner/$screen"
          params={{ screen: pathOf(found.screen) }}
          search={(now) => now}
          className="flex min-h-11 min-w-0 items-center gap-1 font-medium hover:text-foreground"
        >
          <ChevronLeft aria-hidden className="size-4 shrink-0 sm:hidden" />
          <span className="truncate">{titleOf(found.screen)}</span>
        </Link>
      ) : (
        <span className="truncate font-medium text-foreground">{titleOf(found.screen)}</span>
      )}
    </nav>
  );
}
