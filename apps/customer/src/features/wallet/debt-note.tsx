import { useLingui } from '@lingui/react/macro';
import type { Detail } from '@wlv/client/call';
import { baht, date } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { CircleAlert, Snowflake } from 'lucide-react';

type Holding = Detail<'/api/user/getwallet'>;

/** What is owed and why, and what that means until it is paid. Where frozen vouchers stand for all of it, only the reason. */
export function DebtNote({ wallet }: { wallet: Holding }) {
  const { t } = useLingui();
  if (!wallet.owes.length) return null;
  const owes = baht(wallet.debt_satang);
  return (
    <Note
      tone="warn"
      icon={wallet.debt_satang > 0 ? <CircleAlert aria-hidden /> : <Snowflake aria-hidden />}
      title={wallet.debt_satang > 0 ? t`You owe ${owes}` : t`Some of your vouchers are on hold`}
      className="mt-4"
    >
      <ul className="mt-1 grid gap-1.5">
        {wallet.owes.map((one) => (
          <li key={one.reference}>
            <Why of={one} />
          </li>
        ))}
      </ul>
      {wallet.debt_satang > 0 && (
        <p className="mt-1.5">
          {t`Whatever comes into your Wallet pays this first. Until then you cannot buy; vouchers that are ready can still be used.`}
        </p>
      )}
    </Note>
  );
}

function Why({ of }: { of: Holding['owes'][number] }) {
  const { t } = useLingui();
  const sum = baht(of.owed_satang);
  const day = date(of.paid_at);
  const { reference } = of;
  return of.reason === 'dispute'
    ? t`Your bank asked back the payment ${reference} of ${day}. ${sum} of it had been spent.`
    : t`Of the payment ${reference} of ${day}, money was sent back to you. ${sum} of it had been spent.`;
}
