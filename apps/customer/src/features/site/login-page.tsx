import { useLingui } from '@lingui/react/macro';
import { useTitle } from '@wlv/client/page';
import { useSearch } from '@wlv/client/router';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Field } from '@wlv/ui/field';
import { Input } from '@wlv/ui/input';
import { ChevronRight, DoorOpen, type LucideIcon, ShieldCheck, Store } from 'lucide-react';
import { type FormEvent, useState } from 'react';

/**
 * The way in on the platform's own host, where nobody is signed in himself: a customer goes on to his shop, which the server
 * finds by its short name (api/pages); everybody else to the sign-in page of his area.
 */
export function LoginPage() {
  const { t } = useLingui();
  useTitle(t`Sign in`);
  return (
    <div className="mx-auto grid max-w-[520px] gap-5 px-4 py-10 sm:px-6 lg:py-16">
      <h1 className="text-h1 font-semibold">{t`Sign in`}</h1>
      <Shop />
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

function Shop() {
  const { t } = useLingui();
  // The server goes on to the shop that this names; it is still here where there is no such shop.
  const { unique: unknown = '' } = useSearch<{ unique?: string }>();
  const [unique, setUnique] = useState(unknown);
  const [asked, setAsked] = useState(false);
  const missing = asked && !unique ? t`Enter the shop's short name.` : undefined;
  const notFound = unknown && unique === unknown ? t`We couldn't find this shop. Please check the name.` : undefined;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (unique) location.assign(`/loginpage?${new URLSearchParams({ unique })}`);
  };
  return (
    <Card className="p-5">
      <form noValidate className="grid gap-4" onSubmit={submit}>
        <h2 className="text-h2 font-semibold">{t`Customers`}</h2>
        <Field
          label={t`Your shop`}
          help={t`Its short name, the first word of its web address. There you sign in with LINE.`}
          error={missing ?? notFound}
        >
          <Input
            value={unique}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setUnique(event.target.value.trim().toLowerCase())}
          />
        </Field>
        <Button type="submit" wide>{t`Go to the shop`}</Button>
      </form>
    </Card>
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
