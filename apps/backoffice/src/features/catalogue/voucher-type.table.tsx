import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { BothLanguages, MoneyField, NumberField } from '../../form/fields.tsx';
import { PictureField } from '../../form/picture-field.tsx';
import { defaultActions } from '../../resource/actions.ts';
import { money, number } from '../../resource/cells.tsx';
import { defineResource } from '../../resource/resource.ts';
import {
  checkUsageRules,
  defaultUsageRules,
  UsageRulesFields,
  usageRulesColumns,
  usageRulesFilters,
} from './usage-rules.tsx';

export const vouchertype = defineResource<'vouchertype'>({
  table: 'vouchertype',
  module: 'vouchertype',
  path: 'vouchertypelist',
  menu: { group: 'advanced', place: 1 },
  title: msg`Voucher types`,
  one: msg`voucher type`,
  name: (row) => row,
  picture: (row) => row.picture_id,
  columns: [number('items', msg`Times`), money('list_price_satang', msg`Price of one`), ...usageRulesColumns()],
  filters: usageRulesFilters(),
  actions: defaultActions,
  form: {
    fields: Fields,
    fresh: { name_th: '', name_en: '', items: 1, list_price_satang: 0, ...defaultUsageRules },
    check: checkUsageRules,
  },
  empty: {
    title: msg`No voucher type yet`,
    line: msg`A type says what is received, how many times, where and until when. Packages are made of types.`,
  },
});

function Fields() {
  const { t } = useLingui();
  return (
    <>
      <PictureField name="picture_id" label={t`Picture`} aspect={4 / 3} className="max-w-60" />
      <BothLanguages name="name" label={t`Name`} />
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField name="items" label={t`How often it can be used`} unit={t`times`} />
        <MoneyField
          name="list_price_satang"
          label={t`Price of one`}
          help={t`It decides this item's share when a package holds several.`}
        />
      </div>
      <UsageRulesFields />
    </>
  );
}
