import { useLingui } from '@lingui/react/macro';
import { Link, Outlet, useMatches } from '@tanstack/react-router';
import { Button } from '@wlv/ui/button';
import { CalendarOff, Mail } from 'lucide-react';
import { Suspense } from 'react';
import { usePerson } from '../../access/person.ts';
import { areas } from '../../area.ts';
import { AreaFrame, Boundary } from '../../shell/area-frame.tsx';
import { Elsewhere } from '../../shell/elsewhere.tsx';
import { PersonMenu } from '../../shell/person-menu.tsx';
import { RedMark } from '../../shell/red-mark.tsx';

/** The administration of the platform: one bar, then the work. */
export function AdminFrame() {
  const { t } = useLingui();
  return (
    <AreaFrame>
      <div className="flex min-h-dvh flex-col text-sm">
        <header className="sticky top-0 z-20 flex h-16 shrink-0 items-center gap-3 bg-card px-4 shadow-[0_1px_0_var(--line)] sm:px-7">
          <Link to="/advwsadmin/organize_list" className="flex min-w-0 flex-1 items-center gap-3">
            <RedMark size={34} />
            <span className="font-semibold">We Love Voucher</span>
            <span className="truncate text-quiet max-sm:hidden">{t`Platform administration`}</span>
          </Link>
          <Suspense>
            <BankHolidays />
            <Messages />
          </Suspense>
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
    </AreaFrame>
  );
}

function BankHolidays() {
  const { t } = useLingui();
  const { can } = usePerson();
  if (!can('payment', 'v')) return null;
  return (
    <Button asChild variant="ghost" size="office">
      <Link to="/advwsadmin/bankholiday_list">
        <CalendarOff aria-hidden />
        <span className="max-sm:sr-only">{t`Bank holidays`}</span>
      </Link>
    </Button>
  );
}

function Messages() {
  const { t } = useLingui();
  const { can } = usePerson();
  if (!can('contactus', 'v')) return null;
  return (
    <Button asChild variant="ghost" size="office">
      <Link to="/advwsadmin/contactus_list">
        <Mail aria-hidden />
        <span className="max-sm:sr-only">{t`Messages`}</span>
      </Link>
    </Button>
  );
}

/** The page, to who may see it; a missing right leads to the entry. */
function Admitted() {
  const { can } = usePerson();
  const { module } = useMatches().at(-1)?.staticData ?? {};
  if (module && !can(module, 'v')) return <Elsewhere to={areas.admin.base} />;
  return <Outlet />;
}
