import { useLingui } from '@lingui/react/macro';
import { ActionFoot } from '@wlv/ui/action-foot';
import { Button } from '@wlv/ui/button';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { lastDay } from '@wlv/ui/format';
import { QRCode } from '@wlv/ui/qr-code';
import { Link, MessageCircle, QrCode, Share2 } from 'lucide-react';
import { useState } from 'react';
import type { Gift } from './gift.ts';
import { useGiftLink, useSending } from './sending.ts';

/** How the link reaches the receiver. */
export function SendFoot({ gift }: { gift: Gift }) {
  const { t } = useLingui();
  const { sendInLine, share, copy } = useSending(gift);
  // When it had been opened as the QR was shown: it closes by itself once somebody has scanned it.
  const [shownAt, setShownAt] = useState<string | null>();
  return (
    <ActionFoot>
      <Button variant="line" wide onClick={() => void sendInLine()}>
        <MessageCircle aria-hidden />
        {t`Send in LINE`}
      </Button>
      <div className="mt-2.5 flex gap-2">
        <Button {...small} onClick={() => setShownAt(gift.opened_at)}>
          <QrCode aria-hidden />
          {t`Show QR`}
        </Button>
        <Button {...small} onClick={() => void copy()}>
          <Link aria-hidden />
          {t`Copy link`}
        </Button>
        {'share' in navigator && (
          <Button {...small} onClick={() => void share()}>
            <Share2 aria-hidden />
            {t`Other ways`}
          </Button>
        )}
      </div>
      <GiftQR gift={gift} open={shownAt === gift.opened_at} onClose={() => setShownAt(undefined)} />
    </ActionFoot>
  );
}

const small = { variant: 'outline', size: 'md', className: 'min-w-0 flex-1 px-1.5! text-sm! font-medium!' } as const;

/** For somebody who stands beside the giver. */
function GiftQR({ gift, open, onClose }: { gift: Gift; open: boolean; onClose: () => void }) {
  const { t } = useLingui();
  const link = useGiftLink(gift);
  const { to_name: to } = gift;
  const day = lastDay(gift.expires_at);
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()}>
      <DialogContent
        shape="sheet"
        title={gift.people > 1 ? t`Let everybody scan it` : to ? t`Let ${to} scan it` : t`Let the receiver scan it`}
        description={t`With the phone's camera, or the one in LINE.`}
      >
        {/* White by night too, with four modules around the code. */}
        <div className="mx-auto my-2 grid aspect-square w-full max-w-[312px] place-items-center rounded-card bg-white p-6 shadow-card [&_svg]:size-full">
          <QRCode text={link} size={264} label={t`QR of the gift's link`} />
        </div>
        <p className="pt-2 text-center text-caption text-quiet">
          {gift.people > 1
            ? t`One each, for the first ${gift.people} people, until ${day}`
            : t`One person only, whoever receives it first, until ${day}`}
        </p>
      </DialogContent>
    </Dialog>
  );
}
