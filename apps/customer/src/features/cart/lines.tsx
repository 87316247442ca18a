import { useLingui } from '@lingui/react/macro';
import { capabilities } from '@wlv/client/capabilities';
import { pictureURL } from '@wlv/client/media';
import { Mark, useTexts } from '@wlv/client/page';
import { amount, date } from '@wlv/ui/format';
import { Picture } from '@wlv/ui/picture';
import { Price } from '@wlv/ui/price';
import { Stepper } from '@wlv/ui/stepper';
import { Hourglass, RotateCcw } from 'lucide-react';
import { AreaLink } from '../../area.tsx';
import { Reductions } from '../../payment/reductions.tsx';
import { type ExpiryRule, useAfterExpiry } from '../../shop/after-expiry.ts';
import { useRefundTerms } from '../../shop/refund-terms.ts';
import type { Basket } from './basket.ts';
import type { Quote } from './quote.ts';

/** What is bought, and how often. */
export function Lines({ quote, basket }: { quote: Quote; basket: Basket }) {
  const text = useTexts();
  const quantity = (id: string) => basket.lines.find((line) => line.package_id === id)?.quantity ?? 0;
  const present = quote.lines.filter((line) => quantity(line.package_id) > 0);
  return (
    <div className="divide-y px-4 py-1">
      {present.map((line) => (
        <div key={line.package_id} className="flex items-start gap-[13px] py-[13px]">
          <Picture
            src={pictureURL(line.picture, 160)}
            mark={<Mark size={40} />}
            className="size-[68px] shrink-0 rounded-[12px]"
          />
          <div className="min-w-0 flex-1">
            <AreaLink page={`market/${line.package_id}`} className="line-clamp-2 text-row font-medium">
              {text(line, 'name')}
            </AreaLink>
            <LastDays days={line.last_days} />
            <div className="mt-2 flex items-center justify-between gap-3">
              <span>
                <Price satang={line.unit_satang} className="text-lead" />
                <Off satang={line.discount_satang} />
              </span>
              <Stepper
                name={text(line, 'name')}
                value={quantity(line.package_id)}
                onChange={(next) => basket.setQuantity(line.package_id, next)}
                onRemove={() => basket.remove(line.package_id)}
              />
            </div>
          </div>
        </div>
      ))}
    </div>
  );
}

/** What discounts take off a line. */
function Off({ satang }: { satang: number }) {
  const { t } = useLingui();
  const off = amount(satang);
  if (satang === 0) return null;
  return <span className="block text-caption text-ok-text">{t`Less ${off}`}</span>;
}

/** The last day of what is bought today; of each kind where they differ. */
function LastDays({ days: all }: { days: string[] }) {
  const { t } = useLingui();
  const days = all.map(date).join(' · ');
  return <p className="text-caption text-quiet">{t`Valid until ${days}`}</p>;
}

/** Whose the rest is after that day: what a buyer wants to know before he pays. */
export function AfterLastDays({ quote }: { quote: Quote }) {
  const rules = [...new Set(quote.lines.flatMap((line) => line.expiry_rules))];
  return (
    <ul className="grid grid-cols-1 gap-1 px-1 text-sm text-muted-foreground">
      {rules.map((rule) => (
        <AfterLastDay
          key={rule}
          rule={rule}
          of={rules.length > 1 ? quote.lines.filter((line) => line.expiry_rules.includes(rule)) : []}
        />
      ))}
    </ul>
  );
}

/** The lines are named where another rule holds for others. */
function AfterLastDay({ rule, of }: { rule: ExpiryRule; of: Quote['lines'] }) {
  const text = useTexts();
  const names = of.map((line) => text(line, 'name')).join(' · ');
  return (
    <li className="flex gap-2.5">
      <Hourglass aria-hidden className="mt-[3px] size-[18px] shrink-0" />
      <span>
        {useAfterExpiry(rule)}
        {names && <span className="block text-caption text-quiet">{names}</span>}
      </span>
    </li>
  );
}

/** Until when what costs something is refunded to who pays it, and where the money of what he hands on goes. */
export function Refunds({ quote }: { quote: Quote }) {
  const lines = quote.lines.filter((line) => line.amount_satang > 0);
  const kind = (line: Quote['lines'][number]) =>
    `${line.refund_rule} ${line.refund_until} ${line.refund_fee_basis_points} ${isHandedOn(line)}`;
  const kinds = lines.filter((line, i) => lines.findIndex((other) => kind(other) === kind(line)) === i);
  return (
    <ul className="grid grid-cols-1 gap-1 px-1 text-sm text-muted-foreground">
      {kinds.map((line) => (
        <Refund
          key={line.package_id}
          line={line}
          of={kinds.length > 1 ? lines.filter((other) => kind(other) === kind(line)) : []}
        />
      ))}
    </ul>
  );
}

const isHandedOn = (line: Quote['lines'][number]) =>
  capabilities.transfers && line.transfer_rules.some(({ rule }) => rule !== 'none');

function Refund({ line, of }: { line: Quote['lines'][number]; of: Quote['lines'] }) {
  const text = useTexts();
  const terms = useRefundTerms(line, isHandedOn(line));
  const names = of.map((one) => text(one, 'name')).join(' · ');
  return (
    <li className="flex gap-2.5">
      <RotateCcw aria-hidden className="mt-[3px] size-[18px] shrink-0" />
      <span>
        {terms.title}
        <span className="block text-caption text-quiet">{[terms.line, names].filter(Boolean).join(' · ')}</span>
      </span>
    </li>
  );
}

/** What each of several lines comes to before discounts, by name, and what these take off; of one without any, the sum says it. */
export function LineSums({ quote }: { quote: Quote }) {
  const text = useTexts();
  if (quote.lines.length < 2 && quote.discounts.length === 0) return null;
  return (
    <div className="grid grid-cols-1 gap-[7px] border-t px-4 py-3.5 text-sm">
      <dl className="grid grid-cols-1 gap-[7px]">
        {quote.lines.map((line) => (
          <div key={line.package_id} className="flex justify-between gap-4">
            <dt className="flex min-w-0 text-muted-foreground">
              <span className="truncate">{text(line, 'name')}</span>
              <Times line={line} />
            </dt>
            <dd>{amount(line.amount_satang + line.discount_satang)}</dd>
          </div>
        ))}
      </dl>
      <Reductions of={quote.discounts} />
    </div>
  );
}

function Times({ line: { quantity, unit_satang } }: { line: Quote['lines'][number] }) {
  const { t } = useLingui();
  const each = amount(unit_satang);
  if (quantity === 1) return null;
  return <span className="shrink-0 pl-2">{t`${quantity} × ${each}`}</span>;
}
