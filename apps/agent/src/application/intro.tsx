import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { mutation } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { BrandMark, useBrand } from '@wlv/client/page';
import { useSignOut } from '@wlv/client/use-sign-out';
import { Button } from '@wlv/ui/button';
import { CalendarCheck, FileText, Link2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useArea } from '../area.tsx';
import { useKeepApplication } from './application.ts';

/** Opens the form, with what is known of the person. */
export function useBegin() {
  const keep = useKeepApplication();
  return useMutation({ ...mutation('/api/agent/register/begin'), onSuccess: keep });
}

/** For who has never applied: what selling is, and what the form asks for. */
export function Intro({ sells }: { sells: boolean }) {
  const { t } = useLingui();
  const brand = useBrand();
  const begin = useBegin();
  return (
    <div className="mx-auto grid max-w-[560px] grid-cols-1 gap-5 px-4 pb-12 pt-9 sm:px-6 lg:pt-16">
      <div className="px-1">
        <BrandMark size={56} />
        <h1 className="mt-4 text-h1 font-semibold">
          {sells ? t`Send your details to be paid` : t`Become an agent of ${brand}`}
        </h1>
        <p className="mt-1 text-row text-muted-foreground">
          {t`You need your ID card, your bank book and your phone. It takes about five minutes.`}
        </p>
      </div>
      <ul className="grid gap-4 px-1">
        <Point icon={<Link2 aria-hidden />} title={t`Share links, earn commission`}>
          {t`A sale is yours when the customer opened your link last, within 30 days before buying.`}
        </Point>
        <Point icon={<CalendarCheck aria-hidden />} title={t`Paid to your bank account`}>
          {t`What you have earned goes to the account that you name, in your own name.`}
        </Point>
        <Point icon={<FileText aria-hidden />} title={t`The shop checks your form`}>
          {t`You are told in LINE when it has answered. What you fill in is kept until then.`}
        </Point>
      </ul>
      <FaultNote error={begin.error} />
      <div className="grid gap-2">
        <Button wide disabled={begin.isPending} onClick={() => begin.mutate({})}>
          {t`Fill in the form`}
        </Button>
        {!sells && <OtherAccount />}
      </div>
    </div>
  );
}

export function Point({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <li className="flex gap-3.5">
      <span className="mt-0.5 text-brand-text [&_svg]:size-[22px]">{icon}</span>
      <span>
        <span className="block text-row font-medium">{title}</span>
        <span className="block text-caption text-quiet">{children}</span>
      </span>
    </li>
  );
}

export function OtherAccount() {
  const { t } = useLingui();
  const { path } = useArea();
  const { leave, leaving } = useSignOut('agent', path('home'));
  return (
    <Button variant="ghost" wide disabled={leaving} onClick={leave}>
      {t`Use another LINE account`}
    </Button>
  );
}
