import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { type Body, call } from '@wlv/client/call';
import { FaultNote } from '@wlv/client/fault-note';
import { useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Checkbox } from '@wlv/ui/checkbox';
import { Dialog, DialogClose, DialogContent } from '@wlv/ui/dialog';
import { FormError } from '@wlv/ui/field';
import { calendarDay, count } from '@wlv/ui/format';
import { toast } from '@wlv/ui/toast';
import { Check } from 'lucide-react';
import { FormProvider } from 'react-hook-form';
import {
  BothLanguages,
  ChoiceField,
  FormPathContext,
  InstantField,
  RefusalsContext,
  useFormField,
} from '../../form/fields.tsx';
import { useOfficeForm } from '../../form/office-form.ts';
import { type Announcement, list, type Plan, useKinds } from './announcement.ts';

const add = '/api/admin/announcement/add';
const save = '/api/admin/announcement/save';

type Content = Body<typeof add>;

const refusals = { 'until:field.past_time': msg`This day is over. Choose today or a later one.` };

/** Writes a new announcement: for all organisations, from today for a week, until something else is chosen. */
export function NewAnnouncement({ plans, onClose }: { plans: Plan[]; onClose: () => void }) {
  const { t } = useLingui();
  const day = (days: number) => calendarDay(Date.now() + days * 86_400_000);
  const empty: Content = {
    kind: 'news',
    title_th: '',
    title_en: '',
    text_th: '',
    text_en: '',
    from: `${day(0)}T00:00:00+07:00`,
    until: `${day(7)}T23:59:59+07:00`,
    plans: [],
  };
  return (
    <Form
      title={t`New announcement`}
      line={t`Everybody who works in an office reads it at the top of each screen.`}
      word={t`Announce`}
      values={empty}
      plans={plans}
      send={(content) => call(add, content)}
      onClose={onClose}
    />
  );
}

/** Changes an announcement that is planned or shown; who has put it away sees it again. */
export function ChangeAnnouncement({ of, plans, onClose }: { of: Announcement; plans: Plan[]; onClose: () => void }) {
  const { t } = useLingui();
  const { kind, title_th, title_en, text_th, text_en, from, until } = of;
  return (
    <Form
      title={t`Change the announcement`}
      line={t`Offices show it as it is then, also where it was closed.`}
      word={t`Save`}
      values={{ kind, title_th, title_en, text_th, text_en, from, until, plans: of.plans }}
      plans={plans}
      send={(content) => call(save, { id: of.id, updated_at: of.updated_at, ...content })}
      onClose={onClose}
    />
  );
}

function Form({
  title,
  line,
  word,
  values,
  plans,
  send,
  onClose,
}: {
  title: string;
  line: string;
  word: string;
  values: Content;
  plans: Plan[];
  send: (content: Content) => Promise<unknown>;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const client = useQueryClient();
  const kinds = useKinds();
  const { form, saving, changed, error, submit } = useOfficeForm<Content, unknown>({
    limits: add,
    values,
    send,
    check: ({ from, until }) => (from && until && from >= until ? { until: 'field.not_after' } : {}),
    onSaved: () => {
      toast({ tone: 'ok', title: t`Saved` });
      void client.invalidateQueries({ queryKey: [list] });
      onClose();
    },
  });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={title} description={line}>
        <FormProvider {...form}>
          <FormPathContext value={add}>
            <RefusalsContext value={refusals}>
              <form
                noValidate
                className="grid grid-cols-1 gap-5"
                onSubmit={(event) => {
                  event.preventDefault();
                  void submit();
                }}
              >
                <FaultNote error={error} />
                <ChoiceField
                  name="kind"
                  label={t`Kind`}
                  help={t`News can be closed by who has read it; the others stay until their end.`}
                  options={(['news', 'maintenance', 'important'] as const).map((kind) => ({
                    value: kind,
                    label: kinds[kind],
                  }))}
                />
                <BothLanguages name="title" label={t`Title`} />
                <BothLanguages name="text" label={t`Text`} long />
                <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
                  <InstantField name="from" label={t`From`} edge="first" />
                  <InstantField name="until" label={t`Until, this day included`} edge="last" />
                </div>
                <Plans plans={plans} />
                <div className="flex justify-end gap-2.5">
                  <DialogClose asChild>
                    <Button size="office" variant="outline">{t`Cancel`}</Button>
                  </DialogClose>
                  <Button type="submit" size="office" disabled={saving || !changed}>
                    <Check aria-hidden />
                    {word}
                  </Button>
                </div>
              </form>
            </RefusalsContext>
          </FormPathContext>
        </FormProvider>
      </DialogContent>
    </Dialog>
  );
}

/** The plans whose organisations read it: none is all of them. */
function Plans({ plans }: { plans: Plan[] }) {
  const { t } = useLingui();
  const text = useTexts();
  const label = t`For whom`;
  const { value: chosen, onChange, error } = useFormField<string[]>('plans', label);
  return (
    <fieldset className="grid grid-cols-1 gap-1.5">
      <legend className="text-sm font-medium">{label}</legend>
      <p className="text-caption text-quiet">{t`Without a plan, all organisations read it.`}</p>
      <ul className="grid">
        {plans.map((plan) => (
          <li key={plan.id}>
            {/* biome-ignore lint/a11y/noLabelWithoutControl: the box inside is a button, which a label may name */}
            <label className="flex min-h-9 items-center gap-3">
              <Checkbox
                size="office"
                checked={chosen.includes(plan.id)}
                onCheckedChange={(on) => onChange(on ? [...chosen, plan.id] : chosen.filter((id) => id !== plan.id))}
              />
              <span className="min-w-0 flex-1">{text(plan, 'name')}</span>
              <span className="text-caption text-quiet">{t`${count(plan.organisations)} organisations`}</span>
            </label>
          </li>
        ))}
      </ul>
      {error && <FormError>{error}</FormError>}
    </fieldset>
  );
}
