import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '@wlv/client/call';
import { Button } from '@wlv/ui/button';
import { Dialog } from '@wlv/ui/dialog';
import { IconButton } from '@wlv/ui/icon-button';
import { Note } from '@wlv/ui/note';
import { Switch } from '@wlv/ui/switch';
import { toast } from '@wlv/ui/toast';
import { ArrowUp, ListOrdered } from 'lucide-react';
import { useState } from 'react';
import { usePerson } from '../../access/person.ts';
import { Question } from '../../record/question.tsx';
import type { RecordOf } from '../../resource/resource.ts';

type System = RecordOf<'payment'>;
type Method = 'promptpay' | 'card';

/** What the office calls a way to pay. */
export function useMethodName() {
  const { t } = useLingui();
  const names: Record<string, string> = { promptpay: t`PromptPay QR`, card: t`Card` };
  return (method: string) => names[method] ?? method;
}

/** At the foot of a payment system: which ways to pay customers have, and in which order. */
export function PaymentMethods({ record }: { record: System }) {
  const { t } = useLingui();
  const { can } = usePerson();
  const [open, setOpen] = useState(false);
  if (!can('payment', 'u') || record.status !== 5) return null;
  return (
    <>
      <Button size="office" variant="outline" onClick={() => setOpen(true)}>
        <ListOrdered aria-hidden />
        {t`Change the ways to pay`}
      </Button>
      <Dialog open={open} onOpenChange={setOpen}>
        {open && <Change record={record} onDone={() => setOpen(false)} />}
      </Dialog>
    </>
  );
}

const all: Method[] = ['promptpay', 'card'];

function Change({ record, onDone }: { record: System; onDone: () => void }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const name = useMethodName();
  const had = (record.methods ?? []).filter((one): one is Method => all.includes(one as Method));
  const [order, setOrder] = useState([...had, ...all.filter((one) => !had.includes(one))]);
  const [offered, setOffered] = useState<Method[]>(had);
  const methods = order.filter((one) => offered.includes(one));
  const save = useMutation({
    mutationFn: () =>
      call('/api/owner/payment/methods', { id: record.id ?? '', methods, updated_at: record.updated_at ?? '' }),
    onSuccess: () => {
      onDone();
      toast({ tone: 'ok', title: t`Saved` });
    },
    onSettled: () =>
      client.invalidateQueries({
        predicate: ({ queryKey }) => /^\/api\/owner\/(get|detail)\/payment$/.test(String(queryKey[0])),
      }),
  });
  return (
    <Question
      title={t`Ways to pay`}
      line={t`Customers see them in this order, after their Wallet. What was begun before is paid all the same.`}
      button={t`Save`}
      disabled={methods.length === 0}
      of={save}
      onYes={() => save.mutate()}
      onDone={onDone}
    >
      <ol className="divide-y">
        {order.map((method, place) => (
          <li key={method} className="flex items-center gap-3 py-2.5">
            <span className="min-w-0 flex-1 font-medium">{name(method)}</span>
            {place > 0 && (
              <IconButton
                label={t`Move ${name(method)} up`}
                onClick={() => setOrder([method, ...order.filter((one) => one !== method)])}
              >
                <ArrowUp aria-hidden />
              </IconButton>
            )}
            <Switch
              aria-label={name(method)}
              checked={offered.includes(method)}
              onCheckedChange={(on) => setOffered(on ? [...offered, method] : offered.filter((one) => one !== method))}
            />
          </li>
        ))}
      </ol>
      {methods.length === 0 && (
        <Note tone="warn" title={t`Customers need one way to pay`}>
          {t`Without one nobody can fill a Wallet.`}
        </Note>
      )}
    </Question>
  );
}
