import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorSentence } from '@wlv/client/api-error';
import { type Body, call } from '@wlv/client/call';
import { callOnce } from '@wlv/client/call-once';
import { download } from '@wlv/client/download';
import { FaultNote } from '@wlv/client/fault-note';
import { Button } from '@wlv/ui/button';
import { Dialog, DialogClose, DialogContent } from '@wlv/ui/dialog';
import { baht, calendarDay } from '@wlv/ui/format';
import { toast } from '@wlv/ui/toast';
import { Download, Send, X } from 'lucide-react';
import { useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { usePerson } from '../../access/person.ts';
import { DayField, FormPathContext, TextField } from '../../form/fields.tsx';
import { useOfficeForm } from '../../form/office-form.ts';
import { Question } from '../../record/question.tsx';
import type { RecordOf } from '../../resource/resource.ts';
import { changedByTax, taxModule } from './tax-states.ts';

const propose = '/api/owner/taxreturn/propose';

type Filing = Body<typeof propose>;
interface OfReturn {
  record: RecordOf<'taxreturn'>;
  onDone: () => void;
}

/** The file, and that it was filed, or is taken back. */
export default function ReturnSteps({ record }: { record: RecordOf<'taxreturn'> }) {
  const { t, i18n } = useLingui();
  const { can } = usePerson();
  const [step, setStep] = useState<'cancel' | 'propose'>();
  const file = useMutation({
    mutationFn: () => download('/api/owner/taxreturn/file/{id}', record.id),
    onError: (error) => toast({ tone: 'bad', title: errorSentence(i18n, error) }),
  });
  const open = record.state === 'made' && !record.waits && can(taxModule, 'u');
  const onDone = () => setStep(undefined);
  return (
    <div className="flex flex-wrap justify-end gap-2.5">
      {open && (
        <Button size="office" variant="outline" onClick={() => setStep('cancel')}>
          <X aria-hidden />
          {t`Cancel the file`}
        </Button>
      )}
      <Button
        size="office"
        variant={open ? 'outline' : 'default'}
        disabled={file.isPending}
        onClick={() => file.mutate()}
      >
        <Download aria-hidden />
        {t`Download the file`}
      </Button>
      {open && (
        <Button size="office" onClick={() => setStep('propose')}>
          <Send aria-hidden />
          {t`It was filed`}
        </Button>
      )}
      <Dialog open={step !== undefined} onOpenChange={(shown) => !shown && onDone()}>
        {step === 'cancel' && <Cancel record={record} onDone={onDone} />}
        {step === 'propose' && <Propose record={record} onDone={onDone} />}
      </Dialog>
    </div>
  );
}

function useChanged() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ predicate: ({ queryKey }) => changedByTax.test(String(queryKey[0])) });
}

function Cancel({ record, onDone }: OfReturn) {
  const { t } = useLingui();
  const changed = useChanged();
  const cancel = useMutation({
    mutationFn: () => call('/api/owner/taxreturn/cancel', { id: record.id }),
    onSuccess: () => {
      toast({ tone: 'ok', title: t`The file was cancelled` });
      onDone();
    },
    onSettled: changed,
  });
  return (
    <Question
      title={t`Cancel the file?`}
      line={t`Please do this only if it was not uploaded. Its certificates can be in another file then.`}
      button={t`Cancel the file`}
      of={cancel}
      onYes={() => cancel.mutate()}
      onDone={onDone}
    />
  );
}

/** A second person confirms what was filed; with it the tax counts as paid from the organisation's bank. */
function Propose({ record, onDone }: OfReturn) {
  const { t } = useLingui();
  const changed = useChanged();
  const sum = baht(record.withheld_satang);
  const { form, saving, error, submit } = useOfficeForm<Filing, unknown>({
    limits: propose,
    values: { id: record.id, filed_on: calendarDay(Date.now()), receipt: '', note: '' },
    send: (values) => callOnce(propose, values),
    onSaved: () => {
      toast({ tone: 'ok', title: t`Asked for` });
      void changed();
      onDone();
    },
  });
  return (
    <DialogContent
      title={t`Was it filed?`}
      description={t`When a second person has confirmed it, ${sum} counts as paid to the Revenue Department by your bank, and is not owed any more.`}
    >
      <FormProvider {...form}>
        <FormPathContext value={propose}>
          <form
            noValidate
            className="grid grid-cols-1 gap-5"
            onSubmit={(event) => {
              event.preventDefault();
              void submit();
            }}
          >
            <FaultNote error={error} />
            <DayField name="filed_on" label={t`Filed and paid on`} />
            <TextField name="receipt" label={t`Number on the Revenue Department's receipt`} />
            <TextField name="note" label={t`What the second person should know`} />
            <div className="flex justify-end gap-2.5">
              <DialogClose asChild>
                <Button size="office" variant="outline">{t`Not now`}</Button>
              </DialogClose>
              <Button type="submit" size="office" disabled={saving}>
                {t`Ask a second person`}
              </Button>
            </div>
          </form>
        </FormPathContext>
      </FormProvider>
    </DialogContent>
  );
}
