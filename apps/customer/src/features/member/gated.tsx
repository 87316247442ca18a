import { useLingui } from '@lingui/react/macro';
import { useRouter } from '@wlv/client/router';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Ticket } from 'lucide-react';
import { useArea } from '../../area.tsx';
import { passGate, useGate, wantedPage } from '../../shell/gate.tsx';
import type { Standing } from './standing.ts';

/** What the shop asks of who is no member, and the way to what he has all the same. Nothing for who is not stopped. */
export function Gated({ standing }: { standing: Standing }) {
  const { t } = useLingui();
  const gate = useGate();
  const { replace } = useRouter();
  const { path } = useArea();
  if (!gate) return null;
  const fresh = !standing.card && !standing.application;
  const goOn = () => {
    const wanted = wantedPage();
    passGate();
    replace(wanted?.own ? wanted.href : path('activevoucher'));
  };
  return (
    <>
      <div className="pt-3 text-center">
        <h2 className="text-balance text-h1 font-semibold">
          {fresh ? t`Become a member first, then choose from the whole shop` : t`This shop sells to its members`}
        </h2>
      </div>
      <Card className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
        <Ticket aria-hidden className="size-5 shrink-0 text-brand-mark" />
        <p className="min-w-48 flex-1 text-sm text-muted-foreground">
          {t`What you have stays yours: vouchers, gifts and the money in your Wallet.`}
        </p>
        <Button variant="outline" onClick={goOn}>{t`Open what you have`}</Button>
      </Card>
    </>
  );
}
