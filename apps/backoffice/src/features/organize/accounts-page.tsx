import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { call, query, type Row } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { FaultNote } from '@wlv/client/fault-note';
import { useTexts, useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { dateTime } from '@wlv/ui/format';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { type Answers, SentForm } from '../../payee/sent-form.tsx';
import { Facts } from '../../resource/facts.tsx';

type Waiting = Row<'/api/admin/account/list'>;

/** Bank accounts of organisations that wait for the platform. */
export function AccountsPage() {
  const { t } = useLingui();
  useTitle(t`Bank accounts that wait`);
  const text = useTexts();
  const { can } = usePerson();
  const [looked, setLooked] = useState<Waiting>();
  const list = useQuery(query('/api/admin/account/list', {}));
  return (
    <div className="mx-auto grid w-full max-w-[1000px] grid-cols-1 gap-5 px-4 pb-16 pt-6 sm:px-7">
      <div>
        <h1 className="text-h1-office font-semibold">{t`Bank accounts that wait`}</h1>
        <p className="text-muted-foreground">
          {t`Two people of the organisation have approved each. What you approve is paid to 7 days later.`}
        </p>
      </div>
      {list.isPending && <Skeleton className="h-40 rounded-card" />}
      {list.isError && <Failure title={t`This did not load`} error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.data.length === 0 && (
        <Card office>
          <EmptyState
            title={t`No account waits`}
            line={t`What two people of an organisation have approved waits here.`}
          />
        </Card>
      )}
      {!!list.data?.data.length && (
        <Card office className="overflow-clip">
          <ul className="divide-y">
            {list.data.data.map((one) => (
              <li key={one.version_id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
                <span className="min-w-0 flex-1 basis-60">
                  <span className="block font-medium">{text(one, 'name')}</span>
                  <span className="block text-caption text-quiet">{t`since ${dateTime(one.seconded_at)}`}</span>
                </span>
                {can('payment', 'a') && (
                  <Button
                    size="row"
                    variant="outline"
                    aria-label={t`Look at the account of ${text(one, 'name')}`}
                    onClick={() => setLooked(one)}
                  >
                    {t`Look`}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Dialog open={looked !== undefined} onOpenChange={(open) => !open && setLooked(undefined)}>
        {looked && <Look of={looked} />}
      </Dialog>
    </div>
  );
}

/** All of an account that waits, beside the one that was approved before. Who looks is in the organisation's log. */
function Look({ of }: { of: Waiting }) {
  const { t } = useLingui();
  const text = useTexts();
  const detail = useQuery(query('/api/admin/account/detail', { version_id: of.version_id }));
  const answers: Answers = {
    accept: ({ version_id }) => call('/api/admin/account/accept', { version_id }),
    refuse: (body) => call('/api/admin/account/refuse', body),
    takeBack: undefined,
    description: t`It is paid to after 7 days.`,
  };
  const whole = detail.data?.form.form;
  return (
    <DialogContent title={text(of, 'name')} description={t`The organisation reads in its log that you have looked.`}>
      <div className="grid gap-4">
        {detail.isPending && <Skeleton className="h-40 rounded-card" />}
        <FaultNote error={detail.error} />
        {whole && (
          <Facts
            of={[
              [t`Who acts for it`, `${whole.firstname} ${whole.lastname}`],
              [
                t`Address`,
                `${whole.address} ${whole.subdistrict} ${whole.district} ${whole.province} ${whole.postcode}`,
              ],
              [t`E-mail`, whole.emailaddress],
            ]}
          />
        )}
        {detail.data && (
          <ul className="divide-y">
            <SentForm form={detail.data.form} answers={answers} />
            {detail.data.approved && <SentForm form={detail.data.approved} answers={undefined} />}
          </ul>
        )}
      </div>
    </DialogContent>
  );
}
