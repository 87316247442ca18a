import { useLingui } from '@lingui/react/macro';
import { type AnyFault, faultSentence } from '@wlv/client/faults';
import { useTexts } from '@wlv/client/page';
import { amount } from '@wlv/ui/format';
import { Price } from '@wlv/ui/price';
import { CircleMinus } from 'lucide-react';
import type { Trial } from './trial-cart.tsx';

/** What a cart that is tried costs, and who earns what of that. */
export function TrialSums({ trial }: { trial: Trial }) {
  const { t } = useLingui();
  const text = useTexts();
  const parts = [
    { title: t`The shop earns`, satang: trial.share_satang, colour: 'bg-primary' },
    { title: t`Commission`, satang: trial.commission_satang, colour: 'bg-warn' },
    { title: t`Who recruited the agent`, satang: trial.recruiter_satang, colour: 'bg-second-mark', optional: true },
    { title: t`Platform fee`, satang: trial.fee_satang, colour: 'bg-quiet' },
  ].filter(({ satang, optional }) => satang > 0 || !optional);
  return (
    <>
      <dl className="grid grid-cols-1 gap-2 text-sm tabular-nums">
        <div className="flex justify-between gap-4">
          <dt className="text-muted-foreground">{t`Before discounts`}</dt>
          <dd>{amount(trial.full_satang)}</dd>
        </div>
        {trial.discounts.map((given) => (
          <div key={given.id} className="flex justify-between gap-4">
            <dt className="text-muted-foreground">{text(given, 'name')}</dt>
            <dd className="text-ok-text">−{amount(given.amount_satang)}</dd>
          </div>
        ))}
        <div className="flex items-center justify-between gap-4 border-y py-3">
          <dt className="font-semibold">{t`The customer pays`}</dt>
          <dd>
            <Price satang={trial.total_satang} className="text-[24px]" />
          </dd>
        </div>
        <div aria-hidden className="flex h-2.5 gap-0.5 overflow-hidden rounded-full">
          {parts
            .filter(({ satang }) => satang > 0)
            .map(({ title, satang, colour }) => (
              <span key={title} className={colour} style={{ flexGrow: satang }} />
            ))}
        </div>
        {parts.map(({ title, satang, colour }) => (
          <div key={title} className="flex items-center justify-between gap-4">
            <dt className="flex items-center gap-2.5 text-muted-foreground">
              <span aria-hidden className={`size-2.5 rounded-[3px] ${colour}`} />
              {title}
            </dt>
            <dd>{amount(satang)}</dd>
          </div>
        ))}
      </dl>
      {trial.lost.length > 0 && (
        <ul aria-label={t`Not given`} className="grid grid-cols-1 gap-2">
          {trial.lost.map((loss) => (
            <Lost key={loss.discount_id ?? loss.code} loss={loss} />
          ))}
        </ul>
      )}
    </>
  );
}

/** A discount that is not given, and why, as the customer would read it. */
function Lost({ loss }: { loss: Trial['lost'][number] }) {
  const { t, i18n } = useLingui();
  const text = useTexts();
  const other = text(loss, 'other');
  const missing = amount(loss.missing_satang ?? 0);
  const why = {
    'discount.too_little': t`${missing} short of its least total`,
    'discount.not_together': t`not together with ${other}`,
    'discount.yours_used': t`used as often as one customer may`,
    'discount.used_up': t`used up`,
    'discount.other_goods': t`for other packages`,
    'discount.other_channel': t`for other ways of buying`,
    'discount.first_only': t`for a first purchase only`,
    'discount.not_yet': t`not begun yet`,
    'discount.ended': t`over`,
    'discount.no_agent': t`no agent sells it`,
    'discount.too_few': t`too few pieces`,
    'discount.nothing_left': t`nothing is left to reduce`,
  }[loss.fault as string];
  return (
    <li className="flex items-start gap-2.5 text-sm text-muted-foreground">
      <CircleMinus aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>
        <span className="font-medium text-foreground">{text(loss, 'name') || loss.code}</span>{' '}
        {why ?? faultSentence(i18n, loss.fault as AnyFault)}
      </span>
    </li>
  );
}
