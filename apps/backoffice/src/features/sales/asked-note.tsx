import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { baht, date } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { Undo2 } from 'lucide-react';
import { usePerson } from '../../access/person.ts';
import { RecordLink } from '../../record/record-link.tsx';

/** That an order's payer asks for a refund, while he waits for the answer. */
export function AskedNote({ order }: { order: string }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const { data } = useQuery({
    ...query('/api/owner/get/refundrequest', { filter: { order_id: order, state: 'asked' }, limit: 1 }),
    enabled: can('voucher', 'v'),
  });
  const asked = data?.data[0];
  if (!asked) return null;
  const sum = baht(asked.amount_satang ?? 0);
  const due = date(asked.due_at ?? '');
  return (
    <Note tone="warn" icon={<Undo2 aria-hidden />} title={t`The customer asks for a refund of ${sum}`}>
      {t`Answer by ${due}.`}{' '}
      <RecordLink table="refundrequest" id={asked.id ?? ''}>
        {t`See the request`}
      </RecordLink>
    </Note>
  );
}
