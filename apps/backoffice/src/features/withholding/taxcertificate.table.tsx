import { msg } from '@lingui/core/macro';
import { useTexts } from '@wlv/client/page';
import { amount } from '@wlv/ui/format';
import { lazy } from 'react';
import { day, money, text } from '../../resource/cells.tsx';
import { defineResource } from '../../resource/resource.ts';
import { type Certificate, certificateStates, forms, taxModule } from './tax-states.ts';

const CertificatePaper = lazy(() => import('./certificate-paper.tsx'));
const CertificateFacts = lazy(() => import('./certificate-facts.tsx'));

/** What was withheld of each payout, as its payee is given it on paper; the newest first. */
export const certificates = defineResource<'taxcertificate'>({
  table: 'taxcertificate',
  module: taxModule,
  path: 'taxcertificatelist',
  grows: true,
  menu: { group: 'agents', place: 32 },
  title: msg`Tax certificates`,
  one: msg`tax certificate`,
  name: (row) => row.payee_name ?? '',
  code: (row) => row.number,
  columns: [
    { name: 'form', title: msg({ message: 'Form', context: 'of the Revenue Department' }), cell: FormName },
    day('paid_on', msg({ message: 'Paid on', context: 'a payout' }), { sorts: false }),
    money('income_satang', msg({ message: 'Income', context: 'what tax is withheld of' }), { sorts: false }),
    { name: 'withheld_satang', title: msg`Tax withheld`, cell: Withheld, numeric: true, card: 'amount' },
    text('file_name', msg({ message: 'Filed in', context: 'a tax certificate' }), { sorts: false, hidden: true }),
  ],
  filters: [
    {
      name: 'form',
      title: msg({ message: 'Form', context: 'of the Revenue Department' }),
      kind: 'choice',
      choices: [
        { value: 'PND1', title: msg`P.N.D.1 (persons)` },
        { value: 'PND53', title: msg`P.N.D.53 (companies)` },
      ],
    },
    {
      name: 'state',
      title: msg`State`,
      kind: 'choice',
      choices: Object.entries(certificateStates).map(([value, { title }]) => ({ value, title })),
    },
  ],
  look: (row) => (row.state ? certificateStates[row.state] : null),
  facts: CertificateFacts,
  extra: CertificatePaper,
  empty: {
    title: msg`No tax was withheld yet`,
    line: msg`When a payout of which tax was withheld is paid, its certificate (50 Tawi) is issued by itself.`,
  },
});

function FormName({ row }: { row: Certificate }) {
  const text = useTexts();
  return row.form ? text(forms[row.form], 'name') : '';
}

function Withheld({ row: { withheld_satang: satang = 0 } }: { row: Certificate }) {
  return amount(satang);
}
