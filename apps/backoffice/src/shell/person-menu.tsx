import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { errorSentence } from '@wlv/client/api-error';
import { appearance, choose } from '@wlv/client/appearance';
import type { Language } from '@wlv/client/boot';
import { browserPage } from '@wlv/client/browser-page';
import { call } from '@wlv/client/call';
import { setLanguage } from '@wlv/client/language';
import { useSignOut } from '@wlv/client/use-sign-out';
import { Avatar } from '@wlv/ui/avatar';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@wlv/ui/dropdown-menu';
import { toast } from '@wlv/ui/toast';
import { KeyRound, Languages, LogOut, MessageCircle, Moon, ShieldCheck, Smartphone, Sun } from 'lucide-react';
import { usePerson } from '../access/person.ts';
import { areas, useArea } from '../area.ts';
import { messageCatalog } from '../messages.ts';

/** Links LINE to the admin who is signed in, at LINE's own page, or ends that. */
function useLineLink(linked: boolean) {
  const { t, i18n } = useLingui();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      if (!linked) return browserPage.open((await call('/api/admin/line/link', {})).url);
      await call('/api/admin/line/unlink', {});
      toast({ tone: 'ok', title: t`You sign in by password only now` });
      await client.invalidateQueries({ queryKey: ['person', 'admin'] });
    },
    onError: (error) => toast({ tone: 'bad', title: errorSentence(i18n, error) }),
  });
}

/** Behind the person's picture: language, light or dark, the way out. */
export function PersonMenu() {
  const { t, i18n } = useLingui();
  const person = usePerson();
  const area = useArea();
  const { leave } = useSignOut(area, areas[area].base);
  const navigate = useNavigate();
  const line = useLineLink(person.line);
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
        <DropdownMenuItem lang={other} onSelect={() => void setLanguage(other, messageCatalog)}>
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
        {area === 'admin' && (
          <DropdownMenuItem onSelect={() => line.mutate()}>
            <MessageCircle aria-hidden />
            {person.line ? t`Stop signing in by LINE` : t`Sign in by LINE as well`}
          </DropdownMenuItem>
        )}
        <DropdownMenuSeparator />
        {area === 'owner' && person.hasPassword && (
          <DropdownMenuItem onSelect={() => void navigate({ to: '/owner/changepassword' })}>
            <KeyRound aria-hidden />
            {t`Change password`}
          </DropdownMenuItem>
        )}
        <DropdownMenuItem onSelect={() => void navigate({ to: `${areas[area].base}/secondfactor` })}>
          <ShieldCheck aria-hidden />
          {t`Two-step sign-in`}
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={leave}>
          <LogOut aria-hidden />
          {t`Sign out`}
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
