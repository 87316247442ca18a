import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useTexts } from '@wlv/client/page';
import { Card } from '@wlv/ui/card';
import { Switch } from '@wlv/ui/switch';
import { Gift } from 'lucide-react';
import type { Quote } from './quote.ts';

type Line = Quote['lines'][number];

const isGivable = ({ rule, times }: Line['transfer_rules'][number]) =>
  rule === 'unlimited' || (rule === 'times' && times > 0);

/** Whether anything of it can be given to others. */
const anyGivable = ({ lines }: Quote) => lines.some((line) => line.transfer_rules.some(isGivable));

interface Props {
  quote: Quote;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** "For somebody else": once it is paid, the gift is made. What the rules of the vouchers forbid is said here, before that. */
export function ForOthers({ quote, checked, onChange }: Props) {
  const { t } = useLingui();
  const possible = anyGivable(quote);
  return (
    <Card className="grid grid-cols-1 gap-2 px-4 py-3.5">
      <div className="flex items-start gap-3">
        <Gift aria-hidden className="mt-0.5 size-5 shrink-0 text-brand-text" />
        <label htmlFor="for-others" className="min-w-0 flex-1">
          <span className="block text-row font-medium">{t`It is a gift`}</span>
          <span className="block text-caption text-quiet">
            {possible
              ? t`Once it is paid, you wrap it and send its link.`
              : t`What is in the cart is for its buyer alone, and cannot be given.`}
          </span>
        </label>
        <Switch id="for-others" checked={checked && possible} disabled={!possible} onCheckedChange={onChange} />
      </div>
      {checked && possible && <Limits quote={quote} />}
    </Card>
  );
}

/** What of it cannot be given, and what its receiver cannot do. */
function Limits({ quote }: { quote: Quote }) {
  const says = useLimits();
  const text = useTexts();
  const named = quote.lines.length > 1;
  const limits = quote.lines.flatMap((line) =>
    says(line).map((limit) => ({ limit, of: named ? text(line, 'name') : '' })),
  );
  if (limits.length === 0) return null;
  return (
    <ul className="grid grid-cols-1 gap-1 pl-8 text-sm text-muted-foreground">
      {limits.map(({ limit, of }) => (
        <li key={limit + of}>
          {limit}
          {of && <span className="block text-caption text-quiet">{of}</span>}
        </li>
      ))}
    </ul>
  );
}

function useLimits() {
  const { t } = useLingui();
  return ({ transfer_rules: rules }: Line) =>
    rules.flatMap((rule) => {
      if (!isGivable(rule)) {
        return [rules.some(isGivable) ? t`Some of its vouchers are for you alone.` : t`This one is for you alone.`];
      }
      const on = rule.times - 1;
      return [
        ...(rule.rule === 'times'
          ? [
              on > 0
                ? t`Who receives it may give it on ${plural(on, { one: '# more time', other: '# more times' })}.`
                : t`Who receives it cannot give it on.`,
            ]
          : []),
        ...(rule.together ? [t`All of its kind from this order go to one person.`] : []),
      ];
    });
}
