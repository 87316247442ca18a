import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Field } from '@wlv/ui/field';
import { calendarDay, date, percent } from '@wlv/ui/format';
import { Select } from '@wlv/ui/select';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { ChoiceField, DayField, MoneyField, PercentField } from '../../form/fields.tsx';
import { LookupField } from '../../form/lookup-fields.tsx';
import { RateText } from '../../record/rate-text.tsx';
import { bilingual, day } from '../../resource/cells.tsx';
import { defineResource, type RowOf, type StatusStyle, type ValuesOf } from '../../resource/resource.ts';
import { RateTester } from './rate-tester.tsx';

type Rate = RowOf<'commissionrate'>;

export const commissionrate = defineResource<'commissionrate'>({
  table: 'commissionrate',
  module: 'agentsetting',
  path: 'agentsetting',
  menu: { group: 'agents', place: 21 },
  title: msg`Special rates`,
  one: msg`special rate`,
  name: nameOf,
  nameSorts: 'package_name_th',
  columns: [
    { name: 'package_id', title: msg`What it is for`, cell: Kind, wide: true },
    bilingual('agent_type_name', msg`Agent type`),
    {
      name: 'value',
      title: msg`Commission`,
      cell: ({ row }) => <RateText kind={row.kind} value={row.value} />,
      numeric: true,
      card: 'amount',
    },
    { name: 'recruiter_basis_points', title: msg`Recruiter`, cell: RecruiterRate, numeric: true },
    day('first_day', msg`First day`),
    { name: 'last_day', title: msg`Last day`, cell: LastDay, sorts: true },
  ],
  filters: [
    { name: 'agent_type_id', title: msg`Agent type`, kind: 'lookup', table: 'agenttype' },
    { name: 'package_id', title: msg`Package`, kind: 'lookup', table: 'salepackage' },
    { name: 'tag_id', title: msg`Tag`, kind: 'lookup', table: 'tags' },
  ],
  look,
  actions: [
    {
      status: 9,
      title: msg`Cancel the rate`,
      icon: Trash2,
      question: msg`Only a rate whose first day has not come can be cancelled: nothing was sold by it.`,
    },
  ],
  refusals: {
    'last_day:field.too_small': msg`It is before the first day.`,
    'value:field.too_big': msg`At most 1,000,000 baht a piece.`,
  },
  form: {
    fields: Fields,
    preview: Preview,
    fresh: {
      agent_type_id: '',
      package_id: null,
      tag_id: null,
      kind: 'percent',
      value: 1000,
      recruiter_basis_points: 0,
      first_day: '',
      last_day: null,
    },
  },
  empty: {
    title: msg`No special rate`,
    line: msg`All agents earn the base rate of their type. A special rate is for one package, for all with a tag, or for some days.`,
  },
});

/** What it is for. */
function nameOf(row: Rate) {
  if (row.package_id) return { name_th: row.package_name_th, name_en: row.package_name_en };
  if (row.tag_id) return { name_th: row.tag_name_th, name_en: row.tag_name_en };
  return { words: msg`Everything` };
}

function Kind({ row }: { row: Rate }) {
  const { t } = useLingui();
  if (row.package_id) return t`One package`;
  return row.tag_id ? t`All with a tag` : t`All packages`;
}

function look(row: Rate): StatusStyle {
  const today = calendarDay(Date.now());
  if (row.first_day && row.first_day > today) return { title: msg`Scheduled`, tone: 'info' };
  if (row.last_day && row.last_day < today) return { title: msg`Over`, tone: 'mute' };
  return { title: msg`In use`, tone: 'ok' };
}

function LastDay({ row }: { row: Rate }) {
  const { t } = useLingui();
  return row.last_day ? <span className="whitespace-nowrap">{date(row.last_day)}</span> : t`No end`;
}

function RecruiterRate({ row }: { row: Rate }) {
  return row.recruiter_basis_points ? percent(row.recruiter_basis_points) : '–';
}

function Fields({ fresh }: { fresh: boolean }) {
  const { t } = useLingui();
  return (
    <>
      {fresh && (
        <>
          <LookupField name="agent_type_id" table="agenttype" label={t`Agent type`} />
          <Target />
          <Amount />
          <PercentField
            name="recruiter_basis_points"
            label={t`For who recruited the agent`}
            help={t`Of the price, besides the commission; with a percentage at most 50%`}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <DayField name="first_day" label={t`First day`} help={t`Of the orders it holds for`} />
            <DayField name="last_day" label={t`Last day`} help={t`Empty: until you end it`} />
          </div>
        </>
      )}
      {!fresh && <DayField name="last_day" label={t`Last day`} help={t`Empty: until you end it`} />}
      <p className="text-caption text-quiet">
        {t`A package comes before a tag, a tag before everything, and that before the base rate. Orders keep the rate they were made with.`}
      </p>
    </>
  );
}

/** What a rate is for: choosing another kind forgets what was chosen. */
function Target() {
  const { t } = useLingui();
  const { getValues, setValue } = useFormContext();
  const [kind, setKind] = useState(getValues('tag_id') ? 'tag' : getValues('package_id') ? 'package' : 'all');
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={t`What it is for`}>
        <Select
          size="office"
          value={kind}
          onChange={(next) => {
            setKind(next);
            setValue('package_id', null, { shouldDirty: true });
            setValue('tag_id', null, { shouldDirty: true });
          }}
          options={[
            { value: 'package', label: t`One package` },
            { value: 'tag', label: t`All with a tag` },
            { value: 'all', label: t`Everything` },
          ]}
        />
      </Field>
      {kind === 'package' && <LookupField name="package_id" table="salepackage" label={t`Package`} />}
      {kind === 'tag' && <LookupField name="tag_id" table="tags" label={t`Tag`} />}
    </div>
  );
}

function Amount() {
  const { t } = useLingui();
  const kind = useWatch({ name: 'kind' });
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <ChoiceField
        name="kind"
        label={t`Counted in`}
        options={[
          { value: 'percent', label: t`Percent` },
          { value: 'baht', label: t`Baht` },
        ]}
      />
      {kind === 'percent' ? (
        <PercentField
          name="value"
          label={t`Commission`}
          help={t`Of the price after what the shop pays of a discount; at most 50%`}
        />
      ) : (
        <MoneyField
          name="value"
          label={t`Commission`}
          help={t`For each piece, at most what the platform’s fee leaves of its price`}
        />
      )}
    </div>
  );
}

/** A sale today, or on the rate's first day where that is to come. Until a first day is chosen, as if that was today. */
function Preview({ values, id }: { values: ValuesOf<'commissionrate'>; id?: string | undefined }) {
  const today = calendarDay(Date.now());
  const first_day = values.first_day || today;
  const isToCome = first_day > today;
  const rate = {
    ...values,
    first_day,
    value: values.value ?? 0,
    recruiter_basis_points: values.recruiter_basis_points ?? 0,
    ...(id && { id }),
  };
  return (
    <RateTester agentType={values.agent_type_id || undefined} with={{ rate, day: isToCome ? first_day : today }} />
  );
}
