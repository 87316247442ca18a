import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { LongField, NumberField, TextField } from '../../form/fields.tsx';
import { defaultActions, statusFilter } from '../../resource/actions.ts';
import { bilingual, number } from '../../resource/cells.tsx';
import { defineResource } from '../../resource/resource.ts';

export const faq = defineResource<'faq'>({
  table: 'faq',
  module: 'setting',
  path: 'faq',
  menu: { group: 'settings', place: 50 },
  title: msg`Customers' questions`,
  one: msg`question`,
  name: (row) => row,
  columns: [bilingual('answer', msg`Answer`), number('position', msg`Position`)],
  filters: [statusFilter],
  actions: defaultActions,
  form: {
    fields: Fields,
    fresh: { name_th: '', answer_th: '', name_en: '', answer_en: '', position: 10 },
  },
  empty: {
    title: msg`No question yet`,
    line: msg`Customers find your answers under Profile, and need not call you.`,
  },
});

function Fields() {
  const { t } = useLingui();
  return (
    <>
      <TextField name="name_th" label={t`Question in Thai`} help={t`As a customer would ask it.`} />
      <LongField name="answer_th" rows={6} label={t`Answer in Thai`} />
      <TextField name="name_en" label={t`Question in English`} />
      <LongField name="answer_en" rows={6} label={t`Answer in English`} help={t`Empty: the Thai text is shown.`} />
      <NumberField name="position" label={t`Position`} help={t`The smallest comes first on the customers' page.`} />
    </>
  );
}
