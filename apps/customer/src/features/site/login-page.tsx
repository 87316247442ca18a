import { useLingui } from '@lingui/react/macro';
import { useTitle } from '@wlv/client/page';
import { Card } from '@wlv/ui/card';
import { ChevronRight, DoorOpen, type LucideIcon, ShieldCheck, Store } from 'lucide-react';
import { FindShop } from './find-shop.tsx';

/**
 * The way in on the platform's own host, where nobody is signed in himself: a customer finds his shop and goes on to it,
 * everybody else to the sign-in page of his area.
 */
export function LoginPage() {
  const { t } = useLingui();
  useTitle(t`Sign in`);
  return (
    <div className="mx-auto grid max-w-[520px] gap-5 px-4 py-10 sm:px-6 lg:py-16">
      <h1 className="text-h1 font-semibold">{t`Sign in`}</h1>
      <FindShop />
      <Card className="divide-y px-4 py-1">
        <Area
          to="/owner/loginpage"
          Icon={Store}
          title={t`Back office`}
          line={t`Owners and who works in their office`}
        />
        <Area to="/staff/loginpage" Icon={DoorOpen} title={t`Staff at the counter`} line={t`Who checks vouchers`} />
        <Area
          to="/advwsadmin/loginpage"
          Icon={ShieldCheck}
          title={t`Platform administration`}
          line={t`Who runs We Love Voucher`}
        />
      </Card>
    </div>
  );
}

function Area({ to, Icon, title, line }: { to: string; Icon: LucideIcon; title: string; line: string }) {
  return (
    // Another app: its page is loaded anew.
    <a href={to} className="flex min-h-16 items-center gap-3.5 py-2">
      <span className="grid size-10 shrink-0 place-items-center rounded-[12px] bg-accent text-accent-foreground">
        <Icon aria-hidden className="size-5" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block text-row font-medium">{title}</span>
        <span className="block text-caption text-quiet">{line}</span>
      </span>
      <ChevronRight aria-hidden className="size-[18px] text-quiet" />
    </a>
  );
}
