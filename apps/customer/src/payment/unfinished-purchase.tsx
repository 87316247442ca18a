import { useLingui } from '@lingui/react/macro';
import { useReplace } from '@wlv/client/replace';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { ShoppingBag } from 'lucide-react';
import { useState } from 'react';
import { dropPlan, plannedPurchase } from './planned-purchase.ts';

/** The way back to what somebody topped up for and has not bought, as he left the page of the top-up; a cart keeps its own things. */
export function UnfinishedPurchase() {
  const { t } = useLingui();
  const goOn = useReplace();
  const [plan, setPlan] = useState(() => plannedPurchase());
  if (!plan?.back || plan.order || plan.cart) return null;
  const drop = () => {
    dropPlan();
    setPlan(undefined);
  };
  return (
    <Card className="mb-3.5 flex flex-wrap items-center gap-3.5 p-4">
      <span className="grid size-[42px] shrink-0 place-items-center rounded-tile bg-accent text-accent-foreground">
        <ShoppingBag aria-hidden className="size-5" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block text-row font-semibold">{t`A purchase is not finished`}</span>
        <span className="block text-caption text-quiet">{t`What you topped up is in your Wallet once it is paid.`}</span>
      </span>
      <span className="flex w-full gap-2.5">
        <Button size="md" className="flex-1" onClick={() => goOn(plan.back)}>{t`Go on buying`}</Button>
        <Button variant="ghost" size="md" onClick={drop}>{t`Not any more`}</Button>
      </span>
    </Card>
  );
}
