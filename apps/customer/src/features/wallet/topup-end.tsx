import { useLingui } from '@lingui/react/macro';
import { useReplace } from '@wlv/client/replace';
import { Button } from '@wlv/ui/button';
import { baht } from '@wlv/ui/format';
import { AreaLink } from '../../area.tsx';
import { ChargeEnd } from '../../payment/charge-end.tsx';
import type { Charge } from '../../payment/charge-waiting.tsx';

/** The money is in. A late one says so: the QR had run out, and it counted all the same. */
export function TopupDone({ topup, returnTo }: { topup: Charge; returnTo: string | undefined }) {
  const { t } = useLingui();
  const replace = useReplace();
  const amount = baht(topup.captured_satang);
  return (
    <ChargeEnd
      end="done"
      title={t`${amount} is in your Wallet`}
      line={
        topup.late
          ? t`You paid after the QR had run out. The money came in all the same, nothing is lost.`
          : returnTo
            ? t`Carry on with your order.`
            : t`You can spend it right away.`
      }
    >
      {returnTo ? (
        <Button wide onClick={() => replace(returnTo)}>{t`Carry on with the order`}</Button>
      ) : (
        <Button asChild wide>
          <AreaLink page="wallet" replace>{t`Open the Wallet`}</AreaLink>
        </Button>
      )}
    </ChargeEnd>
  );
}

export function TopupOver({
  topup,
  returnTo,
  order,
}: {
  topup: Charge;
  returnTo: string | undefined;
  order: string | undefined;
}) {
  const { t } = useLingui();
  const expired = topup.state === 'expired';
  return (
    <ChargeEnd
      end={expired ? 'late' : 'failed'}
      title={expired ? t`This QR has run out` : t`The payment did not go through`}
      line={
        expired
          ? t`No money has moved. If you have paid just now, wait a moment: it still comes into your Wallet and this page will tell.`
          : t`You have not been charged. Try again, or pay another way.`
      }
    >
      <Button asChild wide>
        <AreaLink
          page="wallet/topup"
          search={{ amount: String(topup.amount_satang), return: returnTo, order }}
          replace
        >{t`Choose how to pay again`}</AreaLink>
      </Button>
    </ChargeEnd>
  );
}
