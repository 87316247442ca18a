import { useLingui } from '@lingui/react/macro';
import { useBankName } from '@wlv/client/bank';
import { useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Chip } from '@wlv/ui/chip';
import { baht, date, dateTime } from '@wlv/ui/format';
import { Price } from '@wlv/ui/price';
import { Ticket } from '@wlv/ui/ticket';
import { CreditCard, Landmark, Wallet } from 'lucide-react';
import { AreaLink } from '../../area.tsx';
import { type Made, type Method, type Options, useCardName } from './refund.ts';

/** Where the money is first, then what for. */
export function RefundDone({
  made,
  options,
  order,
}: {
  made: Made & { method: Method };
  options: Options;
  order: string;
}) {
  const { t } = useLingui();
  const text = useTexts();
  const receipt = options.refunds.find(({ id }) => id === made.id);
  const balance = baht(options.balance_satang);
  const digits = receipt?.digits ?? '';
  const card = useCardName()(digits);
  const account = `${useBankName()(receipt?.bank ?? '')} ····${digits}`;
  const due = receipt?.due_at ? date(receipt.due_at) : '';
  const outside = made.method !== 'wallet';
  const toBank = made.method === 'bank';
  return (
    <div className="grid grid-cols-1 gap-4 pb-6 pt-1" role="status">
      <header className="text-center">
        <h2 className="text-h1 font-semibold">{outside ? t`Your refund is on its way` : t`Refunded`}</h2>
        <p className="text-caption text-quiet">
          {[receipt && dateTime(receipt.at), made.number].filter(Boolean).join(' · ')}
        </p>
      </header>
      <Ticket
        stub={64}
        foot={<p className="min-w-0 flex-1 text-row font-medium">{receipt && text(receipt, 'name')}</p>}
      >
        <div className="grid justify-items-center gap-2 px-4 py-5">
          {outside ? (
            <Chip tone="warn" icon={toBank ? <Landmark aria-hidden /> : <CreditCard aria-hidden />}>
              {toBank ? t`The shop will transfer it` : t`On its way`}
            </Chip>
          ) : (
            <Chip tone="ok" icon={<Wallet aria-hidden />}>{t`In your Wallet`}</Chip>
          )}
          <Price satang={made.amount_satang} className="text-[36px] font-semibold text-brand-text" />
          <p className="text-sm text-muted-foreground">
            {toBank ? account : outside ? card : t`Your Wallet now has ${balance}`}
          </p>
        </div>
      </Ticket>
      {outside ? (
        <p className="px-1 text-sm text-muted-foreground">
          {toBank
            ? t`The shop should transfer it by ${due}. If it cannot be transferred, it goes into your Wallet, and you read that in your inbox.`
            : t`Your bank needs about 5–10 days to show it. If the card cannot take it, it goes into your Wallet, and you read that in your inbox.`}
        </p>
      ) : (
        <Button asChild wide>
          <AreaLink page="wallet">
            <Wallet aria-hidden />
            {t`See the Wallet`}
          </AreaLink>
        </Button>
      )}
      <Button asChild wide variant={outside ? 'default' : 'ghost'}>
        <AreaLink page={`orders/${order}`}>{t`See the order`}</AreaLink>
      </Button>
    </div>
  );
}
