import { useTexts } from '@wlv/client/page';
import { amount } from '@wlv/ui/format';

interface Reduction {
  id: string;
  name_th: string;
  name_en: string;
  code: string;
  amount_satang: number;
}

/** What each discount took off, by its code and name. */
export function Reductions({ of }: { of: Reduction[] }) {
  const text = useTexts();
  return of.map((discount) => (
    <div key={discount.id} className="flex justify-between gap-6 text-ok-text">
      <span className="min-w-0 break-words">
        {discount.code && <span className="mr-1.5 font-medium">{discount.code}</span>}
        {text(discount, 'name')}
      </span>
      <span className="shrink-0 tabular-nums">−{amount(discount.amount_satang)}</span>
    </div>
  ));
}
