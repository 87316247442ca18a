import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { company } from '@wlv/client/company';
import { useTexts } from '@wlv/client/page';
import { Card } from '@wlv/ui/card';
import { Note } from '@wlv/ui/note';
import { CircleAlert } from 'lucide-react';
import { useWatch } from 'react-hook-form';
import { moduleGroups } from '../../access/modules.ts';
import { usePerson } from '../../access/person.ts';
import { BothLanguages, FormSection, SwitchField } from '../../form/fields.tsx';
import { type Setting, useSetting } from './setting.ts';
import { SettingForm } from './setting-form.tsx';

/** What the organisation is called, and what its customers must do first. */
export function OrganisationPage() {
  const { t } = useLingui();
  return (
    <SettingForm
      title={t`Organisation`}
      save={t`Save`}
      saved={{ title: t`Saved`, line: t`Customers see it at once.` }}
      className="max-w-[880px]"
    >
      <Card office className="grid grid-cols-1 gap-6 p-5">
        <FormSection title={t`Name`}>
          <BothLanguages name="name" label={t`Name`} />
          <BothLanguages name="tagline" label={t`One line about it`} />
        </FormSection>
      </Card>
      <Card office className="mt-4 grid grid-cols-1 gap-4 p-5">
        <FormSection title={t`Members`}>
          <SwitchField
            name="register_before_use"
            label={t`Only members buy`}
            help={t`Who is no member is asked to become one first. What he has already he can use, claim, get refunded and pay out.`}
          />
          <NobodyAsked />
        </FormSection>
      </Card>
      <Facts setting={useSetting()} />
    </SettingForm>
  );
}

/** Warns while members are asked for, and there is no card to apply for: then nobody is asked. */
function NobodyAsked() {
  const { t } = useLingui();
  const { can } = usePerson();
  const asks = useWatch({ name: 'register_before_use' }) as boolean;
  const { data } = useQuery({
    ...query('/api/owner/get/membercardtype', { filter: { status: 5 }, limit: 1 }),
    enabled: asks && can('membercardtype', 'v'),
  });
  if (!asks || data?.data.length !== 0) return null;
  return (
    <Note tone="warn" icon={<CircleAlert aria-hidden />}>
      {t`No card type is open, so nobody can become a member: until there is one, everybody buys.`}
    </Note>
  );
}

/** The plan's modules by their names, in the menu's order. */
function modulesOf(setting: Setting) {
  return moduleGroups.flatMap((group) => group.modules).filter(({ module }) => setting.module.includes(module));
}

/** What only the platform can change. */
function Facts({ setting }: { setting: Setting }) {
  const { t } = useLingui();
  const text = useTexts();
  const { phone } = company;
  const facts = [
    [t`Short name`, setting.unique],
    [t`Address`, setting.host || '–'],
    [
      t`Modules`,
      modulesOf(setting)
        .map((one) => text(one, 'name'))
        .join(' · ') || '–',
    ],
    [t`Passwords`, setting.password_policy === 'strong' ? t`At least 10 characters` : t`At least 4 letters or digits`],
    [
      t`Money of sales`,
      setting.collector === 'organisation'
        ? t`Held by your own gateway account`
        : t`Kept safe by the platform until it is used`,
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
      <p className="border-t py-3 text-caption text-quiet">{t`The platform changes these: ${phone}, 08:30–17:30.`}</p>
    </Card>
  );
}
