import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call, query } from '@wlv/client/call';
import { saveFile } from '@wlv/client/download';
import { Failure } from '@wlv/client/failure';
import { FaultNote } from '@wlv/client/fault-note';
import { usePage, useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Dialog, DialogContent, DialogTrigger } from '@wlv/ui/dialog';
import { count, dateTime } from '@wlv/ui/format';
import { phone } from '@wlv/ui/phone';
import { Skeleton } from '@wlv/ui/skeleton';
import { toast } from '@wlv/ui/toast';
import { ChevronRight, Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { InnerPage } from '../../shell/inner.tsx';
import { Erase } from './erase.tsx';
import type { Held } from './held.ts';
import { thaiMobile } from './mobile.ts';

/** What the shop holds about the person, what he agreed to, and how he takes it along or has it erased. */
export function DataPage() {
  const { t } = useLingui();
  const held = useQuery(query('/api/user/privacy/get', {}));
  return (
    <InnerPage title={t`My data`} parent="profile">
      {held.isPending && <Skeleton className="h-80 rounded-card" />}
      {held.isError && (
        <Failure title={t`Your data did not load`} error={held.error} onRetry={() => void held.refetch()} />
      )}
      {held.data && (
        <div className="pb-6">
          <Facts held={held.data} />
          <Accepted held={held.data} />
          <TakeAlong />
          <Erase held={held.data} />
        </div>
      )}
    </InnerPage>
  );
}

function Heading({ children }: { children: ReactNode }) {
  return <h2 className="px-1 pb-2 pt-5 text-h2 font-semibold">{children}</h2>;
}

function Facts({ held }: { held: Held }) {
  const { t } = useLingui();
  const { person } = held;
  const genders: Record<string, string> = { male: t`Male`, female: t`Female`, other: t`Other` };
  const facts = [
    [t`Name in LINE`, person.displayName],
    [t`Name`, [person.firstname, person.lastname].filter(Boolean).join(' ')],
    [t`E-mail`, person.emailaddress],
    [t`Mobile number`, phone(thaiMobile(person.mobilenumber) ?? '')],
    [t`Gender`, genders[person.gender]],
    [t`Customer since`, dateTime(person.since)],
    [t`Purchases`, count(held.orders)],
    [t`Vouchers`, count(held.vouchers)],
    [t`Uses`, count(held.uses)],
    [t`Payments`, count(held.payments)],
  ] as const;
  return (
    <>
      <Heading>{t`What the shop holds about you`}</Heading>
      <Card className="px-4 py-1">
        <dl className="divide-y">
          {facts.map(([name, value]) => (
            <div key={name} className="flex justify-between gap-4 py-3 text-row">
              <dt className="text-muted-foreground">{name}</dt>
              <dd className="min-w-0 break-words text-right">{value || '–'}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </>
  );
}

function Accepted({ held }: { held: Held }) {
  const { t } = useLingui();
  const text = useTexts();
  return (
    <>
      <Heading>{t`What you have accepted`}</Heading>
      <Card className="px-4 py-1">
        {held.accepted.length === 0 && <p className="py-3 text-row text-muted-foreground">{t`Nothing so far.`}</p>}
        <ul className="divide-y">
          {held.accepted.map((one) => {
            const title = text(one, 'name');
            const { version } = one;
            const at = dateTime(one.at);
            const line = t`Version ${version}, accepted ${at}`;
            return (
              <li key={one._id}>
                <Dialog>
                  <DialogTrigger className="flex min-h-14 w-full items-center gap-3.5 py-2 text-left">
                    <span className="min-w-0 flex-1">
                      <span className="block text-row font-medium">{title}</span>
                      <span className="block text-caption text-quiet">{line}</span>
                    </span>
                    <ChevronRight aria-hidden className="size-[18px] text-quiet" />
                  </DialogTrigger>
                  <DialogContent shape="sheet" title={title} description={line}>
                    <p className="whitespace-pre-line text-row text-muted-foreground">{text(one, 'body')}</p>
                  </DialogContent>
                </Dialog>
              </li>
            );
          })}
        </ul>
      </Card>
    </>
  );
}

/** A file of everything, made for this moment. */
function TakeAlong() {
  const { t } = useLingui();
  const { org } = usePage();
  const take = useMutation({
    mutationFn: () => call('/api/user/privacy/export', {}),
    onSuccess: (everything) => {
      const file = new Blob([JSON.stringify(everything, null, 2)], { type: 'application/json' });
      saveFile(file, `my-data-${org?.unique ?? 'shop'}.json`);
      toast({ tone: 'ok', title: t`Your data is in the file` });
    },
  });
  return (
    <>
      <Heading>{t`Take your data along`}</Heading>
      <p className="px-1 pb-3 text-row text-muted-foreground">
        {t`One file with your purchases, vouchers, uses, Wallet and what you accepted.`}
      </p>
      <Button variant="outline" wide disabled={take.isPending} onClick={() => take.mutate()}>
        <Download aria-hidden />
        {take.isPending ? t`Preparing the file…` : t`Download my data`}
      </Button>
      <FaultNote error={take.error} className="mt-3" />
    </>
  );
}
