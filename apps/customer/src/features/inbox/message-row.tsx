import { useLingui } from '@lingui/react/macro';
import type { Row } from '@wlv/client/call';
import { useTexts } from '@wlv/client/page';
import { time } from '@wlv/ui/format';
import { clsx } from 'clsx';
import {
  Gift,
  Handshake,
  IdCard,
  Landmark,
  type LucideIcon,
  QrCode,
  RotateCcw,
  Tag,
  Ticket,
  Wallet,
} from 'lucide-react';
import { AreaLink } from '../../area.tsx';
import type { Page } from '../../pages.ts';

export type Message = Row<'/api/user/message/list'>;

const icons: Record<Message['about'], LucideIcon> = {
  gift: Gift,
  offer: Tag,
  voucher: Ticket,
  money: Wallet,
  use: QrCode,
  refund: RotateCcw,
  cashout: Landmark,
  agent: Handshake,
  member: IdCard,
};

/** One message. A tap opens what it is about. */
export function MessageRow({ message }: { message: Message }) {
  const { t } = useLingui();
  const text = useTexts();
  const Icon = icons[message.about];
  return (
    <AreaLink page={pageOf(message)} className="flex items-start gap-3.5 px-4 py-3.5">
      <span
        className={clsx(
          'grid size-[42px] shrink-0 place-items-center rounded-tile',
          message.read ? 'bg-muted text-muted-foreground' : 'bg-accent text-accent-foreground',
        )}
      >
        <Icon aria-hidden className="size-5" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span className={clsx('min-w-0 flex-1 text-row', message.read ? 'font-medium' : 'font-semibold')}>
            {text(message, 'title')}
          </span>
          <span className="shrink-0 text-caption text-quiet">{time(message.at)}</span>
          {!message.read && (
            <span role="img" aria-label={t`New`} className="size-2 shrink-0 self-center rounded-full bg-badge" />
          )}
        </span>
        <span className="mt-0.5 block text-caption text-muted-foreground">{text(message, 'text')}</span>
      </span>
    </AreaLink>
  );
}

function pageOf({ about, subject, vouchers }: Message): Page {
  switch (about) {
    case 'gift':
      return `gift/${subject}`;
    case 'offer':
      return `trade/${subject}`;
    case 'voucher':
      return vouchers === 1 ? `activevoucher/${subject}` : 'activevoucher';
    case 'cashout':
      return 'wallet/cashout';
    case 'agent':
      return 'agent';
    case 'member':
      return 'member';
    case 'money':
      return 'wallet';
    case 'use':
      return `used/${subject}`;
    case 'refund':
      return `orders/${subject}/refund`;
  }
}
