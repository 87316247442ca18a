import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { BothLanguages, DecimalField, FormSection, TextField } from '../../form/fields.tsx';
import { ManyField } from '../../form/lookup-fields.tsx';
import { defaultActions, statusFilter } from '../../resource/actions.ts';
import { bilingual, phoneNumber } from '../../resource/cells.tsx';
import { defineResource } from '../../resource/resource.ts';
import { freshServicePoint } from './service-point.ts';

export const servicePoint = defineResource<'service_point'>({
  table: 'service_point',
  module: 'servicepoint',
  path: 'servicepointlist',
  menu: { group: 'staff', place: 30 },
  title: msg`Service points`,
  one: msg`service point`,
  name: (row) => row,
  columns: [
    bilingual('address', msg`Address of the place`),
    phoneNumber('phone', msg`Phone`, { sorts: false }),
    bilingual('hours', msg`Hours`),
  ],
  filters: [statusFilter],
  actions: defaultActions,
  form: {
    fields: Fields,
    fresh: freshServicePoint,
    check: ({ latitude, longitude }) => {
      const half = (latitude === null) !== (longitude === null);
      return half ? { [latitude === null ? 'latitude' : 'longitude']: 'field.required' } : {};
    },
  },
  empty: {
    title: msg`No service point yet`,
    line: msg`Add the places where vouchers are used; staff choose theirs before they scan.`,
  },
});

function Fields() {
  const { t } = useLingui();
  return (
    <>
      <BothLanguages name="name" label={t`Name`} />
      <BothLanguages name="address" label={t`Address of the place`} />
      <BothLanguages name="hours" label={t`Hours`} help={t`As customers read them: every day 10:00–22:00`} />
      <TextField name="phone" label={t`Phone`} type="tel" />
      <FormSection title={t`Who works here`}>
        <ManyField
          name="staff"
          table="staff"
          label={t`Staff`}
          help={t`None chosen: everybody at the counter.`}
          none={t`No staff yet`}
        />
      </FormSection>
      <FormSection title={t`On the map`}>
        <div className="grid gap-4 sm:grid-cols-2">
          <DecimalField name="latitude" label={t`Latitude`} help={t`Such as 18.7961; leave both empty for no map.`} />
          <DecimalField name="longitude" label={t`Longitude`} help={t`Such as 98.9683`} />
        </div>
      </FormSection>
    </>
  );
}
