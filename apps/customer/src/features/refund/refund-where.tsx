import { useLingui } from '@lingui/react/macro';
import { Card } from '@wlv/ui/card';
import { Fact } from '@wlv/ui/fact';
import { baht } from '@wlv/ui/format';
import { CreditCard, Landmark, Wallet } from 'lucide-react';
import { useId } from 'react';
import { AccountFields, type AccountProps } from '../../payment/account-fields.tsx';
import { MethodRow } from '../../payment/method-choice.tsx';
import { type How, type Method, type Options, useCardName } from './refund.ts';

/** Where a refund goes: to the wallet, or back to what paid if it takes as much. What is true of each stands beside it. */
export function RefundWhere({
  source,
  how,
  satang,
  value,
  onChange,
  account,
}: {
  source: Options['source'];
  how: How;
  satang: number;
  value: Method;
  onChange: (method: Method) => void;
  account: AccountProps;
}) {
  const { t } = useLingui();
  const name = useId();
  const cardName = useCardName();
  const atOnce = how === 'self' ? t`At once` : t`At once, when the shop has approved it`;
  if (!source)
    return (
      <Card className="px-4 py-1">
        <Fact icon={<Wallet aria-hidden />} title={t`Into your Wallet`} line={atOnce} />
      </Card>
    );
  const most = baht(source.limit_satang);
  const takes = satang <= source.limit_satang;
  const ofBank = source.method === 'bank';
  const lines = {
    card:
      how === 'self'
        ? t`Your bank needs about 5–10 days`
        : t`Your bank needs about 5–10 days, when the shop has approved it`,
    bank: t`The shop transfers it, and has 15 days for it`,
  };
  const ways = [
    { method: 'wallet', Icon: Wallet, title: t`Into your Wallet`, line: atOnce, open: true },
    {
      method: source.method,
      Icon: ofBank ? Landmark : CreditCard,
      title: ofBank ? t`To your bank account` : cardName(source.card_digits),
      line: takes ? lines[source.method] : ofBank ? t`${most} at most can go there` : t`It takes back ${most} at most`,
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
      {value === 'bank' && <AccountFields {...account} />}
      {value !== 'wallet' && (
        <p className="px-1 pt-2 text-sm text-muted-foreground">
          {ofBank
            ? t`Please check the number: the shop sends it to exactly this account. If it cannot be transferred, it goes into your Wallet, and you read that in your inbox.`
            : t`If the card cannot take it, it goes into your Wallet, and you read that in your inbox.`}
        </p>
      )}
    </fieldset>
  );
}
