import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useWatch } from 'react-hook-form';
import { BothLanguages, ChoiceField, FormSection, MoneyField, NumberField } from '../../form/fields.tsx';
import { LookupField } from '../../form/lookup-fields.tsx';
import { PictureField } from '../../form/picture-field.tsx';
import { defaultActions, statusFilter } from '../../resource/actions.ts';
import { money, number, word } from '../../resource/cells.tsx';
import { defineResource, type RowOf } from '../../resource/resource.ts';
import { CardPreview } from './card-preview.tsx';

const approvals = {
  none: { title: msg`Nobody` },
  first: { title: msg`The first application` },
  always: { title: msg`Each application` },
};

export const membercardtype = defineResource<'membercardtype'>({
  table: 'membercardtype',
  module: 'membercardtype',
  path: 'membercardtypelist',
  menu: { group: 'members', place: 20 },
  title: msg`Card types`,
  one: msg`card type`,
  name: (row) => row,
  picture: (row) => row.picture_id,
  columns: [
    { name: 'validity', title: msg`Valid for`, cell: Valid },
    money('price_satang', msg`Price`),
    number('level', msg`Level`),
    word('approval', msg`The shop approves`, approvals, { sorts: false }),
    { name: 'points_baht', title: msg`Points`, cell: Earns },
    number('position', msg`Position`, { hidden: true }),
  ],
  filters: [statusFilter],
  actions: defaultActions,
  form: {
    fields: Fields,
    fresh: {
      name_th: '',
      name_en: '',
      picture_id: null,
      position: 10,
      validity: 'months',
      length: 12,
      approval: 'first',
      price_satang: 0,
      class: 'ordinary',
      level: 1,
      least_age: 10,
      points_baht: 0,
      points_tag_id: null,
      points_due: '',
      points_months: 0,
      asks_email: 'required',
      asks_idcard: 'off',
      asks_gender: 'off',
      asks_birthdate: 'required',
      asks_address: 'off',
      asks_nationality: 'off',
      asks_receipt: 'off',
    },
    preview: CardPreview,
    check: ({ validity, length, least_age, asks_birthdate, price_satang, points_baht, points_due, points_months }) => ({
      ...(points_baht && !points_due ? { points_due: 'field.required' as const } : {}),
      ...(points_baht && !points_months ? { points_months: 'field.too_small' as const } : {}),
      ...(price_satang && price_satang < 100 ? { price_satang: 'field.too_small' as const } : {}),
      ...(counted(validity) && !length ? { length: 'field.too_small' as const } : {}),
      ...(least_age && asks_birthdate !== 'required' ? { asks_birthdate: 'field.required' as const } : {}),
    }),
  },
  refusals: {
    'price_satang:field.too_small': msg`0, or at least 1.00`,
    'asks_birthdate:field.required': msg`Whoever has to be old enough is asked for the date of birth`,
    'length:field.too_big': msg`At most 3650 days, or 120 months`,
  },
  empty: {
    title: msg`No card type yet`,
    line: msg`A card type is what customers register for: how long it is valid and what you ask of them.`,
  },
});

const counted = (validity: string | undefined) => validity === 'days' || validity === 'months';

function Valid({ row }: { row: RowOf<'membercardtype'> }) {
  const { t } = useLingui();
  const { length } = row;
  switch (row.validity) {
    case 'days':
      return t`${length} days`;
    case 'months':
      return t`${length} months`;
    case 'year':
      return t`The calendar year`;
    default:
      return t`No end`;
  }
}

function Earns({ row }: { row: RowOf<'membercardtype'> }) {
  const { t } = useLingui();
  const baht = row.points_baht;
  return baht ? t`1 for each ${baht} baht` : '–';
}

