import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useWatch } from 'react-hook-form';
import { BothLanguages, ChoiceField, NumberField, PercentField } from '../../form/fields.tsx';
import { defaultActions, statusFilter } from '../../resource/actions.ts';
import { word } from '../../resource/cells.tsx';
import { defineResource, type RowOf } from '../../resource/resource.ts';

const matures = {
  sale: { title: msg`At the sale` },
  use: { title: msg`When it is used` },
  days: { title: msg`Some days after the sale` },
};

export const agenttype = defineResource<'agenttype'>({
  table: 'agenttype',
  module: 'agentsetting',
  path: 'agenttypelist',
  menu: { group: 'agents', place: 20, names: ['agentsetting'] },
  title: msg`Agent types`,
  one: msg`agent type`,
  name: (row) => row,
  columns: [
    { name: 'rate_basis_points', title: msg`Commission`, cell: Rate, numeric: true, sorts: true },
    word('matures', msg`The agent's own`, matures, { sorts: false }),
  ],
  filters: [statusFilter],
  actions: defaultActions,
  form: {
    fields: Fields,
    fresh: { name_th: '', name_en: '', rate_basis_points: 500, matures: 'use', mature_days: 0 },
    check: ({ matures, mature_days }) =>
      matures === 'days' && !mature_days ? { mature_days: 'field.too_small' as const } : {},
  },
  empty: {
    title: msg`No agent type yet`,
    line: msg`A type says what its agents earn and when that is theirs.`,
  },
});

function Rate({ row }: { row: RowOf<'agenttype'> }) {
  return `${(row.rate_basis_points ?? 0) / 100}%`;
}

function Fields() {
  const { t } = useLingui();
  const when = useWatch({ name: 'matures' });
  return (
    <>
      <BothLanguages name="name" label={t`Name`} />
      <PercentField
        name="rate_basis_points"
        label={t`Commission`}
        help={t`Of the price the customer pays; at most 50%`}
      />
      <ChoiceField
        name="matures"
        label={t`The agent's own`}
        options={[
          { value: 'use', label: t`When it is used` },
          { value: 'sale', label: t`At the sale` },
          { value: 'days', label: t`Some days after the sale` },
        ]}
      />
      {when === 'days' && <NumberField name="mature_days" label={t`How many days`} unit={t`days`} />}
    </>
  );
}
