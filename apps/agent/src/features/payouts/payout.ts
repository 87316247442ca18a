import { useLingui } from '@lingui/react/macro';
import { useBankName } from '@wlv/client/bank';
import type { Detail, Row } from '@wlv/client/call';
import type { ChipTone } from '@wlv/ui/chip';
import { baht } from '@wlv/ui/format';
import { CalendarCheck, CircleCheck, CornerDownRight, Landmark, type LucideIcon, RotateCcw } from 'lucide-react';

/** A payout as the list has it; one alone has its lines beside. */
export type Payout = Row<'/api/agent/payout/list'>;
export type Story = Detail<'/api/agent/payout/detail'>;

interface State {
  tone: Extract<ChipTone, 'ok' | 'info' | 'warn' | 'mute'>;
  Icon: LucideIcon;
  word: string;
}

/** Where a payout stands. */
export function usePayoutState({ state, left_out }: Payout): State {
  const { t } = useLingui();
  const states: Record<Payout['state'], State> = {
    booked: { tone: 'info', Icon: CalendarCheck, word: t`To be transferred` },
    sent: { tone: 'info', Icon: Landmark, word: t`With the bank` },
    paid: { tone: 'ok', Icon: CircleCheck, word: t`Transferred` },
    failed: { tone: 'warn', Icon: RotateCcw, word: t`Not transferred` },
    returned: { tone: 'warn', Icon: RotateCcw, word: t`Came back` },
    left_out: {
      tone: 'mute',
      Icon: CornerDownRight,
      word: left_out === 'owes' ? t`Nothing to transfer` : t`Left to the next payout`,
    },
  };
  return states[state];
}

/** Its sum is, or will be, in the bank. */
export const arrives = ({ state }: Payout) => state === 'booked' || state === 'sent' || state === 'paid';

/** What it is about: the transfer, or what would have been transferred. Of who was left out nothing was withheld. */
export const sumOf = (payout: Payout) => (payout.state === 'left_out' ? payout.gross_satang : payout.net_satang);

/** The account that it goes to, by the last four digits; empty where it goes to none. */
export function useAccount({ state, bank, account_digits }: Payout) {
  const nameOf = useBankName();
  return account_digits && state !== 'left_out' ? `${nameOf(bank)} ····${account_digits}` : '';
}

/** Why a payout did not arrive, and where its money is now. Null for one that does. */
export function useTrouble(payout: Payout): { why: string; money: string } | null {
  const { t } = useLingui();
  const leftOut = useLeftOut(payout);
  if (arrives(payout)) return null;
  if (payout.state === 'left_out') return leftOut;
  const why = payout.reason && `“${payout.reason}”`;
  if (payout.state === 'failed' || !payout.withheld_satang) return { why, money: t`The money is in the next payout.` };
  const net = baht(payout.net_satang);
  return { why, money: t`${net} is in the next payout. The tax that was withheld is not withheld again.` };
}

function useLeftOut({ left_out, gross_satang }: Payout) {
  const { t } = useLingui();
  const whys: Record<Payout['left_out'], string> = {
    '': '',
    not_approved: t`The shop had not approved your payment details then.`,
    suspended: t`The shop had suspended you as an agent then.`,
    account_new: t`Your new account could not be paid to yet on the pay day.`,
    owes: t`After what was taken back, nothing was left to transfer.`,
    below_minimum: t`The sum was less than the shop transfers.`,
    too_big: t`The sum is more than one transfer can be.`,
    no_tax_rule: t`There was no tax rate for the pay day yet.`,
    under_way: t`An earlier payout was still on its way.`,
    postponed: t`The shop postponed this transfer.`,
    changed: t`Something changed after the shop had approved this payout.`,
    cancelled: t`The shop cancelled this payout.`,
    held: t`On hold: being looked at.`,
  };
  return { why: whys[left_out], money: moneyNow() };

  function moneyNow() {
    if (left_out === 'changed') return t`The next payout counts it anew.`;
    if (left_out === 'too_big') return t`It is still yours; ask the shop.`;
    if (left_out !== 'owes') return t`The money is kept for the next payout.`;
    const owed = baht(-gross_satang);
    return gross_satang < 0 ? t`${owed} is taken from the next payout.` : '';
  }
}
