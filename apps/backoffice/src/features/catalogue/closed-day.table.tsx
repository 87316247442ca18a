import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { BothLanguages, DayField } from '../../form/fields.tsx';
import { defaultActions, statusFilter } from '../../resource/actions.ts';
import { day } from '../../resource/cells.tsx';
import { defineResource } from '../../resource/resource.ts';

export const closedDay = defineResource<'closed_day'>({
  table: 'closed_day',
  module: 'setting',
  path: 'settingcalendar',
  menu: { group: 'settings', place: 45 },
  title: msg`Closed days`,
  one: msg`closed day`,
  name: (row) => row,
  columns: [day('day', msg`Day`)],
  filters: [statusFilter],
  actions: defaultActions,
  refusals: { 'day:field.duplicate': msg`This day is closed already.` },
  form: { fields: Fields, fresh: { day: '', name_th: '', name_en: '' } },
  empty: {
    title: msg`No closed day yet`,
    line: msg`On a closed day no voucher is used anywhere. Customers read it before they come, and before they buy.`,
  },
});

function Fields() {
  const { t } = useLingui();
  return (
    <>
      <DayField name="day" label={t`Day`} />
      <BothLanguages name="name" label={t`Name`} help={t`Customers and staff read it.`} />
    </>
  );
}
