import { useLingui } from '@lingui/react/macro';
import { useTexts } from '@wlv/client/page';
import { amount, date, dateTime } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Ban } from 'lucide-react';
import { RecordLink } from '../../record/record-link.tsx';
import { Facts } from '../../resource/facts.tsx';
import type { RecordOf } from '../../resource/resource.ts';
import { forms } from './tax-states.ts';

/** What a certificate says, and what it is of. */
export default function CertificateFacts({ record }: { record: RecordOf<'taxcertificate'> }) {
  const { t } = useLingui();
  const text = useTexts();
  return (
    <div className="grid gap-4">
      {record.state === 'void' && (
        <Note tone="warn" icon={<Ban aria-hidden />} title={t`This certificate is void`}>
          {record.reason}
        </Note>
      )}
      <Facts
        of={[
          [t({ message: 'Form', context: 'of the Revenue Department' }), text(forms[record.form], 'name')],
          [
            t({ message: 'Payout', context: 'one payee of a run' }),
            <RecordLink table="payout" id={record.payout_id}>
              {record.payout_reference}
            </RecordLink>,
          ],
          [t({ message: 'Paid on', context: 'a payout' }), date(record.paid_on)],
          [t({ message: 'Income', context: 'what tax is withheld of' }), amount(record.income_satang)],
          [t`Tax withheld`, amount(record.withheld_satang)],
          [t({ message: 'Filed in', context: 'a tax certificate' }), record.file_name || t`In no file yet`],
          ...(record.replaces ? [[t`In place of`, record.replaces] as [string, string]] : []),
          [t({ message: 'Issued on', context: 'a tax certificate' }), dateTime(record.issued_at)],
        ]}
      />
    </div>
  );
}
