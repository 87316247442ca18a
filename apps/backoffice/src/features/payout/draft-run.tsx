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
import { ChoiceField, DayField, FormPathContext, MoneyField } from '../../form/fields.tsx';
import { useOfficeForm } from '../../form/office-form.ts';
import { next } from './next-run.tsx';
import { changedByRun, payoutModule, type RunKind, runKinds } from './payout-states.ts';

const draft = '/api/owner/payoutrun/draft';

type Draft = Body<typeof draft>;
type Next = Detail<'/api/owner/payoutrun/next'>;

/** What a run can be drafted of now: a kind has one draft, and one of refunds needs some. */
function kindsOf({ draft_id: commission, refunds }: Next): RunKind[] {
  const kinds: RunKind[] = [];
  if (!commission) kinds.push('agent');
  if (!refunds.draft_id && refunds.transfers > 0) kinds.push('refund');
  return kinds;
}

/** Begins a run; where its draft is open, the way to it. */
export default function DraftRun() {
  const { t } = useLingui();
  const { can } = usePerson();
  const { data } = useQuery(next);
  const [open, setOpen] = useState(false);
  if (!data || !can(payoutModule, 'i')) return null;
  const [kind] = kindsOf(data);
  if (!kind) {
    return (
      <Button asChild size="office">
        <Link to="/owner/$screen/$id" params={{ screen: payoutModule, id: data.draft_id ?? '' }}>
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
  const { t, i18n } = useLingui();
  const client = useQueryClient();
  const navigate = useNavigate();
  const kinds = kindsOf(next);
  const { form, saving, error, submit } = useOfficeForm<Draft, { id: string }>({
    limits: draft,
    values: {
      kind: kinds[0] ?? 'agent',
      up_to: next.up_to,
      pay_day: next.pay_day ?? '',
      minimum_satang: next.minimum_satang,
    },
    send: (values) => call(draft, values),
    onSaved: ({ id }) => {
      toast({ tone: 'ok', title: t`The draft is being computed` });
      void client.invalidateQueries({ predicate: ({ queryKey }) => changedByRun.test(String(queryKey[0])) });
      void navigate({ to: '/owner/$screen/$id', params: { screen: payoutModule, id } });
    },
  });
  const refunds = form.watch('kind') === 'refund';
  return (
    <DialogContent
      title={t`Draft a run`}
      description={
        refunds
          ? t`It collects the refunds and the money of Wallets that wait for their transfer to a bank account. Nothing is paid before a second person has approved it.`
          : t`It collects what agents and partners can be paid. Nothing is paid before a second person has approved it.`
      }
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
            {kinds.length > 1 && (
              <ChoiceField
                name="kind"
                label={t({ message: 'Pays', context: 'what a run of payouts pays' })}
                options={kinds.map((value) => ({ value, label: i18n._(runKinds[value]) }))}
              />
            )}
            <DayField
              name="up_to"
              label={refunds ? t`What was refunded by the end of` : t`What could be paid by the end of`}
              help={refunds ? t`A day that is over.` : t`A day that is over. What was taken back is always counted.`}
            />
            <DayField
              name="pay_day"
              label={t`Pay day`}
              help={refunds ? t`A bank day after today.` : t`A bank day after today. Tax is counted by its year.`}
            />
            {!refunds && (
              <MoneyField
                name="minimum_satang"
                label={t`Pay at least`}
                help={t`Who would get less waits for the next run.`}
              />
            )}
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
