import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type Detail, query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { BrandMark, useBrand, useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { Fact } from '@wlv/ui/fact';
import { amount, baht, date, dateTime } from '@wlv/ui/format';
import { Printer, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { AreaLink } from '../../area.tsx';

type Options = Detail<'/api/user/refund/options'>;
type Refund = Options['refunds'][number];

/** What of an order may be refunded still and until when, and the receipts of what was. */
export function Refunds({ order }: { order: string }) {
  const { t } = useLingui();
  const options = useQuery({ ...query('/api/user/refund/options', { id: order }), staleTime: 0 });
  const [shown, setShown] = useState<Refund>();
  if (options.isError)
    return <Failure title={t`Refunds did not load`} error={options.error} onRetry={() => void options.refetch()} />;
  if (!options.data) return null;
  const { vouchers, refunds } = options.data;
  const self = vouchers.filter(({ how }) => how === 'self').map(({ until }) => until);
  const asking = vouchers.filter(({ how }) => how === 'asking').map(({ until }) => until);
  if (!self.length && !asking.length && !refunds.length) return null;
  return (
    <Card className="divide-y px-4 py-1">
      {self.length > 0 && <Self order={order} until={last(self)} />}
      {self.length === 0 && asking.length > 0 && <Asking until={last(asking)} />}
      {refunds.map((refund) => (
        <Fact
          key={refund.id}
          icon={<RotateCcw aria-hidden />}
          title={t`Refunded ${baht(refund.amount_satang)}`}
          line={`${refund.number} · ${dateTime(refund.at)}`}
          opens={(content, className) => (
            <button type="button" className={className} onClick={() => setShown(refund)}>
              {content}
            </button>
          )}
        />
      ))}
      {shown && <Paper refund={shown} onClose={() => setShown(undefined)} />}
    </Card>
  );
}

const last = (days: string[]) => date(days.toSorted().at(-1) ?? '');

function Self({ order, until }: { order: string; until: string }) {
  const { t } = useLingui();
  return (
    <Fact
      icon={<RotateCcw aria-hidden />}
      title={t`Get a refund`}
      line={t`Of what is not used, until ${until}`}
      opens={(content, className) => (
        <AreaLink page={`orders/${order}/refund`} className={className}>
          {content}
        </AreaLink>
      )}
    />
  );
}

function Asking({ until }: { until: string }) {
  const { t } = useLingui();
  return (
    <Fact
      icon={<RotateCcw aria-hidden />}
      title={t`Ask the shop for a refund until ${until}`}
      line={t`The shop decides on it`}
    />
  );
}

/** The receipt of a refund; it can be printed. */
function Paper({ refund, onClose }: { refund: Refund; onClose: () => void }) {
  const { t } = useLingui();
  const text = useTexts();
  const brand = useBrand();
  const facts = [
    [t`Number`, refund.number],
    [t`When`, dateTime(refund.at)],
    [t`By`, refund.own ? t`You` : t`The shop`],
    [t`Where to`, t`Your Wallet`],
    ...(refund.fee_satang ? [[t`Fee of the shop`, amount(refund.fee_satang)] as const] : []),
  ] as const;
  return (
    <Dialog open onOpenChange={(next) => !next && onClose()}>
      <DialogContent
        shape="sheet"
        title={t`Receipt of a refund`}
        foot={
          <Button variant="outline" wide onClick={() => window.print()}>
            <Printer aria-hidden />
            {t`Print or save`}
          </Button>
        }
      >
        <div data-print="" className="rounded-card bg-muted/50 px-4 py-5 text-sm print:bg-transparent">
          <header className="grid justify-items-center gap-1 text-center">
            <BrandMark size={44} />
            <p className="mt-1 text-row font-semibold">{brand}</p>
            <p className="mt-2 text-lead font-semibold">{t`Receipt of a refund`}</p>
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
          <p className="mt-3 border-t border-dashed pt-3 font-medium">
            {refund.more ? t`${text(refund, 'name')} and ${refund.more} more` : text(refund, 'name')}
          </p>
          <p className="mt-3 flex items-baseline justify-between border-t border-dashed pt-3 font-semibold">
            <span className="text-row">{t`Refunded`}</span>
            <span className="text-[24px] leading-9 tabular-nums">{amount(refund.amount_satang)}</span>
          </p>
        </div>
      </DialogContent>
    </Dialog>
  );
}
