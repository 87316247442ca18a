import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { Detail } from '@wlv/client/call';
import type { ChipTone } from '@wlv/ui/chip';
import { baht, date, dateTime } from '@wlv/ui/format';

export type Listed = Detail<'/api/user/order/list'>['data'][number];
export type Order = Detail<'/api/user/order/detail'>;
type Voucher = Order['vouchers'][number];
type HandedOn = Order['handed_on'][number];

/** How an order stands, in one word with its colour. */
export function useOrderState(state: Order['state']) {
  const { t } = useLingui();
  const words: Record<Order['state'], { word: string; tone: ChipTone }> = {
    awaiting: { word: t`Waiting for payment`, tone: 'info' },
    paid: { word: t`Paid`, tone: 'ok' },
    part_refunded: { word: t`Partly refunded`, tone: 'warn' },
    refunded: { word: t`Refunded`, tone: 'mute' },
    expired: { word: t`Not paid`, tone: 'mute' },
  };
  return words[state];
}

/** How an order was paid. */
export function usePaidBy({ payment }: Order) {
  const { t } = useLingui();
  const methods = { promptpay: t`Paid by PromptPay`, card: t`Paid by card` };
  return payment ? methods[payment.method] : t`Paid from your Wallet`;
}

function useCount() {
  const { t } = useLingui();
  return (kind: Voucher['kind'], n: number) =>
    kind === 'baht' ? baht(n) : t`${plural(n, { one: '# time', other: '# times' })}`;
}

/** Where a voucher of the payer's own is, in one word with its colour, and what is left of it. */
export function useHeld(voucher: Voucher): { word: string; tone: ChipTone; line: string } {
  const { t } = useLingui();
  const count = useCount();
  const { kind, items_left: left, items_total: total, used_at } = voucher;
  const until = date(voucher.valid_until);
  const much = count(kind, left);
  const lasts = t`${much} · valid until ${until}`;
  switch (voucher.state) {
    case 'ready':
      return left < total
        ? { word: t`Partly used`, tone: 'info', line: lasts }
        : { word: t`With you`, tone: 'ok', line: lasts };
    case 'in_use':
      return { word: t`In use`, tone: 'info', line: lasts };
    case 'on_sale':
      return { word: t`On sale`, tone: 'info', line: lasts };
    case 'in_transfer':
      return { word: t`Given, not received yet`, tone: 'info', line: lasts };
    case 'frozen':
      return { word: t`On hold`, tone: 'warn', line: lasts };
    case 'used':
      return { word: t`All used`, tone: 'mute', line: used_at ? dateTime(used_at) : count(kind, total) };
    case 'expired':
      return { word: t`Expired`, tone: 'mute', line: until };
    case 'refunded':
      return { word: t`Refunded`, tone: 'mute', line: much };
    case 'void':
      return { word: t`Cancelled`, tone: 'mute', line: much };
  }
}

/** To whom something of an order went. */
export function useHandedOn({ by, to_name: to, kind, items, at }: HandedOn): { word: string; line: string } {
  const { t } = useLingui();
  const much = useCount()(kind, items);
  const when = dateTime(at);
  if (by === 'offer') return { word: t`Sold on`, line: `${much} · ${when}` };
  return { word: to ? t`With ${to}` : t`Given`, line: `${much} · ${when}` };
}
