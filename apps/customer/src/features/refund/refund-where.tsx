import { useLingui } from '@lingui/react/macro';
import { Card } from '@wlv/ui/card';
import { Fact } from '@wlv/ui/fact';
import { baht } from '@wlv/ui/format';
import { CreditCard, Wallet } from 'lucide-react';
import { useId } from 'react';
import { MethodRow } from '../../payment/method-choice.tsx';
import { type How, type Method, type Options, useCardName } from './refund.ts';

/** Where a refund goes: to the wallet, or back to the card that paid if it takes as much. What is true of each stands beside it. */
export function RefundWhere({
  card,
  how,
  satang,
  value,
  onChange,
}: {
  card: Options['card'];
  how: How;
  satang: number;
  value: Method;
  onChange: (method: Method) => void;
}) {
  const { t } = useLingui();
  const name = useId();
  const cardName = useCardName();
  const atOnce = how === 'self' ? t`At once` : t`At once, when the shop has approved it`;
  if (!card)
    return (
      <Card className="px-4 py-1">
        <Fact icon={<Wallet aria-hidden />} title={t`Into your Wallet`} line={atOnce} />
      </Card>
    );
  const most = baht(card.limit_satang);
  const takes = satang <= card.limit_satang;
  const ways = [
    { method: 'wallet', Icon: Wallet, title: t`Into your Wallet`, line: atOnce, open: true },
    {
      method: 'card',
      Icon: CreditCard,
      title: cardName(card.digits),
      line: takes
        ? how === 'self'
          ? t`Your bank needs about 5–10 days`
          : t`Your bank needs about 5–10 days, when the shop has approved it`
        : t`It takes back ${most} at most`,
      open: takes,
    },
  ] as const;
  return (
    <fieldset>
      <legend className="mb-2 px-1 font-semibold">{t`Where it goes`}</legend>
      <Card className="divide-y px-4">
        {ways.map(({ method, open, ...way }) => (
          <label key={method} className="flex cursor-pointer has-focus-visible:outline-2 has-disabled:cursor-default">
            <MethodRow {...way} on={method === value}>
              <input
                type="radio"
                name={name}
                value={method}
                checked={method === value}
                disabled={!open}
                onChange={() => onChange(method)}
                className="size-[22px] shrink-0 accent-(--brand)"
              />
            </MethodRow>
          </label>
        ))}
      </Card>
      {value === 'card' && (
        <p className="px-1 pt-2 text-sm text-muted-foreground">
          {t`If the card cannot take it, it goes into your Wallet, and you read that in your inbox.`}
        </p>
      )}
    </fieldset>
  );
}
