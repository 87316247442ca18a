import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { BothLanguages, ChoiceField, NumberField } from '../../form/fields.tsx';
import { number, word } from '../../resource/cells.tsx';
import { defineResource } from '../../resource/resource.ts';

const colours = {
  ok: { title: msg`Green`, tone: 'ok' },
  warn: { title: msg`Amber`, tone: 'warn' },
  bad: { title: msg`Red`, tone: 'bad' },
  info: { title: msg`Blue`, tone: 'info' },
  mute: { title: msg`Grey`, tone: 'mute' },
} as const;

/** What has states, under the names of its screens. */
const tables = {
  salepackage: { title: msg`Packages` },
  giftvoucher: { title: msg`Gift vouchers` },
  vouchertype: { title: msg`Voucher types` },
  service_point: { title: msg`Service points` },
  customer: { title: msg`Customers` },
  agent: { title: msg`Agents` },
  agenttype: { title: msg`Agent types` },
  staff: { title: msg`Staff` },
  permission: { title: msg`Permission sets` },
  tags: { title: msg`Tags` },
  faq: { title: msg`Customers' questions` },
  pdpa: { title: msg`Privacy (PDPA)` },
  termsandconditions: { title: msg`Terms and conditions` },
  customertype: { title: msg`Customer types` },
  salechannel: { title: msg`Sales channels` },
  service: { title: msg`Services` },
  timeslot: { title: msg`Time slots` },
  size: { title: msg`Sizes` },
  qrtype: { title: msg`QR types` },
};

export const definestatus = defineResource<'definestatus'>({
  table: 'definestatus',
  module: 'setting',
  path: 'definestatuslist',
  menu: { group: 'advanced', place: 90 },
  title: msg`Names of states`,
  one: msg`name of a state`,
  name: (row) => row,
  columns: [
    word('table_name', msg`Table`, tables),
    number('number', msg`Number`),
    word('color', msg`Colour`, colours, { sorts: false }),
  ],
  filters: [],
  look: () => null,
  form: { fields: Fields, fresh: { table_name: '', number: 5, name_th: '', name_en: '', color: 'ok' } },
  empty: { title: msg`No name yet`, line: msg`Say what your organisation calls a state, and in which colour.` },
});

function Fields({ fresh }: { fresh: boolean }) {
  const { t, i18n } = useLingui();
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
          <ChoiceField
            name="table_name"
            label={t`Table`}
            placeholder={t`Choose`}
            options={Object.entries(tables).map(([value, { title }]) => ({ value, label: i18n._(title) }))}
          />
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
