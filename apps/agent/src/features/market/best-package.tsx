import { useLingui } from '@lingui/react/macro';
import { pictureURL } from '@wlv/client/media';
import { Mark, useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Chip } from '@wlv/ui/chip';
import { baht } from '@wlv/ui/format';
import { Picture } from '@wlv/ui/picture';
import { Price } from '@wlv/ui/price';
import { Skeleton } from '@wlv/ui/skeleton';
import { Ticket } from '@wlv/ui/ticket';
import { HandCoins, MessageCircle, QrCode } from 'lucide-react';
import { useState } from 'react';
import { useSaleLink, useSending } from './link.ts';
import { LinkRow } from './link-row.tsx';
import { LinkSheet } from './link-sheet.tsx';
import { type Package, useBestPackage } from './listing.ts';

/** What sells best, with the link ready to be sent. Where it can't be read the list below says so. */
export function BestPackage() {
  const { t } = useLingui();
  const best = useBestPackage();
  if (best.isError || (best.isSuccess && !best.data)) return null;
  return (
    <section className="pt-[18px]">
      <h2 className="mb-2.5 text-h2 font-semibold">{t`Best seller`}</h2>
      {best.data ? <BestTicket product={best.data} /> : <BestTicketSkeleton />}
    </section>
  );
}

function BestTicket({ product }: { product: Package }) {
  const { t } = useLingui();
  const text = useTexts();
  const link = useSaleLink(product.id);
  const { sendInLine } = useSending(product);
  const [showsQr, setShowsQr] = useState(false);
  const earned = baht(product.commission_satang);

  return (
    <>
      <Ticket
        stub={68}
        foot={
          <>
            <Button
              variant="line"
              size="sm"
              className="h-11 flex-1"
              disabled={!link.data}
              onClick={() => link.data && void sendInLine(link.data.url)}
            >
              <MessageCircle aria-hidden />
              {t`Send in LINE`}
            </Button>
            <Button variant="outline" size="sm" className="h-11 flex-1" onClick={() => setShowsQr(true)}>
              <QrCode aria-hidden />
              {t`My QR`}
            </Button>
          </>
        }
      >
        <div className="flex items-center gap-3.5 px-4 py-3.5">
          <Picture
            src={pictureURL(product.picture, 240)}
            mark={<Mark size={40} />}
            eager
            className="size-[84px] shrink-0 rounded-tile"
          />
          <div className="min-w-0 flex-1">
            <h3 className="line-clamp-2 text-row font-medium">{text(product, 'name')}</h3>
            <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1">
              <Price satang={product.price_satang} />
              <Chip tone="ok" icon={<HandCoins aria-hidden />}>{t`You earn ${earned}`}</Chip>
            </p>
          </div>
        </div>
        <div className="px-4 pb-3.5">
          <LinkRow link={link} product={product} />
        </div>
      </Ticket>
      {showsQr && <LinkSheet product={product} onClose={() => setShowsQr(false)} />}
    </>
  );
}

function BestTicketSkeleton() {
  const { t } = useLingui();
  return (
    <div role="status" aria-label={t`Loading…`}>
      <Ticket
        stub={68}
        foot={
          <>
            <Skeleton className="h-11 flex-1 rounded-control" />
            <Skeleton className="h-11 flex-1 rounded-control" />
          </>
        }
      >
        <div className="flex items-center gap-3.5 px-4 py-3.5">
          <Skeleton className="size-[84px] shrink-0 rounded-tile" />
          <div className="grid flex-1 grid-cols-1 gap-3">
            <Skeleton className="h-4" />
            <Skeleton className="h-4 w-2/3" />
            <Skeleton className="h-4 w-1/2" />
          </div>
        </div>
        <div className="px-4 pb-3.5">
          <Skeleton className="h-11 rounded-[12px]" />
        </div>
      </Ticket>
    </div>
  );
}
