import { useLingui } from '@lingui/react/macro';
import { useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Chip } from '@wlv/ui/chip';
import { baht, dateTime } from '@wlv/ui/format';
import { Price } from '@wlv/ui/price';
import { Ticket } from '@wlv/ui/ticket';
import { CreditCard, Wallet } from 'lucide-react';
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
  const card = useCardName()(receipt?.card_digits ?? '');
  const toCard = made.method === 'card';
  return (
    <div className="grid grid-cols-1 gap-4 pb-6 pt-1" role="status">
      <header className="text-center">
        <h2 className="text-h1 font-semibold">{t`Refunded`}</h2>
        <p className="text-caption text-quiet">
          {[receipt && dateTime(receipt.at), made.number].filter(Boolean).join(' · ')}
        </p>
      </header>
      <Ticket
        stub={64}
        foot={<p className="min-w-0 flex-1 text-row font-medium">{receipt && text(receipt, 'name')}</p>}
      >
        <div className="grid justify-items-center gap-2 px-4 py-5">
          {toCard ? (
            <Chip tone="warn" icon={<CreditCard aria-hidden />}>{t`On its way`}</Chip>
          ) : (
            <Chip tone="ok" icon={<Wallet aria-hidden />}>{t`In your Wallet`}</Chip>
          )}
          <Price satang={made.amount_satang} className="text-[36px] font-semibold text-brand-text" />
          <p className="text-sm text-muted-foreground">{toCard ? card : t`Your Wallet now has ${balance}`}</p>
        </div>
      </Ticket>
      {toCard ? (
        <p className="px-1 text-sm text-muted-foreground">
          {t`Your bank needs about 5–10 days to show it. If the card cannot take it, it goes into your Wallet, and you read that in your inbox.`}
        </p>
      ) : (
        <Button asChild wide>
          <AreaLink page="wallet">
            <Wallet aria-hidden />
            {t`See the Wallet`}
          </AreaLink>
        </Button>
      )}
      <Button asChild wide variant={toCard ? 'default' : 'ghost'}>
        <AreaLink page={`orders/${order}`}>{t`See the order`}</AreaLink>
      </Button>
    </div>
  );
}
