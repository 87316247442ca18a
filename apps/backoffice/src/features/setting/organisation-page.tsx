import { useLingui } from '@lingui/react/macro';
import { errorSentence } from '@wlv/client/api-error';
import { useTitle } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Note } from '@wlv/ui/note';
import { toast } from '@wlv/ui/toast';
import { Check, CircleAlert } from 'lucide-react';
import { FormProvider } from 'react-hook-form';
import { BothLanguages, FormPathContext, FormSection } from '../../form/fields.tsx';
import { LeaveQuestion } from '../../form/leave-question.tsx';
import { useOfficeForm } from '../../form/office-form.ts';
import { moduleGroups } from '../../modules.ts';
import { usePerson } from '../../person.tsx';
import { type Setting, type Settings, saveSettings, settingsOf, useSetting, useTakeSetting } from './setting.ts';

/** What the organisation is called, and what its customers must do first. */
export function OrganisationPage() {
  const { t, i18n } = useLingui();
  useTitle(t`Organisation`);
  const { can } = usePerson();
  const setting = useSetting();
  const take = useTakeSetting();
  const { form, changed, saving, error, submit } = useOfficeForm<Settings, Setting>({
    limits: '/api/owner/setting/save',
    values: settingsOf(setting),
    send: saveSettings,
    onSaved: (saved) => {
      take(saved);
      toast({ tone: 'ok', title: t`Saved`, line: t`Customers see it at once.` });
    },
  });

  return (
    <FormProvider {...form}>
      <FormPathContext value="/api/owner/setting/save">
        <form
          noValidate
          className="max-w-[880px]"
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <div className="mb-4 flex flex-wrap items-center gap-3">
            <div className="min-w-0 flex-1 max-sm:basis-full">
              <h1 className="text-h1-office font-semibold">{t`Organisation`}</h1>
              <p className="text-muted-foreground">{t`Customers see a change at once, in LINE and on the web.`}</p>
            </div>
            {can('setting', 'u') && (
              <Button type="submit" size="office" disabled={saving || !changed}>
                <Check aria-hidden />
                {saving ? t`Saving…` : t`Save`}
              </Button>
            )}
          </div>
          {error && (
            <Note tone="bad" role="alert" icon={<CircleAlert aria-hidden />} className="mb-4">
              {errorSentence(i18n, error)}
            </Note>
          )}
          <Card office className="grid grid-cols-1 gap-6 p-5">
            <FormSection title={t`Name`}>
              <BothLanguages name="name" label={t`Name`} />
              <BothLanguages name="tagline" label={t`One line about it`} />
            </FormSection>
          </Card>
          <Facts setting={setting} />
        </form>
        <LeaveQuestion changed={changed} />
      </FormPathContext>
    </FormProvider>
  );
}

/** The plan's modules by their names, in the menu's order. */
function modulesOf(setting: Setting) {
  return moduleGroups
    .flatMap((group) => group.modules)
    .filter(({ module }) => setting.module.includes(module))
    .map(({ title }) => title);
}

/** What only the platform can change. */
function Facts({ setting }: { setting: Setting }) {
  const { t, i18n } = useLingui();
  const facts = [
    [t`Short name`, setting.unique],
    [t`Address`, setting.host || '–'],
    [
      t`Modules`,
      modulesOf(setting)
        .map((name) => i18n._(name))
        .join(' · ') || '–',
    ],
    [t`Passwords`, setting.password_policy === 'strong' ? t`At least 10 characters` : t`At least 4 letters or digits`],
    [
      t`Money of sales`,
      setting.holds_own_money ? t`Held by your own gateway account` : t`Kept safe by the platform until it is used`,
    ],
  ];
  return (
    <Card office className="mt-4 px-5 py-2">
      <dl className="divide-y">
        {facts.map(([name, value]) => (
          <div key={name} className="flex flex-wrap justify-between gap-x-6 gap-y-1 py-3">
            <dt className="text-quiet">{name}</dt>
            <dd className="max-w-[52ch] break-words text-right font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="border-t py-3 text-caption text-quiet">{t`The platform changes these; call 08:30–17:30.`}</p>
    </Card>
  );
}
