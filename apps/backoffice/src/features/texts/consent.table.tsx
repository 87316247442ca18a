import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { count, dateTime } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { CirclePlay, Info } from 'lucide-react';
import { ChoiceField, LongField, TextField } from '../../form/fields.tsx';
import { remove } from '../../resource/actions.ts';
import { instant, number, word } from '../../resource/cells.tsx';
import { Facts } from '../../resource/facts.tsx';
import { defineResource, type RecordOf } from '../../resource/resource.ts';

const purposes = {
  customer: { title: msg`At sign-in` },
  member: { title: msg`At member registration` },
  purchase: { title: msg`At a purchase` },
};
const audiences = { customer: { title: msg`Customers` }, agent: { title: msg`Agents` } };

export const pdpa = versions('pdpa', 'settingpdpalist', 30, msg`Privacy (PDPA)`);
export const termsandconditions = versions(
  'termsandconditions',
  'settingtermandconditionlist',
  40,
  msg`Terms and conditions`,
);

/** Versions of a text that people agree to: one of each purpose is active, and what was in use stays as it was. */
function versions(table: 'pdpa' | 'termsandconditions', path: string, place: number, title: MessageDescriptor) {
  return defineResource<'pdpa'>({
    table: table as 'pdpa',
    module: table,
    path,
    menu: { group: 'settings', place },
    title,
    one: msg`version`,
    name: (row) => ({ name_th: row.name_th ?? '', name_en: row.name_en ?? '' }),
    code: (row) => row.version,
    columns: [
      word('purpose', msg`Asked`, purposes),
      word('audience', msg`Of whom`, audiences),
      number('accepted', msg`Accepted by`, { sorts: false }),
      instant('created_at', msg`Written`),
    ],
    filters: [
      {
        name: 'purpose',
        title: msg`Asked`,
        kind: 'choice',
        choices: Object.entries(purposes).map(([value, { title }]) => ({ value, title })),
      },
      { name: 'active', title: msg`In use`, kind: 'yes' },
    ],
    look: (row) =>
      row.active
        ? { title: msg`In use`, tone: 'ok' }
        : { title: row.accepted ? msg`Was in use` : msg`Draft`, tone: 'mute' },
    fixed: (row) => row.active || !!row.accepted,
    facts: VersionFacts,
    actions: [
      {
        status: 5,
        title: msg`Put into use`,
        icon: CirclePlay,
        question: msg`From now on everybody is asked to accept this version; the one before it is retired.`,
      },
      remove,
    ],
    form: {
      fields: Fields,
      fresh: {
        purpose: 'purchase',
        audience: 'customer',
        version: '',
        name_th: '',
        name_en: '',
        body_th: '',
        body_en: '',
      },
    },
    empty: { title: msg`No version yet`, line: msg`Write the first version and put it into use.` },
  });
}

function WhatIsFixed() {
  const { t } = useLingui();
  return (
    <Note tone="info" icon={<Info aria-hidden />}>
      {t`A version that has been in use can't be changed: people agreed to exactly that text. Add a new version.`}
    </Note>
  );
}

/** A version as people agreed to it, in both languages. */
function VersionFacts({ record }: { record: RecordOf<'pdpa'> }) {
  const { t, i18n } = useLingui();
  const facts: [string, string][] = [
    [t`Asked`, i18n._(purposes[record.purpose].title)],
    [t`Of whom`, i18n._(audiences[record.audience].title)],
    [t`Accepted by`, count(record.accepted ?? 0)],
    [t`Written`, dateTime(record.created_at ?? '')],
  ];
  return (
    <div className="grid grid-cols-1 gap-5">
      <WhatIsFixed />
      <Facts of={facts} />
      {(['th', 'en'] as const).map((lang) => (
        <section key={lang} lang={lang}>
          <h3 className="text-base font-semibold">{record[`name_${lang}`]}</h3>
          <p className="mt-1.5 whitespace-pre-line text-row text-muted-foreground">{record[`body_${lang}`]}</p>
        </section>
      ))}
    </div>
  );
}

function Fields() {
  const { t } = useLingui();
  return (
    <>
      <WhatIsFixed />
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField name="version" label={t`Version`} />
        <ChoiceField
          name="purpose"
          label={t`Asked`}
          options={[
            { value: 'purchase', label: t`At a purchase` },
            { value: 'customer', label: t`At sign-in` },
            { value: 'member', label: t`At member registration` },
          ]}
        />
        <ChoiceField
          name="audience"
          label={t`Of whom`}
          options={[
            { value: 'customer', label: t`Customers` },
            { value: 'agent', label: t`Agents` },
          ]}
        />
      </div>
      <TextField name="name_th" label={t`Title in Thai`} />
      <LongField name="body_th" rows={10} label={t`Text in Thai`} />
      <TextField name="name_en" label={t`Title in English`} />
      <LongField name="body_en" rows={10} label={t`Text in English`} />
    </>
  );
}
