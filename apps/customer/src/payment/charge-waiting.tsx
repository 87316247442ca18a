import { useLingui } from '@lingui/react/macro';
import type { Detail } from '@wlv/client/call';
import { company } from '@wlv/client/company';
import { useBrand, usePage, useTexts } from '@wlv/client/page';
import { useNow } from '@wlv/client/use-now';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { countdown } from '@wlv/ui/format';
import { Price } from '@wlv/ui/price';
import { Ring, WaitingRing } from '@wlv/ui/ring';
import { Ticket } from '@wlv/ui/ticket';
import { toast } from '@wlv/ui/toast';
import { Download, Landmark } from 'lucide-react';
import type { ReactNode } from 'react';
import { savePaymentQr } from './save-qr.ts';
import { ThaiQr } from './thai-qr.tsx';

export type Charge = Detail<'/api/user/wallet/topup/get'>;

/** A QR can be paid for ten minutes. */
const lifetime = 600;

/** A payment under way: the QR and how long it can be paid, or the way to the bank that confirms a card. */
export function ChargeWaiting({
  charge,
  ahead,
  onceIn,
  hint,
  otherwise,
}: {
  charge: Charge;
  /** Server's clock minus this phone's, in milliseconds. */
  ahead: number;
  /** What happens once the money is in. */
  onceIn: string;
  /** What happens to money that comes too late. */
  hint: string;
  /** What to do instead: a button. */
  otherwise: ReactNode;
}) {
  const { t } = useLingui();
  const left = Math.max(0, (Date.parse(charge.expires_at) - useNow(ahead)) / 1000);
  const byCard = charge.method === 'card';

  return (
    <div className="mx-auto max-w-[440px] pt-1">
      <Ticket
        stub={88}
        foot={
          <>
            <div className="min-w-0 flex-1">
              <Payee />
            </div>
            <div className="shrink-0 text-right">
              <p className="text-caption text-quiet">{t`Reference`}</p>
              <p className="text-sm font-medium">{charge.reference}</p>
            </div>
          </>
        }
      >
        <div className="px-4 py-[18px]">
          <div className="flex items-center justify-between">
            <div>
              <p className="text-sm text-muted-foreground">{byCard ? t`Confirm at your card's bank` : t`To pay`}</p>
              <Price satang={charge.amount_satang} className="text-[30px] leading-[44px]" />
            </div>
            <Ring value={left / lifetime} warn={left < 60}>
              <span role="timer" aria-label={t`Time left`} className="text-lead font-semibold">
                {countdown(left)}
              </span>
            </Ring>
          </div>
          {!byCard && <ThaiQr src={charge.qr_image_url} reference={charge.reference} />}
        </div>
      </Ticket>
      <div role="status" className="mt-4 flex items-center gap-3 px-1">
        <WaitingRing />
        <div>
          <p className="text-row font-medium">{t`Waiting for the money`}</p>
          <p className="text-caption text-quiet">{onceIn}</p>
        </div>
      </div>
      {!byCard && <p className="mt-3.5 px-1 text-sm text-muted-foreground">{hint}</p>}
      <ActionFoot className="flex gap-2.5">
        {otherwise}
        {byCard ? <ToBank charge={charge} /> : <SaveQr charge={charge} />}
      </ActionFoot>
    </div>
  );
}

/** Whose account takes the money: the platform's company collects for shops without a gateway account of their own. */
function usePayee() {
  const brand = useBrand();
  const text = useTexts();
  const collected = usePage().org?.protected;
  return { collected, name: collected ? text(company, 'name') : brand };
}

function Payee() {
  const { t } = useLingui();
  const { collected, name } = usePayee();
  return (
    <>
      <p className="text-caption text-quiet">{collected ? t`Your bank's app will show` : t`Paid to`}</p>
      <p className="text-row font-medium wrap-break-word">{name}</p>
    </>
  );
}

function ToBank({ charge }: { charge: Charge }) {
  const { t } = useLingui();
  if (!charge.authorize_url) return null;
  return (
    <Button asChild className="flex-1">
      <a href={charge.authorize_url}>
        <Landmark aria-hidden />
        {t`To the bank`}
      </a>
    </Button>
  );
}

function SaveQr({ charge }: { charge: Charge }) {
  const { t } = useLingui();
  const { name } = usePayee();
  const save = async () => {
    const { qr_image_url: qr, amount_satang: satang, reference } = charge;
    if (qr && (await savePaymentQr({ qr, satang, payee: name, reference }))) {
      toast({ tone: 'ok', title: t`The QR is saved`, line: t`Open your bank's app and scan from the picture.` });
    }
  };
  const failed = () =>
    toast({ tone: 'bad', title: t`The QR could not be saved`, line: t`Press and hold the picture instead` });
  return (
    <Button className="flex-1" onClick={() => save().catch(failed)}>
      <Download aria-hidden />
      {t`Save the QR`}
    </Button>
  );
}
