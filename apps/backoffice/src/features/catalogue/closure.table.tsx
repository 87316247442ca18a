import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { date } from '@wlv/ui/format';
import { BothLanguages, DayField } from '../../form/fields.tsx';
import { LookupField } from '../../form/lookup-fields.tsx';
import { defaultActions, statusFilter } from '../../resource/actions.ts';
import { bilingual, day } from '../../resource/cells.tsx';
import { defineResource } from '../../resource/resource.ts';
import { ReturnDays } from './return-days.tsx';

export const closure = defineResource<'closure'>({
  table: 'closure',
  module: 'servicepoint',
  path: 'closurelist',
  menu: { group: 'staff', place: 31 },
  title: msg`Closed service points`,
  one: msg`closure`,
  name: (row) => `${date(row.first_day ?? '')} – ${date(row.last_day ?? '')}`,
  nameSorts: 'first_day',
  columns: [
    bilingual('service_point_name', msg`Service point`),
    day('last_day', msg`Last day`),
    bilingual('reason', msg`Reason`, { sorts: false }),
  ],
  filters: [
    statusFilter,
    { name: 'service_point_id', title: msg`Service point`, kind: 'lookup', table: 'service_point' },
  ],
  actions: defaultActions,
  refusals: {
    'last_day:field.too_small': msg`It is before the first day.`,
    'last_day:field.too_big': msg`At most a year after the first day.`,
  },
  form: {
    fields: Fields,
    fresh: { service_point_id: '', first_day: '', last_day: '', reason_th: '', reason_en: '' },
  },
  extra: ReturnDays,
  empty: {
    title: msg`No service point is closed`,
    line: msg`While one is closed, nothing is used there, and customers read why and when it opens again.`,
  },
});

function Fields() {
  const { t } = useLingui();
  return (
    <>
      <LookupField name="service_point_id" table="service_point" label={t`Service point`} />
      <div className="grid gap-4 sm:grid-cols-2">
        <DayField name="first_day" label={t`First day`} />
        <DayField name="last_day" label={t`Last day`} help={t`Of the days on which it is closed`} />
      </div>
      <BothLanguages name="reason" label={t`Reason`} help={t`Customers and staff read it.`} />
    </>
  );
}
