import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Detail, Row } from '@wlv/client/call';
import type { ChipTone } from '@wlv/ui/chip';

export type Overview = Detail<'/api/admin/dashboard/overview'>;
export type Ranked = Row<'/api/admin/dashboard/organisations'>;
export type Job = Row<'/api/admin/job/list'>;

type Alarm = Overview['alarms'][number];
export const alarmWords: Record<Alarm['kind'], { title: MessageDescriptor; tone: ChipTone }> = {
  books: { title: msg`The books do not balance`, tone: 'bad' },
  opening: { title: msg`The opening broke`, tone: 'bad' },
  given_up: { title: msg`Jobs were given up`, tone: 'bad' },
  late: { title: msg`Jobs are late`, tone: 'warn' },
  unseen: { title: msg`Figures are old`, tone: 'warn' },
};

export const stateWords: Record<Ranked['state'], { title: MessageDescriptor; tone: ChipTone }> = {
  live: { title: msg`Live`, tone: 'ok' },
  provisioning: { title: msg`Being opened`, tone: 'info' },
  suspended: { title: msg`Suspended`, tone: 'bad' },
};

/** What a job is about, by how its kind begins. */
const jobWords: Record<string, MessageDescriptor> = {
  'push.': msg`LINE messages`,
  notice: msg`Open screens`,
  'message.': msg`Messages to customers`,
  'receipt.': msg`Receipts by e-mail`,
  'report.': msg`Reports and files`,
  'charge.': msg`Payments at the gateway`,
  'wallet.look': msg`Payments at the gateway`,
  'wallet.seal': msg`The day's seal`,
  'auditlog.': msg`Audit log`,
  'ledger.': msg`Audit of the books`,
  'voucher.': msg`Vouchers whose time is over`,
  'commission.': msg`Commission`,
  'payout.': msg`Payouts`,
  'withholding.': msg`Tax certificates`,
  'settlement.': msg`Payments to organisations`,
  'refund.': msg`Refunds`,
  'care.': msg`Changes to many at once`,
  'member.': msg`Member cards`,
  'agent.': msg`Agents`,
  'approval.': msg`Requests for a second person`,
  'payee.': msg`Pictures of accounts`,
  'customer.': msg`Forgetting people`,
  'gift.': msg`Gifts`,
  'rollup.': msg`Figures`,
  'overview.': msg`Figures of all organisations`,
  provision: msg`Opening an organisation`,
  'onboard.': msg`Opening an organisation`,
  'session.': msg`Sessions`,
  'signin.': msg`Links for lost passwords`,
  'points.': msg`Points of members`,
  'queue.': msg`The timetable`,
};

/** The words for a kind of job; of one that is not known here there are none. */
export function wordsOfJob(kind: string) {
  const found = Object.keys(jobWords).find((begin) => kind.startsWith(begin));
  return found ? jobWords[found] : undefined;
}
