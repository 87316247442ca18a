import { useLingui } from '@lingui/react/macro';
import { QrCode } from 'lucide-react';

/**
 * The QR under the head that people look for. Name and colour are Thai QR Payment's; its artwork and PromptPay's are their owners', and this
 * is no drawing of them. The ground stays white in the dark, so that every bank's app reads it.
 */
export function ThaiQr({ src, reference }: { src: string; reference: string }) {
  const { t } = useLingui();
  return (
    <div className="mx-auto mt-3.5 w-full max-w-[clamp(232px,calc(100dvh-380px),326px)] overflow-hidden rounded-[20px] bg-white shadow-[inset_0_0_0_1px_var(--line)]">
      <p className="flex h-[50px] items-center justify-center gap-2.5 bg-[#113566] font-semibold tracking-wide text-white">
        <QrCode aria-hidden className="size-6" />
        THAI QR PAYMENT
      </p>
      <p className="pt-3 text-center text-sm font-semibold text-[#113566]">PromptPay · พร้อมเพย์</p>
      <div className="grid aspect-square w-full place-items-center px-4 pb-3">
        {src && (
          <img
            src={src}
            alt={t`PromptPay QR for ${reference}`}
            width={288}
            height={288}
            className="size-[288px] max-w-full object-contain"
          />
        )}
      </div>
    </div>
  );
}
