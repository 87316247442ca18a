import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type Body, call, type Detail } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { Button } from '@wlv/ui/button';
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@wlv/ui/dialog';
import { toast } from '@wlv/ui/toast';
import { FilePen, Plus } from 'lucide-react';
import { useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { usePerson } from '../../access/person.ts';
import { DayField, FormPathContext, MoneyField } from '../../form/fields.tsx';
import { useOfficeForm } from '../../form/office-form.ts';
import { next } from './next-run.tsx';
import { changedByRun, payoutModule } from './payout-states.ts';

const draft = '/api/owner/payoutrun/draft';

type Draft = Body<typeof draft>;
type Next = Detail<'/api/owner/payoutrun/next'>;

/** Begins a run; where a draft is open, the way to it. */
export default function DraftRun() {
  const { t } = useLingui();
  const { can } = usePerson();
  const { data } = useQuery(next);
  const [open, setOpen] = useState(false);
  if (!data || !can(payoutModule, 'i')) return null;
  if (data.draft_id) {
    return (
      <Button asChild size="office">
        <Link to="/owner/$screen/$id" params={{ screen: payoutModule, id: data.draft_id }}>
          <FilePen aria-hidden />
          {t`Look at the draft`}
        </Link>
      </Button>
    );
  }
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button size="office">
          <Plus aria-hidden />
          {t`Draft a run`}
        </Button>
      </DialogTrigger>
      {open && <DraftDialog next={data} />}
    </Dialog>
  );
}

function DraftDialog({ next }: { next: Next }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { form, saving, error, submit } = useOfficeForm<Draft, { id: string }>({
    limits: draft,
    values: { up_to: next.up_to, pay_day: next.pay_day ?? '', minimum_satang: next.minimum_satang },
    send: (values) => call(draft, values),
    onSaved: ({ id }) => {
      toast({ tone: 'ok', title: t`The draft is being computed` });
      void client.invalidateQueries({ predicate: ({ queryKey }) => changedByRun.test(String(queryKey[0])) });
      void navigate({ to: '/owner/$screen/$id', params: { screen: payoutModule, id } });
    },
  });
  return (
    <DialogContent
      title={t`Draft a run`}
      description={t`It collects what agents can be paid. Nothing is paid before a second person has approved it.`}
    >
      <FormProvider {...form}>
        <FormPathContext value={draft}>
          <form
            noValidate
            className="grid grid-cols-1 gap-5"
            onSubmit={(event) => {
              event.preventDefault();
              void submit();
            }}
          >
            <FaultNote error={error} />
            <DayField
              name="up_to"
              label={t`What could be paid by the end of`}
              help={t`A day that is over. What was taken back is always counted.`}
            />
            <DayField name="pay_day" label={t`Pay day`} help={t`A bank day after today. Tax is counted by its year.`} />
            <MoneyField
              name="minimum_satang"
              label={t`Pay at least`}
              help={t`Who would get less waits for the next run.`}
            />
            <div className="flex justify-end gap-2.5">
              <DialogClose asChild>
                <Button size="office" variant="outline">{t`Not now`}</Button>
              </DialogClose>
              <Button type="submit" size="office" disabled={saving}>
                {t`Draft it`}
              </Button>
            </div>
          </form>
        </FormPathContext>
      </FormProvider>
    </DialogContent>
  );
}
