import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { percent } from '@wlv/ui/format';
import { useWatch } from 'react-hook-form';
import { BothLanguages, ChoiceField, NumberField, PercentField } from '../../form/fields.tsx';
import { defaultActions, statusFilter } from '../../resource/actions.ts';
import { word } from '../../resource/cells.tsx';
import { defineResource, type RowOf, type ValuesOf } from '../../resource/resource.ts';
import { RateTester } from './rate-tester.tsx';
import { SpecialRates } from './special-rates.tsx';

const matures = {
  sale: { title: msg`At the sale` },
  use: { title: msg`When it is used` },
  days: { title: msg`Some days after the sale` },
};

export const agenttype = defineResource<'agenttype'>({
  table: 'agenttype',
  module: 'agentsetting',
  path: 'agenttypelist',
  menu: { group: 'agents', place: 20 },
  title: msg`Agent types`,
  one: msg`agent type`,
  name: (row) => row,
  columns: [
    { name: 'rate_basis_points', title: msg`Commission`, cell: Rate, numeric: true, sorts: true },
    { name: 'recruiter_basis_points', title: msg`Recruiter`, cell: RecruiterRate, numeric: true, sorts: true },
    word('matures', msg`The agent's own`, matures, { sorts: false }),
  ],
  filters: [statusFilter],
  actions: defaultActions,
  form: {
    fields: Fields,
    fresh: {
      name_th: '',
      name_en: '',
      rate_basis_points: 500,
      recruiter_basis_points: 0,
      matures: 'use',
      mature_days: 0,
    },
    preview: Preview,
    check: ({ matures, mature_days }) =>
      matures === 'days' && !mature_days ? { mature_days: 'field.too_small' as const } : {},
  },
  empty: {
    title: msg`No agent type yet`,
    line: msg`A type says what its agents earn and when that is theirs.`,
  },
});

function Rate({ row }: { row: RowOf<'agenttype'> }) {
  return percent(row.rate_basis_points ?? 0);
}

function RecruiterRate({ row }: { row: RowOf<'agenttype'> }) {
  return row.recruiter_basis_points ? percent(row.recruiter_basis_points) : '–';
}

function Preview({ values, id }: { values: ValuesOf<'agenttype'>; id?: string | undefined }) {
  const rates = {
    base_rate_basis_points: values.rate_basis_points ?? 0,
    base_recruiter_basis_points: values.recruiter_basis_points ?? 0,
  };
  return <RateTester agentType={id} with={rates} />;
}

function Fields({ id }: { id?: string | undefined }) {
  const { t } = useLingui();
  const when = useWatch({ name: 'matures' });
  return (
    <>
      <BothLanguages name="name" label={t`Name`} />
      <PercentField
        name="rate_basis_points"
        label={t`Base rate`}
        help={t`Of what has no special rate, after what the shop pays of a discount; at most 50%`}
      />
      <PercentField
        name="recruiter_basis_points"
        label={t`For who recruited the agent`}
        help={t`Besides the base rate, of the same price; both together at most 50%. Nobody earns of whom a recruit recruits.`}
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
      {id && <SpecialRates agentType={id} />}
    </>
  );
}
