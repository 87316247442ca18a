import { msg } from '@lingui/core/macro';
import { useTexts } from '@wlv/client/page';
import { lazy } from 'react';
import { day, instant, money, number, text } from '../../resource/cells.tsx';
import { defineResource } from '../../resource/resource.ts';
import { forms, monthOf, returnLook, returnStates, type TaxReturn, taxModule } from './tax-states.ts';

const ReturnSteps = lazy(() => import('./return-steps.tsx'));
const ReturnFacts = lazy(() => import('./return-facts.tsx'));
const NextReturns = lazy(() => import('./next-returns.tsx'));

/** The files by which tax that was withheld is filed month by month, the newest first. */
export const taxReturns = defineResource<'taxreturn'>({
  table: 'taxreturn',
  module: taxModule,
  path: 'taxreturnlist',
  grows: true,
  menu: { group: 'agents', place: 33, waiting: { state: 'made' } },
  title: msg`Tax files`,
  one: msg`tax file`,
  name: (row) => row.file_name ?? '',
  code: (row) => row.receipt,
  columns: [
    { name: 'form', title: msg({ message: 'Form', context: 'of the Revenue Department' }), cell: FormName },
    { name: 'month', title: msg({ message: 'Month', context: 'of payment' }), cell: Month },
    number('certificates', msg`Certificates`, { sorts: false }),
    money('withheld_satang', msg`Tax withheld`, { sorts: false }),
    day('filed_on', msg({ message: 'Filed on', context: 'a tax file' }), { sorts: false }),
    text('receipt', msg({ message: 'Receipt', context: 'of the Revenue Department' }), { sorts: false, hidden: true }),
    instant('made_at', msg({ message: 'Made', context: 'a tax file' }), { hidden: true }),
  ],
  filters: [
    {
      name: 'state',
      title: msg`State`,
      kind: 'choice',
      choices: Object.entries(returnStates).map(([value, { title }]) => ({ value, title })),
    },
  ],
  look: returnLook,
  aside: NextReturns,
  facts: ReturnFacts,
  extra: ReturnSteps,
  empty: {
    title: msg`No file was made yet`,
    line: msg`When a month is over, the file of what was withheld in it is made here and uploaded at the Revenue Department's site.`,
  },
});

function FormName({ row }: { row: TaxReturn }) {
  const text = useTexts();
  return row.form ? text(forms[row.form], 'name') : '';
}

function Month({ row }: { row: TaxReturn }) {
  return row.month ? monthOf(row.month) : '';
}
