import { useLingui } from '@lingui/react/macro';
import { useBrand, useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { amount, dateTime, signed } from '@wlv/ui/format';
import { Ticket } from '@wlv/ui/ticket';
import { ReceiptText } from 'lucide-react';
import { AreaLink } from '../../area.tsx';
import type { Movement } from './movement-line.tsx';

/** Of which movements there is a receipt, and of which kind. */
const receipts: Partial<Record<Movement['kind'], string>> = { topup: 'topup', purchase: 'order', refund: 'refund' };

/** One movement to the satang: what caused it, when, and the balance before and after. */
export function MovementSheet({ movement, onClose }: { movement: Movement | undefined; onClose: () => void }) {
  const { t } = useLingui();
  return (
    <Dialog open={Boolean(movement)} onOpenChange={(open) => !open && onClose()}>
      {movement && (
        <DialogContent
          shape="sheet"
          title={t`Movement`}
          foot={
            receipts[movement.kind] && (
              <Button asChild variant="outline" wide>
                <AreaLink page={`receipts/${receipts[movement.kind]}/${movement.cause_id}`}>
                  <ReceiptText aria-hidden />
                  {t`Receipt`}
                </AreaLink>
              </Button>
            )
          }
        >
          <MovementTicket movement={movement} />
        </DialogContent>
      )}
    </Dialog>
  );
}

function MovementTicket({ movement }: { movement: Movement }) {
  const { t } = useLingui();
  const text = useTexts();
  const brand = useBrand();
  const rows = [
    [t`What`, text(movement, 'title')],
    [t`When`, dateTime(movement.at)],
    [t`Shop`, brand],
    ...(movement.number ? [[t`Number`, movement.number] as const] : []),
    [t`Balance before`, amount(movement.after_satang - movement.amount_satang)],
    [t`Balance after`, amount(movement.after_satang)],
  ] as const;
  return (
    <Ticket
      stub={64}
      foot={
        <>
          <span className="flex-1 font-semibold">{t`Amount`}</span>
          <span className="text-[24px] font-semibold leading-9">{signed(movement.amount_satang)}</span>
        </>
      }
    >
      <dl className="grid grid-cols-1 gap-2 bg-muted/50 px-4 py-4 text-sm">
        {rows.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-6">
            <dt className="shrink-0 text-muted-foreground">{name}</dt>
            <dd className="min-w-0 break-words text-right font-medium">{value}</dd>
          </div>
        ))}
      </dl>
    </Ticket>
  );
}
