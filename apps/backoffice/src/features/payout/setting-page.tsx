import { useLingui } from '@lingui/react/macro';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { toast } from '@wlv/ui/toast';
import { Check } from 'lucide-react';
import { FormProvider } from 'react-hook-form';
import { usePerson } from '../../access/person.ts';
import { FormPathContext, MoneyField } from '../../form/fields.tsx';
import { LeaveQuestion } from '../../form/leave-question.tsx';
import { useOfficeForm } from '../../form/office-form.ts';
import { RecordCard } from '../../record/record-frame.tsx';
import { payoutModule } from './payout-states.ts';
import { type PayoutSettings, payoutSettings as read } from './schedule-outcome.tsx';
import { Schedules } from './schedules.tsx';

const save = '/api/owner/payoutsetting/save';

/** What runs of payouts are drafted with, and when they are drafted by themselves. */
export function PayoutSettingPage() {
  const { t } = useLingui();
  useTitle(t`Payout settings`);
  const client = useQueryClient();
  const { data } = useSuspenseQuery({ ...read, refetchOnWindowFocus: false });
  const take = (now: PayoutSettings) => {
    client.setQueryData(read.queryKey, now);
    void client.invalidateQueries({ queryKey: ['/api/owner/payoutrun/next'] });
    toast({ tone: 'ok', title: t`Saved` });
  };
  return (
    <div className="grid max-w-[880px] grid-cols-1 gap-5">
      <div>
        <h1 className="text-h1-office font-semibold">{t`Payout settings`}</h1>
        <p className="text-muted-foreground">
          {t`A draft pays nobody. A second person approves each run, and somebody gives the bank its file.`}
        </p>
        <p className="mt-1">
          <Link
            to="/owner/$screen"
            params={{ screen: payoutModule }}
            className="font-medium text-brand-text hover:underline"
          >
            {t`To the runs`}
          </Link>
        </p>
      </div>
      <Schedules schedules={data.schedules} onSaved={take} />
      <Minimum key={data.minimum_satang} minimum={data.minimum_satang} onSaved={take} />
    </div>
  );
}

function Minimum({ minimum, onSaved }: { minimum: number; onSaved: (now: PayoutSettings) => void }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const { form, changed, saving, error, submit } = useOfficeForm({
    limits: save,
    values: { minimum_satang: minimum },
    send: (values) => call(save, values),
    onSaved,
  });
  return (
    <FormProvider {...form}>
      <FormPathContext value={save}>
        <RecordCard title={t`How little is transferred`}>
          <form
            noValidate
            className="grid grid-cols-1 gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              void submit();
            }}
          >
            <p className="text-muted-foreground">
              {t`A small transfer may cost your bank's fee and more. What is less waits and adds up.`}
            </p>
            <FaultNote error={error} />
            <MoneyField
              name="minimum_satang"
              label={t`Pay at least`}
              help={t`A run that is drafted already keeps what it has.`}
              className="max-w-80"
            />
            {can(payoutModule, 'i') && (
              <Button type="submit" size="office" className="justify-self-end" disabled={saving || !changed}>
                <Check aria-hidden />
                {saving ? t`Saving…` : t`Save`}
              </Button>
            )}
          </form>
        </RecordCard>
        <LeaveQuestion changed={changed} />
      </FormPathContext>
    </FormProvider>
  );
}
