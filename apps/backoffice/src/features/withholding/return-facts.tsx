import { useLingui } from '@lingui/react/macro';
import { useTexts } from '@wlv/client/page';
import { amount, count, date, dateTime } from '@wlv/ui/format';
import { SecondPerson } from '../../record/second-person.tsx';
import { Facts } from '../../resource/facts.tsx';
import type { RecordOf } from '../../resource/resource.ts';
import { forms, monthOf } from './tax-states.ts';

/** What is in a file, and how far it is. */
export default function ReturnFacts({ record }: { record: RecordOf<'taxreturn'> }) {
  const { t } = useLingui();
  const text = useTexts();
  const nth = count(record.sequence);
  return (
    <div className="grid gap-4">
      {record.waits && record.approval_id && <SecondPerson approval={record.approval_id} />}
      <Facts
        of={[
          [t({ message: 'Form', context: 'of the Revenue Department' }), text(forms[record.form], 'name')],
          [
            t({ message: 'Month', context: 'of payment' }),
            record.sequence > 0 ? t`${monthOf(record.month)}, added file ${nth}` : monthOf(record.month),
          ],
          [t`Certificates`, count(record.certificates)],
          [t({ message: 'Income', context: 'what tax is withheld of' }), amount(record.paid_satang)],
          [t`Tax withheld`, amount(record.withheld_satang)],
          [t({ message: 'Made', context: 'a tax file' }), `${dateTime(record.made_at)} · ${record.made_by_name}`],
          ...(record.filed_on
            ? ([
                [t({ message: 'Filed on', context: 'a tax file' }), date(record.filed_on)],
                [t({ message: 'Receipt', context: 'of the Revenue Department' }), record.receipt],
              ] as [string, string][])
            : []),
        ]}
      />
    </div>
  );
}
