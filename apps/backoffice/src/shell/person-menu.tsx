import { useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { appearance, choose } from '@wlv/client/appearance';
import type { Language } from '@wlv/client/boot';
import { speak } from '@wlv/client/language';
import { Avatar } from '@wlv/ui/avatar';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@wlv/ui/dropdown-menu';
import { KeyRound, Languages, LogOut, Moon, Smartphone, Sun } from 'lucide-react';
import { useArea } from '../area.ts';
import { catalogue } from '../catalogue.ts';
import { usePerson } from '../person.tsx';
import { useSignOut } from './sign-out.ts';

/** Behind the person's picture: language, light or dark, the way out. */
export function PersonMenu() {
  const { t, i18n } = useLingui();
  const person = usePerson();
  const signOut = useSignOut();
  const area = useArea();
  const navigate = useNavigate();
  const other: Language = i18n.locale === 'th' ? 'en' : 'th';
  const looks = [
    { value: 'light', icon: <Sun aria-hidden />, label: t`Light` },
    { value: 'dark', icon: <Moon aria-hidden />, label: t`Dark` },
    { value: 'device', icon: <Smartphone aria-hidden />, label: t`As this device` },
  ] as const;

  return (
    <DropdownMenu>
      <DropdownMenuTrigger
        aria-label={t`${person.name}, menu`}
        className="grid size-11 place-items-center rounded-full"
      >
        <Avatar src={person.picture} size={34} />
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <p className="truncate px-3 pb-1 pt-2 text-sm font-medium">{person.name}</p>
        <DropdownMenuSeparator />
        <DropdownMenuItem lang={other} onSelect={() => void speak(other, catalogue)}>
          <Languages aria-hidden />
          {other === 'th' ? 'ภาษาไทย' : 'English'}
        </DropdownMenuItem>
        {looks
          .filter(({ value }) => value !== appearance())
          .map(({ value, icon, label }) => (
            <DropdownMenuItem key={value} onSelect={() => choose(value)}>
              {icon}
              {label}
            </DropdownMenuItem>
          ))}
        <DropdownMenuSeparator />
        {area === 'owner' && (
          <DropdownMenuItem onSelect={() => void navigate({ to: '/owner/changepassword' })}>
            <KeyRound aria-hidden />
            {t`Change password`}
          </DropdownMenuItem>
        )}
        <DropdownMenuItem onSelect={() => void signOut()}>
          <LogOut aria-hidden />
          {t`Sign out`}
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
