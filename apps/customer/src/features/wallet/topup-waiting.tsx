import { useLingui } from '@lingui/react/macro';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { countdown } from '@wlv/ui/format';
import { Price } from '@wlv/ui/price';
import { Ring, WaitingRing } from '@wlv/ui/ring';
import { Ticket } from '@wlv/ui/ticket';
import { toast } from '@wlv/ui/toast';
import { Download } from 'lucide-react';
import { AreaLink } from '../../area.tsx';
import { useBrand } from '../../page.tsx';
import { useNow } from '../../use-now.ts';
import type { Topup } from './topup-state-page.tsx';

/** Specification section 9: a QR lasts 10 minutes. */
const lifetime = 600;

export function TopupWaiting({
  topup,
  ahead,
  returnTo,
}: {
  topup: Topup;
  /** Server's clock minus this phone's, in milliseconds. */
  ahead: number;
  returnTo: string | undefined;
}) {
  const { t } = useLingui();
  const brand = useBrand();
  const left = Math.max(0, (Date.parse(topup.expires_at) - useNow(ahead)) / 1000);
  const again = { amount: String(topup.amount_satang), return: returnTo };

  return (
    <div className="mx-auto max-w-[440px] pt-1">
      <Ticket
        stub={72}
        foot={
          <>
            <div className="min-w-0 flex-1">
              <p className="text-caption text-quiet">{t`Paid to`}</p>
              <p className="truncate text-row font-medium">{brand} (We Love Voucher)</p>
            </div>
            <div className="shrink-0 text-right">
              <p className="text-caption text-quiet">{t`Reference`}</p>
              <p className="text-row font-medium">{topup.reference}</p>
            </div>
          </>
        }
      >
        <div className="px-4 py-[18px]">
          <div className="flex items-center justify-between">
            <div>
              <p className="text-sm text-muted-foreground">{t`Scan and pay by PromptPay`}</p>
              <Price satang={topup.amount_satang} className="text-[30px] leading-[44px]" />
            </div>
            <Ring value={left / lifetime} warn={left < 60}>
              <span role="timer" aria-label={t`Time left`} className="text-lead font-semibold">
                {countdown(left)}
              </span>
            </Ring>
          </div>
          <div className="mx-auto mt-3.5 grid aspect-square w-full max-w-[308px] place-items-center rounded-[20px] bg-white shadow-[inset_0_0_0_1px_var(--line)]">
            {topup.qr_image_url && (
              <img
                src={topup.qr_image_url}
                alt={t`PromptPay QR for ${topup.reference}`}
                width={288}
                height={288}
                className="size-[288px] max-w-[94%] object-contain"
              />
            )}
          </div>
        </div>
      </Ticket>
      <div role="status" className="mt-4 flex items-center gap-3 px-1">
        <WaitingRing />
        <div>
          <p className="text-row font-medium">{t`Waiting for the money`}</p>
          <p className="text-caption text-quiet">{t`This page changes by itself once you have paid. You may close it meanwhile.`}</p>
        </div>
      </div>
      <p className="mt-3.5 px-1 text-sm text-muted-foreground">
        {t`Save the QR, open your bank's app and scan it from the picture. If you pay after the time is over, the money still comes into your Wallet.`}
      </p>
      <ActionFoot className="flex gap-2.5">
        <Button asChild variant="outline" className="flex-1">
          <AreaLink page="wallet/topup" search={again} replace>{t`Pay another way`}</AreaLink>
        </Button>
        <SaveQr topup={topup} />
      </ActionFoot>
    </div>
  );
}

function SaveQr({ topup }: { topup: Topup }) {
  const { t } = useLingui();
  const save = async () => {
    if (!topup.qr_image_url) return;
    const picture = await (await fetch(topup.qr_image_url)).blob();
    const link = document.createElement('a');
    link.href = URL.createObjectURL(picture);
    link.download = `${topup.reference}.${picture.type.includes('svg') ? 'svg' : 'png'}`;
    link.click();
    URL.revokeObjectURL(link.href);
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
