import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { Detail } from '@wlv/client/call';
import type { StatusStyle } from '../../resource/resource.ts';

/** Something that needs a second person. */
export type Approval = Detail<'/api/owner/approval/detail'>['record'];

export const approvalStates: Record<Approval['state'], StatusStyle> = {
  waiting: { title: msg({ message: 'Waits', context: 'an approval' }), tone: 'warn' },
  approved: { title: msg({ message: 'Approved', context: 'an approval' }), tone: 'ok' },
  refused: { title: msg({ message: 'Refused', context: 'an approval' }), tone: 'bad' },
  withdrawn: { title: msg({ message: 'Withdrawn', context: 'an approval' }), tone: 'mute' },
  lapsed: { title: msg({ message: 'Lapsed', context: 'an approval' }), tone: 'mute' },
};

/** What somebody asks for. */
export function useKindName() {
  const { t } = useLingui();
  return ({ kind, title }: Approval) =>
    ({
      refund: t`Refund of ${title}`,
      refund_request: t`Refund of ${title}, which its payer asked for`,
      void: t`Cancel the voucher ${title}`,
      write_off: t`Write off the debt of the payment ${title}`,
      goodwill: t`Money back for a use of ${title}`,
      cashout: t`Money of a Wallet, asked for as ${title}`,
      bank_transfer: t`Confirm what became of the transfer for ${title}`,
      payout: t`Pay out, run ${title}`,
      points: t`Points of the member ${title}`,
      denial: t`Do not pay the commission of the order ${title}`,
      tax_return: t`Confirm that the tax file ${title} was filed`,
      extend: t`Extend many vouchers`,
      rule: t`Let go of what needs two people`,
    })[kind];
}
