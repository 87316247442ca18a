import { useLingui } from '@lingui/react/macro';
import { pictureURL } from '@wlv/client/media';
import { Mark } from '@wlv/client/page';
import { amount, date, time } from '@wlv/ui/format';
import { Picture } from '@wlv/ui/picture';
import { clsx } from 'clsx';
import {
  CalendarPlus,
  CircleAlert,
  CircleCheck,
  Gift,
  Hourglass,
  type LucideIcon,
  QrCode,
  RotateCcw,
  ShoppingBag,
  Tag,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { AreaLink } from '../../area.tsx';
import { type Event, pageOf, useMuch, useWords } from './event.ts';

const tones = {
  use: 'bg-accent text-accent-foreground',
  gift: 'bg-second-soft text-second-text',
  back: 'bg-info-soft text-info-text',
  sale: 'bg-ok-soft text-ok-text',
  order: 'bg-muted text-muted-foreground',
  warn: 'bg-warn-soft text-warn-text',
};

/** The cause of an event as a small badge. */
const causes: Record<Event['kind'], { Icon: LucideIcon; tone: keyof typeof tones }> = {
  used: { Icon: QrCode, tone: 'use' },
  given: { Icon: Gift, tone: 'gift' },
  gift_claimed: { Icon: Gift, tone: 'gift' },
  received: { Icon: Gift, tone: 'gift' },
  gift_withdrawn: { Icon: RotateCcw, tone: 'back' },
  gift_declined: { Icon: RotateCcw, tone: 'back' },
  gift_returned: { Icon: RotateCcw, tone: 'back' },
  gift_stopped: { Icon: CircleAlert, tone: 'warn' },
  offered: { Icon: Tag, tone: 'sale' },
  sold: { Icon: Tag, tone: 'sale' },
  resale_bought: { Icon: Tag, tone: 'order' },
  offer_cancelled: { Icon: RotateCcw, tone: 'back' },
  offer_ended: { Icon: RotateCcw, tone: 'back' },
  offer_stopped: { Icon: CircleAlert, tone: 'warn' },
  ordered: { Icon: ShoppingBag, tone: 'order' },
  expired: { Icon: Hourglass, tone: 'warn' },
  extended: { Icon: CalendarPlus, tone: 'use' },
  frozen: { Icon: CircleAlert, tone: 'warn' },
  released: { Icon: CircleCheck, tone: 'use' },
  frozen_by_shop: { Icon: CircleAlert, tone: 'warn' },
  released_by_shop: { Icon: CircleCheck, tone: 'use' },
  voided_by_shop: { Icon: CircleAlert, tone: 'warn' },
  taken_back: { Icon: RotateCcw, tone: 'back' },
  refunded: { Icon: RotateCcw, tone: 'back' },
};

/** One event: the picture of the thing with the cause, what happened, and the money or how much it was. */
export function EventRow({ event }: { event: Event }) {
  const { title, line } = useWords(event);
  const much = useMuch(event);
  const { Icon, tone } = causes[event.kind];
  return (
    <Opens event={event}>
      <span className="relative mr-1 shrink-0 pb-1">
        <Picture
          src={pictureURL(event.picture, 160)}
          mark={<Mark size={28} />}
          className="size-12 rounded-[12px] object-cover"
        />
        <span
          className={clsx(
            'absolute -right-1.5 bottom-0 grid size-[26px] place-items-center rounded-full ring-[3px] ring-card',
            tones[tone],
          )}
        >
          <Icon aria-hidden className="size-3.5" strokeWidth={2} />
        </span>
      </span>
      <span className="min-w-0 flex-1">
        <span className="line-clamp-2 text-row font-medium">{title}</span>
        <span className="block truncate text-caption text-quiet">
          {[time(event.at), line].filter(Boolean).join(' · ')}
        </span>
        {event.sale && (event.kind === 'offered' || event.kind === 'sold') && (
          <Sale kind={event.kind} sale={event.sale} />
        )}
      </span>
      <span className="shrink-0 text-right">
        <span
          className={clsx('block whitespace-nowrap text-row font-semibold tabular-nums', much.good && 'text-ok-text')}
        >
          {much.text}
        </span>
        {much.left && <span className="block whitespace-nowrap text-caption text-quiet">{much.left}</span>}
      </span>
    </Opens>
  );
}

function Opens({ event, children }: { event: Event; children: ReactNode }) {
  const shape = 'flex min-h-[68px] items-center gap-3 px-4 py-2.5';
  const page = pageOf(event);
  return page ? (
    <AreaLink page={page} className={shape}>
      {children}
    </AreaLink>
  ) : (
    <div className={shape}>{children}</div>
  );
}

/** What a seller has to know of his sale: its price, what goes off it, and until when it stands. */
function Sale({ kind, sale }: { kind: Event['kind']; sale: NonNullable<Event['sale']> }) {
  const { t } = useLingui();
  const price = amount(sale.price_satang);
  const fee = amount(sale.fee_satang);
  const royalty = amount(sale.royalty_satang);
  const last = date(Date.parse(sale.expires_at) - 1);
  const facts = [
    t`Price ${price}`,
    t`Service fee ${fee}`,
    t`The shop's part ${royalty}`,
    kind === 'offered' && t`until ${last}`,
  ];
  return (
    <span className="flex flex-wrap gap-x-2 text-caption text-quiet">
      {facts.filter(Boolean).map((fact) => (
        <span key={String(fact)} className="whitespace-nowrap">
          {fact}
        </span>
      ))}
    </span>
  );
}
