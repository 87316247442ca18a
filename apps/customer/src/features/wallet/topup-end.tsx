import { useLingui } from '@lingui/react/macro';
import { useRouter } from '@tanstack/react-router';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { baht } from '@wlv/ui/format';
import { Check, Clock, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { AreaLink } from '../../area.tsx';
import type { Topup } from './topup-state-page.tsx';

/** The money is in. A late one says so: the QR had run out, and it counted all the same. */
export function TopupDone({ topup, returnTo }: { topup: Topup; returnTo: string | undefined }) {
  const { t } = useLingui();
  const router = useRouter();
  const amount = baht(topup.amount_satang);
  return (
    <End
      icon={<Check aria-hidden strokeWidth={2.5} />}
      tone="bg-ok-soft text-ok-text"
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
        <Button wide onClick={() => router.history.replace(returnTo)}>{t`Carry on with the order`}</Button>
      ) : (
        <Button asChild wide>
          <AreaLink page="wallet" replace>{t`Open the Wallet`}</AreaLink>
        </Button>
      )}
    </End>
  );
}

export function TopupOver({ topup, returnTo }: { topup: Topup; returnTo: string | undefined }) {
  const { t } = useLingui();
  const expired = topup.state === 'expired';
  return (
    <End
      icon={expired ? <Clock aria-hidden /> : <X aria-hidden />}
      tone={expired ? 'bg-warn-soft text-warn-text' : 'bg-bad-soft text-bad-text'}
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
          search={{ amount: String(topup.amount_satang), return: returnTo }}
          replace
        >{t`Choose how to pay again`}</AreaLink>
      </Button>
    </End>
  );
}

function End({
  icon,
  tone,
  title,
  line,
  children,
}: {
  icon: ReactNode;
  tone: string;
  title: string;
  line: string;
  children: ReactNode;
}) {
  return (
    <div role="status" className="grid justify-items-center px-6 pt-14 text-center">
      <span className={`grid size-16 place-items-center rounded-full [&_svg]:size-8 ${tone}`}>{icon}</span>
      <h2 className="mt-4 text-h1 font-semibold">{title}</h2>
      <p className="mt-1 max-w-[40ch] text-row text-muted-foreground">{line}</p>
      <ActionFoot>{children}</ActionFoot>
    </div>
  );
}
