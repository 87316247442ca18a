import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Detail } from '@wlv/client/call';
import type { StatusStyle } from '../../resource/resource.ts';

type Story = Detail<'/api/admin/settlement/detail'>;
type Payment = Story['settlements'][number];

export const runStates: Record<Story['record']['state'], StatusStyle> = {
  draft: { title: msg({ message: 'Draft', context: 'a run of payouts' }), tone: 'mute' },
  approved: { title: msg({ message: 'Approved, not sent', context: 'a run of payouts' }), tone: 'info' },
  exported: { title: msg({ message: 'Waits for the bank', context: 'a run of payouts' }), tone: 'info' },
  closed: { title: msg({ message: 'Closed', context: 'a run of payouts' }), tone: 'mute' },
  cancelled: { title: msg({ message: 'Cancelled', context: 'a run of payouts' }), tone: 'mute' },
};

export const paymentStates: Record<Payment['state'], StatusStyle> = {
  ready: { title: msg({ message: 'In the draft', context: 'a payout' }), tone: 'mute' },
  left_out: { title: msg({ message: 'Left out', context: 'a payout' }), tone: 'warn' },
  booked: { title: msg({ message: 'Approved, not sent', context: 'a payout' }), tone: 'info' },
  sent: { title: msg({ message: 'No answer yet', context: 'a payout' }), tone: 'info' },
  paid: { title: msg({ message: 'Paid', context: 'a payout' }), tone: 'ok' },
  failed: { title: msg({ message: 'Not paid', context: 'a payout' }), tone: 'bad' },
  returned: { title: msg({ message: 'Came back', context: 'a payout' }), tone: 'bad' },
};

/** Why an organisation is not paid by a run. */
export const leftOutWords: Record<Exclude<Payment['left_out'], ''>, MessageDescriptor> = {
  not_approved: msg`no account of it is approved`,
  account_new: msg`its account is younger than 7 days on the pay day`,
  suspended: msg`it is suspended`,
  owes: msg`it has nothing to be paid`,
  below_minimum: msg`less than the least sum`,
  too_big: msg`more than the bank’s file takes`,
  under_way: msg`another payment to it is on its way`,
  books_open: msg`the last check of its books found something`,
  not_covered: msg`the gateway account holds less`,
  changed: msg`something has changed since the draft`,
  cancelled: msg`the run was cancelled`,
};
