import { useLingui } from '@lingui/react/macro';
import type { Row } from '@wlv/client/call';
import { useTexts } from '@wlv/client/page';
import { time } from '@wlv/ui/format';
import { MovementRow } from '@wlv/ui/movement-row';
import {
  ArrowDownUp,
  CircleAlert,
  Hourglass,
  Landmark,
  type LucideIcon,
  QrCode,
  RotateCcw,
  Tag,
  Ticket,
  UserRound,
} from 'lucide-react';

export type Movement = Row<'/api/user/wallet/movements'>;

type Tone = 'brand' | 'ok' | 'warn' | 'info';

/** The cause of a movement by icon and tile; its words come from the server. */
const causes: Partial<Record<Movement['kind'], { Icon: LucideIcon; tone: Tone }>> = {
  topup: { Icon: QrCode, tone: 'ok' },
  purchase: { Icon: Ticket, tone: 'brand' },
  refund: { Icon: RotateCcw, tone: 'info' },
  cashout: { Icon: Landmark, tone: 'brand' },
  resale: { Icon: Tag, tone: 'brand' },
  remittance_failed: { Icon: RotateCcw, tone: 'warn' },
  goodwill: { Icon: RotateCcw, tone: 'info' },
  card_returned: { Icon: RotateCcw, tone: 'info' },
  card_credited: { Icon: RotateCcw, tone: 'info' },
  chargeback: { Icon: CircleAlert, tone: 'warn' },
  taken_back: { Icon: RotateCcw, tone: 'info' },
  debt: { Icon: CircleAlert, tone: 'warn' },
  expiry: { Icon: Hourglass, tone: 'warn' },
  former_account: { Icon: UserRound, tone: 'info' },
};

const other = { Icon: ArrowDownUp, tone: 'info' } as const;

export function MovementLine({ movement, onOpen }: { movement: Movement; onOpen: () => void }) {
  const { t } = useLingui();
  const text = useTexts();
  const { Icon, tone } = causes[movement.kind] ?? other;
  return (
    <MovementRow
      icon={<Icon aria-hidden />}
      tone={tone}
      title={text(movement, 'title')}
      line={time(movement.at)}
      satang={movement.amount_satang}
      after={(left) => t`${left} left`}
      afterSatang={movement.after_satang}
      onClick={onOpen}
    />
  );
}
