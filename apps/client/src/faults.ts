import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Fault } from './faults.gen.ts';

/** What goes wrong before the server has said anything. */
type LocalFault = 'client.offline' | 'client.unreadable' | 'client.card_refused';

export type AnyFault = Fault | LocalFault;

/** What happened to the money first, then what to do. A fault without a sentence does not compile. */
const sentences: Record<AnyFault, MessageDescriptor> = {
  'client.offline': msg`No connection right now. Nothing was lost; try again.`,
  'client.unreadable': msg`We couldn't read the answer. Try again in a moment.`,
  'client.card_refused': msg`The payment company did not accept this card. You have not been charged; check the numbers or use another card.`,
  'session.over': msg`Your session has ended. Sign in again to go on; your cart is kept.`,
  'access.forbidden': msg`This account may not do that.`,
  'request.invalid': msg`Something is missing or mistyped. Please check the fields marked below.`,
  'request.too_many': msg`That was many times in a row. Wait a minute and try again.`,
  'request.not_found': msg`We couldn't find it. It may have been removed.`,
  'request.internal': msg`We couldn't finish this. You have not been charged; try again.`,
  'idempotency.reused': msg`This was already sent with other details. Please go back and start again.`,
  'wallet.insufficient_balance': msg`Your wallet balance is not enough. You have not been charged.`,
  'wallet.topup_minimum': msg`The least top-up is ฿100.00.`,
  'catalog.sold_out': msg`Sold out just now. You have not been charged.`,
  'catalog.not_on_sale': msg`This package is no longer on sale. You have not been charged.`,
  'catalog.limit_per_customer': msg`You have reached the number one customer may buy. You have not been charged.`,
  'market.quote_changed': msg`The price has changed. You have not been charged; please check it again.`,
  'consent.required': msg`Please read and accept the terms before you pay.`,
  'voucher.already_used': msg`This voucher has already been used.`,
  'voucher.code_stale': msg`This code is too old. Ask for the one on the screen now.`,
  'voucher.unknown': msg`We don't know this code.`,
  'voucher.expired': msg`This voucher has expired.`,
  'voucher.other_place': msg`This voucher can't be used at this place.`,
  'voucher.other_organisation': msg`This voucher belongs to another shop.`,
  'voucher.session_over': msg`The time for this code is over. Open a new one.`,
  'voucher.in_use': msg`This voucher is being used right now. Finish or cancel that first.`,
};

/** The sentence of a fault in the person's language; one that this build does not know reads as an unfinished request. */
export function faultSentence(i18n: I18n, fault: string) {
  const known = fault in sentences ? (fault as AnyFault) : 'request.internal';
  return i18n._(sentences[known]);
}
