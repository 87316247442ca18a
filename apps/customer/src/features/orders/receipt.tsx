import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { BrandMark, useBrand, useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { amount, dateTime } from '@wlv/ui/format';
import { Printer } from 'lucide-react';
import { Reductions } from '../../payment/reductions.tsx';
import { type Order, usePaidBy } from './order.ts';

/** The receipt of an order that was paid; it can be printed. */
export function Receipt({ order, open, onClose }: { order: Order; open: boolean; onClose: () => void }) {
  const { t } = useLingui();
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()}>
      <DialogContent
        shape="sheet"
        title={t`Receipt`}
        foot={
          <Button variant="outline" wide onClick={() => window.print()}>
            <Printer aria-hidden />
            {t`Print or save`}
          </Button>
        }
      >
        <Paper order={order} />
      </DialogContent>
    </Dialog>
  );
}

/** It says what the server knows of the sale, and of the seller as far as he has said it. */
function Paper({ order }: { order: Order }) {
  const { t } = useLingui();
  const text = useTexts();
  const brand = useBrand();
  const seller = useQuery(query('/api/user/get/contactus', {})).data?.data[0];
  const legalName = seller && text(seller, 'legal_name');
  const address = seller && text(seller, 'address');
  const paidBy = usePaidBy(order);
  const facts = [
    [t`Number`, order.number],
    [t`When`, dateTime(order.paid_at ?? order.created_at)],
    [t`Payment`, paidBy],
    ...(order.payment ? [[t`Payment reference`, order.payment.reference] as const] : []),
  ] as const;
  return (
    <div data-print="" className="rounded-card bg-muted/50 px-4 py-5 text-sm print:bg-transparent">
      <header className="grid justify-items-center gap-1 text-center">
        <BrandMark size={44} />
        <p className="mt-1 text-row font-semibold">{legalName || brand}</p>
        {address && <p className="max-w-[40ch] text-caption text-muted-foreground">{address}</p>}
        <p className="mt-2 text-lead font-semibold">{t`Receipt`}</p>
        <p className="text-caption text-muted-foreground">{t`This receipt is not a tax invoice`}</p>
      </header>
      <dl className="mt-4 grid grid-cols-1 gap-1.5 border-t border-dashed pt-3">
        {facts.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-6">
            <dt className="shrink-0 text-muted-foreground">{name}</dt>
            <dd className="min-w-0 break-words text-right font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      <ul className="mt-3 grid grid-cols-1 gap-2 border-t border-dashed pt-3">
        {order.lines.map((line) => (
          <li key={line.package_id}>
            <p className="font-medium">{text(line, 'name')}</p>
            <p className="flex justify-between gap-6">
              <span className="text-muted-foreground">
                {line.quantity} × {amount(line.unit_satang)}
              </span>
              <span className="tabular-nums">{amount(line.amount_satang + line.discount_satang)}</span>
            </p>
          </li>
        ))}
      </ul>
      <div className="mt-2 grid grid-cols-1 gap-1 empty:hidden">
        <Reductions of={order.discounts} />
      </div>
      <p className="mt-3 flex items-baseline justify-between border-t border-dashed pt-3 font-semibold">
        <span className="text-row">{t`Total`}</span>
        <span className="text-[24px] leading-9 tabular-nums">{amount(order.total_satang)}</span>
      </p>
      {order.state !== 'paid' && (
        <p className="text-caption text-muted-foreground">
          {order.state === 'refunded'
            ? t`All of this was taken back afterwards.`
            : t`Some of this was taken back afterwards.`}
        </p>
      )}
    </div>
  );
}