function Fields() {
  const { t } = useLingui();
  const validity: string = useWatch({ name: 'validity' });
  const baht: number | null | undefined = useWatch({ name: 'points_baht' });
  return (
    <>
      <BothLanguages name="name" label={t`Name`} />
      <ChoiceField
        name="validity"
        label={t`Valid for`}
        help={validity === 'year' && t`Until 31/12; from October on until the end of the next year`}
        options={[
          { value: 'days', label: t`So many days` },
          { value: 'months', label: t`So many months` },
          { value: 'year', label: t`The calendar year` },
          { value: 'endless', label: t`No end` },
        ]}
      />
      {counted(validity) && (
        <NumberField
          name="length"
          label={t`How many`}
          unit={validity === 'days' ? t`days` : t`months`}
          help={t`From the day on which the card is granted`}
        />
      )}
      <MoneyField
        name="price_satang"
        label={t`Price`}
        help={t`For one term, paid when customers apply. 0: free, otherwise at least 1.00`}
      />
      <ChoiceField
        name="class"
        label={t`What is sold`}
        help={t`Members of beauty and fitness cards may leave until the seventh day after they paid, and have the whole price back: the law says so.`}
        options={[
          { value: 'ordinary', label: t`Anything else` },
          { value: 'beauty', label: t`Beauty care` },
          { value: 'fitness', label: t`Fitness` },
        ]}
      />
      <NumberField
        name="level"
        label={t`Level`}
        help={t`1 to 9. Members may change to a card of a higher level at once.`}
      />
      <ChoiceField
        name="approval"
        label={t`The shop approves`}
        help={t`What nobody answers within 30 days is refused.`}
        options={[
          { value: 'none', label: t`Nobody: the card is granted at once` },
          { value: 'first', label: t`The first application of a customer` },
          { value: 'always', label: t`Each application, renewals too` },
        ]}
      />
      <NumberField name="least_age" label={t`Least age`} unit={t`years`} help={t`0: any age`} />
      <FormSection title={t`Points`}>
        <NumberField
          name="points_baht"
          label={t`A point for each`}
          unit={t`baht`}
          help={t`Of what members pay for packages. 0: no points. Cards, top-ups and what is bought on the board bring none.`}
        />
        {!!baht && (
          <>
            <LookupField
              table="tags"
              name="points_tag_id"
              label={t`For packages with the tag`}
              help={t`Empty: for all packages`}
            />
            <ChoiceField
              name="points_due"
              label={t`Members have them`}
              help={t`What is refunded takes its points back, also from what the member has left.`}
              options={[
                { value: 'window', label: t`When the days of refunds have passed` },
                { value: 'use', label: t`As they use what they bought` },
              ]}
            />
            <NumberField
              name="points_months"
              label={t`They lapse after`}
              unit={t`months`}
              help={t`1 to 60, at the end of the month`}
            />
          </>
        )}
      </FormSection>
      <FormSection title={t`Front of the card`}>
        <PictureField
          name="picture_id"
          label={t`Picture`}
          help={t`1011 × 638 pixels. Without one the card has the colours of the shop.`}
          aspect={1011 / 638}
        />
      </FormSection>
      <FormSection title={t`What applicants are asked`}>
        <p className="text-sm text-quiet">{t`Names and mobile number always. Ask for no more than you use.`}</p>
        <Asked name="asks_email" label={t`E-mail`} required />
        <Asked name="asks_birthdate" label={t`Date of birth`} />
        <Asked name="asks_gender" label={t`Gender`} />
        <Asked name="asks_idcard" label={t`ID card or passport number`} />
        <Asked name="asks_nationality" label={t`Nationality`} />
        <Asked name="asks_address" label={t`Address`} />
        <Asked name="asks_receipt" label={t`Receipt in the name of`} />
      </FormSection>
      <NumberField name="position" label={t`Position`} help={t`The smallest comes first in the list.`} />
    </>
  );
}

function Asked({ name, label, required }: { name: string; label: string; required?: boolean }) {
  const { t } = useLingui();
  return (
    <ChoiceField
      name={name}
      label={label}
      options={[
        { value: 'off', label: t`Not asked` },
        ...(required ? [] : [{ value: 'optional', label: t`If they want` }]),
        { value: 'required', label: t`Needed` },
      ]}
    />
  );
}
