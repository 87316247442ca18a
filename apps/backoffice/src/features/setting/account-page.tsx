import { useLingui } from '@lingui/react/macro';
import { useSuspenseQuery } from '@tanstack/react-query';
import { call, query } from '@wlv/client/call';
import { useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Dialog } from '@wlv/ui/dialog';
import { Note } from '@wlv/ui/note';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { FillAccount } from '../../payee/fill-account.tsx';
import { type Answers, SentForm } from '../../payee/sent-form.tsx';

/** The bank account that the platform pays the organisation to. */
export function AccountPage() {
  const { t } = useLingui();
  useTitle(t`Bank account`);
  const { can } = usePerson();
  const may = can('setting', 's');
  const [fills, setFills] = useState(false);
  const { forms } = useSuspenseQuery(query('/api/owner/account/get', {})).data;
  const answers: Answers = {
    accept: (body) => call('/api/owner/account/accept', body),
    refuse: (body) => call('/api/owner/account/refuse', body),
    takeBack: may ? (version_id) => call('/api/owner/account/takeback', { version_id }) : undefined,
    description: t`The platform approves it after you. It is paid to 7 days later.`,
  };
  return (
    <div className="mx-auto grid w-full max-w-[880px] grid-cols-1 gap-5 px-4 pb-16 pt-6 sm:px-7">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-80">
          <h1 className="text-h1-office font-semibold">{t`Bank account`}</h1>
          <p className="text-muted-foreground">
            {t`What you have earned and the platform has collected for you is paid to this account. Two of your people and the platform approve it.`}
          </p>
        </div>
        {may && (
          <Button size="office" variant="outline" onClick={() => setFills(true)}>
            {forms.length ? t`Fill in anew` : t`Fill in`}
          </Button>
        )}
      </div>
      {!forms.some(({ state }) => state === 'approved') && (
        <Note tone="warn" icon={<CircleAlert aria-hidden />} title={t`Cannot be paid yet`}>
          {t`No account of yours is approved. What the platform has collected for you is kept until one is.`}
        </Note>
      )}
      {forms.length > 0 && (
        <Card office className="p-5">
          <ul className="divide-y">
            {forms.map((form) => (
              <SentForm key={form.id} form={form} answers={answers} />
            ))}
          </ul>
        </Card>
      )}
      <Dialog open={fills} onOpenChange={setFills}>
        {fills && (
          <FillAccount
            description={t`Somebody else of yours approves it, then the platform. It is paid to 7 days later.`}
            fill={(form) => call('/api/owner/account/fill', { form })}
            onDone={() => setFills(false)}
          />
        )}
      </Dialog>
    </div>
  );
}
