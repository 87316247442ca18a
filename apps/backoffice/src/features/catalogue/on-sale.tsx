import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { device } from '@wlv/client/device';
import { pictureURL } from '@wlv/client/media';
import { Mark, usePage, useTexts } from '@wlv/client/page';
import { Badge } from '@wlv/ui/badge';
import { Button } from '@wlv/ui/button';
import { Chip } from '@wlv/ui/chip';
import { DialogContent } from '@wlv/ui/dialog';
import { count, date, discountPercent } from '@wlv/ui/format';
import { IconButton } from '@wlv/ui/icon-button';
import { OrgMark } from '@wlv/ui/org-mark';
import { Picture } from '@wlv/ui/picture';
import { Price } from '@wlv/ui/price';
import { QRCode } from '@wlv/ui/qr-code';
import { Ticket } from '@wlv/ui/ticket';
import { toast } from '@wlv/ui/toast';
import { CircleCheck, Copy, ExternalLink, MessageCircle } from 'lucide-react';
import type { RecordOf } from '../../resource/resource.ts';

type Package = RecordOf<'salepackage'>;

/** What follows on putting a package on sale: its ticket, and the ways to the first customer. */
export function OnSale({ product }: { product: Package }) {
  const { t } = useLingui();
  const text = useTexts();
  const name = text(product, 'name');
  const url = `${location.origin}/user/market/${product.id}`;
  const left = product.quantity;
  const begins = product.sale_from && Date.parse(product.sale_from) > Date.now() ? date(product.sale_from) : undefined;
  // Customers sign in by LINE: without it the shop is seen, and nobody can buy.
  const firstRun = useQuery(query('/api/owner/dashboard/firstrun', {}));
  const noLine = firstRun.data?.line === false;
  const copy = useMutation({
    mutationFn: () => navigator.clipboard.writeText(url),
    onSuccess: () => toast({ tone: 'ok', title: t`Link copied` }),
  });
  const send = useMutation({
    mutationFn: async () => (await device()).sendInLine(name, url),
    onSuccess: (how) => how === 'copied' && toast({ tone: 'ok', title: t`Link copied` }),
    onError: () => toast({ tone: 'bad', title: t`The link was not sent`, line: t`Copy it and paste it into a chat.` }),
  });

  return (
    <DialogContent
      title={
        noLine
          ? t`One thing is left before anybody can buy: LINE`
          : begins
            ? t`It goes on sale on ${begins}`
            : t`On sale now. Send it to your first customer.`
      }
      description={
        noLine
          ? t`The package is in your shop. Customers sign in by LINE: ask us to connect yours, and they can buy at once.`
          : left === null
            ? t`As many as customers want are on sale.`
            : t`${count(left)} are on sale.`
      }
      className="w-[920px]!"
    >
      <div className="grid grid-cols-1 gap-6 pt-2 md:grid-cols-[320px_minmax(0,1fr)]">
        <div className="grid content-start gap-3 rounded-card bg-muted p-4">
          <SoldTicket product={product} />
          {!begins && (
            <p className="flex items-center gap-2 text-caption text-muted-foreground">
              <CircleCheck aria-hidden className="size-4 text-ok-text" />
              {t`This is what customers see in the shop now.`}
            </p>
          )}
        </div>
        <div className="grid grid-cols-1 content-start gap-4">
          <div className="flex flex-wrap items-center gap-4">
            {/* White by night too, with four modules around the code. */}
            <div className="grid shrink-0 place-items-center rounded-card bg-white p-4 shadow-card">
              <QRCode text={url} size={132} label={t`QR of the package ${name}`} />
            </div>
            <div className="grid min-w-48 flex-1 grid-cols-1 gap-1.5">
              <span className="text-sm font-medium">{t`Link of this package`}</span>
              <span className="flex min-w-0 items-center gap-1 rounded-control pl-3.5 shadow-[inset_0_0_0_1px_var(--line-strong)]">
                <span className="min-w-0 flex-1 truncate">{url.replace(/^https?:\/\//, '')}</span>
                <IconButton label={t`Copy the link`} onClick={() => copy.mutate()}>
                  <Copy aria-hidden />
                </IconButton>
              </span>
            </div>
          </div>
          <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
            <Button variant="line" autoFocus onClick={() => send.mutate()}>
              <MessageCircle aria-hidden />
              {t`Send in LINE`}
            </Button>
            <Button variant="outline" asChild>
              <a href={url} target="_blank" rel="noreferrer">
                <ExternalLink aria-hidden />
                {t`See it in the shop`}
              </a>
            </Button>
          </div>
        </div>
      </div>
    </DialogContent>
  );
}

function SoldTicket({ product }: { product: Package }) {
  const { t } = useLingui();
  const text = useTexts();
  const { org } = usePage();
  const full = product.list_price_satang;
  const discount = full ? discountPercent(product.price_satang, full) : 0;
  return (
    <Ticket
      stub={64}
      foot={
        <span className="flex min-w-0 flex-1 items-baseline justify-between gap-2.5">
          <Price satang={product.price_satang} className="text-[22px] leading-8 text-brand-text" />
          {full && full > product.price_satang ? <Price satang={full} struck className="text-row" /> : null}
        </span>
      }
    >
      <div className="relative h-[180px]">
        <Picture src={pictureURL(product.picture_id, 800)} mark={<Mark size={64} />} eager className="size-full" />
        {discount > 0 && <Badge>{t`${discount}% off`}</Badge>}
      </div>
      <div className="grid gap-1.5 px-4 pb-3 pt-3">
        <span className="flex items-center gap-2 text-caption text-muted-foreground">
          <OrgMark logo={org?.logo_url} name={org ? text(org, 'name') : ''} size={24} />
          {org && text(org, 'name')}
        </span>
        <span className="line-clamp-2 text-lead font-semibold">{text(product, 'name')}</span>
        <span>
          <Chip tone="ok">{t`On sale`}</Chip>
        </span>
      </div>
    </Ticket>
  );
}
