import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useSignOut } from '@wlv/client/use-sign-out';
import { Avatar } from '@wlv/ui/avatar';
import { Dialog, DialogContent, DialogTrigger } from '@wlv/ui/dialog';
import { Sidebar, SidebarItem, SidebarLabel } from '@wlv/ui/sidebar';
import { clsx } from 'clsx';
import { Coins, KeyRound, ListChecks, LogOut, Menu, ScanLine, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { areas } from '../../area.ts';
import { Preferences } from '../../shell/preferences.tsx';

/** The few places staff can go. */
export function ScanMenu({ dark }: { dark?: boolean }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const person = usePerson();
  const { leave } = useSignOut('staff', areas.staff.entry);
  const items = [
    { to: '/staff/scanqrcode', icon: <ScanLine aria-hidden />, label: t`Scan` },
    { to: '/staff/activevouchertransaction', icon: <ListChecks aria-hidden />, label: t`Used today` },
    ...(person.can('partnercommissiontransaction', 'v')
      ? [
          {
            to: '/staff/partnervouchercommissiontransaction',
            icon: <Coins aria-hidden />,
            label: t`Partner's commission`,
          },
        ]
      : []),
  ];
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger
        aria-label={t`Menu`}
        className={clsx('grid size-11 shrink-0 place-items-center rounded-touch', dark && 'bg-black/60')}
      >
        <Menu aria-hidden className="size-[22px]" />
      </DialogTrigger>
      <DialogContent shape="menu" title={person.name}>
        <Sidebar full className="px-0! pt-0!">
          <div className="pb-3">
            <Avatar src={person.picture} size={48} />
          </div>
          {items.map(({ to, icon, label }) => (
            <SidebarItem key={to} className="h-12! text-row!">
              <Link to={to} onClick={() => setOpen(false)} activeProps={{ className: 'bg-accent text-brand-text' }}>
                {icon}
                <SidebarLabel>{label}</SidebarLabel>
              </Link>
            </SidebarItem>
          ))}
          {person.hasPassword && (
            <SidebarItem className="h-12! text-row!">
              <Link to="/staff/changepassword" onClick={() => setOpen(false)}>
                <KeyRound aria-hidden />
                <SidebarLabel>{t`Change password`}</SidebarLabel>
              </Link>
            </SidebarItem>
          )}
          <SidebarItem className="h-12! text-row!">
            <Link to="/staff/secondfactor" onClick={() => setOpen(false)}>
              <ShieldCheck aria-hidden />
              <SidebarLabel>{t`Two-step sign-in`}</SidebarLabel>
            </Link>
          </SidebarItem>
          <SidebarItem className="h-12! text-row!">
            <button type="button" onClick={leave}>
              <LogOut aria-hidden />
              <SidebarLabel>{t`Sign out`}</SidebarLabel>
            </button>
          </SidebarItem>
          <Preferences className="mt-4" />
        </Sidebar>
      </DialogContent>
    </Dialog>
  );
}
