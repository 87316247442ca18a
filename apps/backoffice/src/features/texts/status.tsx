import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { BothLanguages, ChoiceField, NumberField, TextField } from '../../form/fields.tsx';
import { number, text, word } from '../../resource/cells.tsx';
import { defineResource } from '../../resource/resource.ts';

const colours = {
  ok: { title: msg`Green`, tone: 'ok' },
  warn: { title: msg`Amber`, tone: 'warn' },
  bad: { title: msg`Red`, tone: 'bad' },
  info: { title: msg`Blue`, tone: 'info' },
  mute: { title: msg`Grey`, tone: 'mute' },
} as const;

export const definestatus = defineResource<'definestatus'>({
  table: 'definestatus',
  module: 'setting',
  path: 'definestatuslist',
  title: msg`Names of states`,
  one: msg`name of a state`,
  name: (row) => row,
  columns: [
    text('table_name', msg`Table`),
    number('number', msg`Number`),
    word('color', msg`Colour`, colours, { sorts: false }),
  ],
  filters: [],
  look: () => null,
  form: { fields: Fields, fresh: { table_name: '', number: 5, name_th: '', name_en: '', color: 'ok' } },
  empty: { title: msg`No name yet`, line: msg`Say what your organisation calls a state, and in which colour.` },
});

function Fields({ fresh }: { fresh: boolean }) {
  const { t } = useLingui();
  return (
    <>
      <BothLanguages name="name" label={t`Name`} />
      <ChoiceField
        name="color"
        label={t`Colour`}
        options={[
          { value: 'ok', label: t`Green` },
          { value: 'warn', label: t`Amber` },
          { value: 'bad', label: t`Red` },
          { value: 'info', label: t`Blue` },
          { value: 'mute', label: t`Grey` },
        ]}
      />
      {fresh && (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField name="table_name" label={t`Table`} help={t`Such as salepackage or staff`} />
          <NumberField
            name="number"
            label={t`Number`}
            help={t`1 draft, 2 inactive, 3 rejected, 4 suspended, 5 active`}
          />
        </div>
      )}
    </>
  );
}
