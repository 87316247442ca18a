import { useLingui } from '@lingui/react/macro';
import { FaultNote } from '@wlv/client/fault-note';
import { useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { toast } from '@wlv/ui/toast';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { FormProvider } from 'react-hook-form';
import { usePerson } from '../../access/person.ts';
import { FormPathContext } from '../../form/fields.tsx';
import { LeaveQuestion } from '../../form/leave-question.tsx';
import { useOfficeForm } from '../../form/office-form.ts';
import { type Setting, type Settings, saveSettings, settingsOf, useSetting, useTakeSetting } from './setting.ts';

/** A page of settings: its head with what saves them, why they were not saved, and its fields. */
export function SettingForm({
  title,
  save,
  saved,
  resets,
  className,
  children,
}: {
  title: string;
  /** What the button says. */
  save: string;
  saved: { title: string; line: string };
  /** Can be put back without leaving. */
  resets?: boolean;
  className?: string;
  children: ReactNode;
}) {
  const { t } = useLingui();
  useTitle(title);
  const { can } = usePerson();
  const setting = useSetting();
  const take = useTakeSetting();
  const { form, changed, saving, error, submit } = useOfficeForm<Settings, Setting>({
    limits: '/api/owner/setting/save',
    values: settingsOf(setting),
    send: saveSettings,
    onSaved: (now) => {
      take(now);
      toast({ tone: 'ok', ...saved });
    },
  });

  return (
    <FormProvider {...form}>
      <FormPathContext value="/api/owner/setting/save">
        <form
          noValidate
          className={className}
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <div className="mb-4 flex flex-wrap items-center gap-3">
            <div className="min-w-0 flex-1 max-sm:basis-full">
              <h1 className="text-h1-office font-semibold">{title}</h1>
              <p className="text-muted-foreground">{t`Customers see a change at once, in LINE and on the web.`}</p>
            </div>
            {resets && (
              <Button variant="ghost" size="office" disabled={!changed} onClick={() => form.reset()}>
                {t`Back to what is saved`}
              </Button>
            )}
            {can('setting', 'u') && (
              <Button type="submit" size="office" disabled={saving || !changed}>
                <Check aria-hidden />
                {saving ? t`Saving…` : save}
              </Button>
            )}
          </div>
          <FaultNote error={error} className="mb-4" />
          {children}
        </form>
        <LeaveQuestion changed={changed} />
      </FormPathContext>
    </FormProvider>
  );
}
