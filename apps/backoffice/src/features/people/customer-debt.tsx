import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type Detail, query } from '@wlv/client/call';
import { baht } from '@wlv/ui/format';
import { Note } from '@wlv/ui/note';
import { CircleAlert } from 'lucide-react';

/** What this customer owes after money went back to him, and why. */
export function CustomerDebt({ customer }: { customer: string }) {
  const { t } = useLingui();
  const wallet = useQuery(query('/api/owner/customer/wallet', { id: customer }));
  const { owes = [], debt_satang = 0 } = wallet.data ?? {};
  if (!owes.length) return null;
  const debt = baht(debt_satang);
  return (
    <Note
      tone="warn"
      icon={<CircleAlert aria-hidden />}
      title={debt_satang > 0 ? t`Owes ${debt}` : t`Vouchers are frozen for money that went back`}
    >
      <ul className="mt-1 grid gap-1">
        {owes.map((one) => (
          <li key={one.reference}>
            <Owes of={one} />
          </li>
        ))}
      </ul>
      {debt_satang > 0 && (
        <p className="mt-1">{t`Until it is paid, this customer cannot buy. The next money that comes into the wallet pays it.`}</p>
      )}
    </Note>
  );
}

function Owes({ of }: { of: Detail<'/api/owner/customer/wallet'>['owes'][number] }) {
  const { t } = useLingui();
  const sum = baht(of.owed_satang);
  const { reference } = of;
  return of.reason === 'dispute'
    ? t`${reference}: the bank holds the payment back, ${sum} of it is not covered.`
    : t`${reference}: the payment company sent money back, ${sum} of it is not covered.`;
}
