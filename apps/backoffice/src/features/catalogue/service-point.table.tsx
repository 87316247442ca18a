import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { RetryOptions } from '@wlv/client/retry-options';
import { Field } from '@wlv/ui/field';
import { Select } from '@wlv/ui/select';
import { BothLanguages, FormSection, TextField, useFormField } from '../../form/fields.tsx';
import { ManyField } from '../../form/lookup-fields.tsx';
import { defaultActions, statusFilter } from '../../resource/actions.ts';
import { bilingual, phoneNumber } from '../../resource/cells.tsx';
import { useLookup } from '../../resource/lookup.ts';
import { defineResource } from '../../resource/resource.ts';
import { MapField } from './map-field.tsx';
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
    bilingual('partner_name', msg`Partner`),
  ],
  filters: [statusFilter, { name: 'partner_id', title: msg`Partner`, kind: 'lookup', table: 'partner' }],
  actions: defaultActions,
  form: {
    fields: Fields,
    fresh: freshServicePoint,
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
      <FormSection title={t`Whose it is`}>
        <PartnerField />
      </FormSection>
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
        <MapField />
      </FormSection>
    </>
  );
}

const nobody = 'nobody';

/** Who earns of what is used here; nobody unless somebody is chosen. */
function PartnerField() {
  const { t } = useLingui();
  const { value, onChange, error } = useFormField<string | null>('partner_id', t`Partner`);
  const { choices, asked } = useLookup('partner', value ? [value] : []);
  return (
    <>
      <Field label={t`Partner`} help={t`He earns a part of what is used here.`} error={error}>
        <Select
          size="office"
          value={value ?? nobody}
          onChange={(next) => onChange(next === nobody ? null : next)}
          options={[{ value: nobody, label: t`Nobody: it is yours alone` }, ...choices]}
        />
      </Field>
      <RetryOptions of={asked} />
    </>
  );
}
