import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { BothLanguages, MoneyField } from '../../form/fields.tsx';
import { PictureField } from '../../form/picture-field.tsx';
import { defaultActions } from '../../resource/actions.ts';
import { money } from '../../resource/cells.tsx';
import { defineResource } from '../../resource/resource.ts';
import {
  checkUsageRules,
  defaultUsageRules,
  UsageRulesFields,
  usageRulesColumns,
  usageRulesFilters,
} from './usage-rules.tsx';

export const giftvoucher = defineResource<'giftvoucher'>({
  table: 'giftvoucher',
  module: 'giftvoucher',
  path: 'giftvoucherlist',
  menu: { group: 'products', place: 20 },
  title: msg`Gift vouchers`,
  one: msg`gift voucher`,
  name: (row) => row,
  picture: (row) => row.picture_id,
  columns: [money('value_satang', msg`Value`), ...usageRulesColumns()],
  filters: [...usageRulesFilters(), { name: 'value_satang', title: msg`Value`, kind: 'money' }],
  actions: defaultActions,
  form: {
    fields: Fields,
    fresh: { name_th: '', name_en: '', value_satang: 50_000, ...defaultUsageRules },
    check: checkUsageRules,
  },
  empty: {
    title: msg`No gift voucher yet`,
    line: msg`A gift voucher is worth baht at its service points and can be used bit by bit.`,
  },
});

function Fields() {
  const { t } = useLingui();
  return (
    <>
      <PictureField name="picture_id" label={t`Picture`} aspect={4 / 3} className="max-w-60" />
      <BothLanguages name="name" label={t`Name`} />
      <MoneyField name="value_satang" label={t`Value`} help={t`What it is worth at the service points`} />
      <UsageRulesFields />
    </>
  );
}
