import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type Body, call } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { Button } from '@wlv/ui/button';
import { Dialog, DialogClose, DialogContent } from '@wlv/ui/dialog';
import { date } from '@wlv/ui/format';
import { toast } from '@wlv/ui/toast';
import { Check, Plus } from 'lucide-react';
import { useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { BothLanguages, DayField, FormPathContext, TextField } from '../../form/fields.tsx';
import { FormCard } from '../../form/form-card.tsx';
import { useOfficeForm } from '../../form/office-form.ts';

const save = '/api/admin/bankholiday/save';

type Holiday = Body<typeof save>;

/** The form of one day; what is saved is read anew. */
function useHolidayForm(values: Holiday, onSaved: (day: Holiday) => void) {
  const { t } = useLingui();
  const client = useQueryClient();
  return useOfficeForm<Holiday, Holiday>({
    limits: save,
    values,
    send: (day) => call(save, day),
    onSaved: (day) => {
      toast({ tone: 'ok', title: t`Saved` });
      void client.invalidateQueries({ queryKey: ['/api/admin/bankholiday/list'] });
      onSaved(day);
    },
  });
}

function Names() {
  const { t } = useLingui();
  return (
    <>
      <BothLanguages name="name" label={t`Name`} />
      <TextField
        name="source"
        label={t`Where it was announced`}
        help={t`The announcement and its date, or the address of its page`}
      />
    </>
  );
}

/** Adds one day after the other: the source stays in its field, and the list goes to the year of the day. */
export function AddHoliday() {
  const [added, setAdded] = useState({ count: 0, source: '' });
  return (
    <AddForm
      key={added.count}
      source={added.source}
      onAdded={(day) => setAdded({ count: added.count + 1, source: day.source })}
    />
  );
}

function AddForm({ source, onAdded }: { source: string; onAdded: (day: Holiday) => void }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { form, saving, error, submit } = useHolidayForm({ day: '', name_th: '', name_en: '', source }, (day) => {
    onAdded(day);
    void navigate({ to: '/advwsadmin/bankholiday_list', search: { year: day.day.slice(0, 4) } });
  });
  return (
    <FormProvider {...form}>
      <FormPathContext value={save}>
        <FormCard
          title={t`Add a day`}
          line={t`A day that is here already gets these names.`}
          error={error}
          onSubmit={submit}
        >
          <div className="max-w-60">
            <DayField name="day" label={t`Day`} />
          </div>
          <Names />
          <Button type="submit" size="office" className="justify-self-end" disabled={saving}>
            <Plus aria-hidden />
            {t`Add`}
          </Button>
        </FormCard>
      </FormPathContext>
    </FormProvider>
  );
}

/** Changes what is written of a day, and not when it is. */
export function ChangeHoliday({ day, onClose }: { day: Holiday; onClose: () => void }) {
  const { t } = useLingui();
  const { form, saving, changed, error, submit } = useHolidayForm(day, onClose);
  const on = date(day.day);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={t`Change ${on}`}
        description={t`If the holiday moves to another day, remove this one and add the other.`}
      >
        <FormProvider {...form}>
          <FormPathContext value={save}>
            <form
              noValidate
              className="grid grid-cols-1 gap-5"
              onSubmit={(event) => {
                event.preventDefault();
                void submit();
              }}
            >
              <FaultNote error={error} />
              <Names />
              <div className="flex justify-end gap-2.5">
                <DialogClose asChild>
                  <Button size="office" variant="outline">{t`Leave it as it is`}</Button>
                </DialogClose>
                <Button type="submit" size="office" disabled={saving || !changed}>
                  <Check aria-hidden />
                  {t`Save`}
                </Button>
              </div>
            </form>
          </FormPathContext>
        </FormProvider>
      </DialogContent>
    </Dialog>
  );
}
