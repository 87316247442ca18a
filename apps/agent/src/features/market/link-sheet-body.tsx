import { useLingui } from '@lingui/react/macro';
import { useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Dialog, DialogContent } from '@wlv/ui/dialog';
import { baht } from '@wlv/ui/format';
import { QRCode } from '@wlv/ui/qr-code';
import { Skeleton } from '@wlv/ui/skeleton';
import { MessageCircle, Share2 } from 'lucide-react';
import { useSaleLink, useSending } from './link.ts';
import { LinkRow } from './link-row.tsx';
import type { Package } from './listing.ts';

/** All that can be done with one package's link: show its QR, copy it, send it. */
export default function LinkSheetBody({ product, onClose }: { product: Package; onClose: () => void }) {
  const { t } = useLingui();
  const text = useTexts();
  const link = useSaleLink(product.id);
  const { sendInLine, share } = useSending(product);
  const [name, earned] = [text(product, 'name'), baht(product.commission_satang)];
  const url = link.data?.url;

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        shape="sheet"
        title={name}
        description={t`Whoever opens your link and buys within 30 days buys through you. This package earns you ${earned}.`}
        foot={
          <div className="flex gap-3">
            <Button variant="line" className="flex-1" disabled={!url} onClick={() => url && void sendInLine(url)}>
              <MessageCircle aria-hidden />
              {t`Send in LINE`}
            </Button>
            {'share' in navigator && (
              <Button variant="outline" className="flex-1" disabled={!url} onClick={() => url && void share(url)}>
                <Share2 aria-hidden />
                {t`Other ways`}
              </Button>
            )}
          </div>
        }
      >
        {/* White by night too, with four modules around the code. */}
        <div className="mx-auto my-2 grid aspect-square w-full max-w-[312px] place-items-center rounded-card bg-white p-6 shadow-card [&_svg]:size-full">
          {url ? (
            <QRCode text={url} size={264} label={t`QR of your link to ${name}`} />
          ) : (
            !link.isError && <Skeleton className="size-full" />
          )}
        </div>
        <div className="mt-3">
          <LinkRow link={link} product={product} />
        </div>
      </DialogContent>
    </Dialog>
  );
}
