import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { BothLanguages, NumberField } from '../../form/fields.tsx';
import { defaultActions, statusFilter } from '../../resource/actions.ts';
import { number } from '../../resource/cells.tsx';
import { defineResource } from '../../resource/resource.ts';

export const tags = defineResource<'tags'>({
  table: 'tags',
  module: 'tags',
  path: 'settingtag',
  menu: { group: 'settings', place: 70 },
  title: msg`Tags`,
  one: msg`tag`,
  name: (row) => row,
  columns: [number('position', msg`Position`)],
  filters: [statusFilter],
  actions: defaultActions,
  form: { fields: Fields, fresh: { name_th: '', name_en: '', position: 10 } },
  empty: {
    title: msg`No tag yet`,
    line: msg`Tags are the categories that customers choose from in the market.`,
  },
});

function Fields() {
  const { t } = useLingui();
  return (
    <>
      <BothLanguages name="name" label={t`Name`} />
      <NumberField name="position" label={t`Position`} help={t`The smallest comes first in the market.`} />
    </>
  );
}
