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
  'access.forbidden': msg`This account may not do that.`,
  'admin.wrong_password': msg`The user name or the password is not right.`,
  'agent.customer_not_found': msg`We couldn't find this customer.`,
  'agent.link_not_found': msg`This sale link is no longer open.`,
  'agent.not_approved': msg`This account is not an approved agent yet.`,
  'agent.type_not_found': msg`This agent type is not active.`,
  'catalog.not_on_sale': msg`This package is no longer on sale. You have not been charged.`,
  'catalog.package_not_found': msg`We couldn't find this package. It may have been taken off sale.`,
  'catalog.sold_out': msg`Sold out just now. You have not been charged.`,
  'consent.required': msg`Please read and accept the terms before you pay. You have not been charged.`,
  'customer.suspended': msg`This account is suspended. Please call the shop.`,
  'field.cursor': msg`This list has changed meanwhile. Please open it again.`,
  'field.duplicate': msg`This is taken already. Enter another one.`,
  'field.email': msg`Enter a whole e-mail address, for example nattakan@mail.com.`,
  'field.format': msg`This does not look right. Please check how it is written.`,
  'field.not_in_list': msg`Choose one of the list.`,
  'field.password': msg`Use letters A–Z, a–z and digits, at least 4 of them.`,
  'field.password_weak': msg`Use at least 10 characters.`,
  'field.required': msg`This is needed. Please fill it in.`,
  'field.too_big': msg`This is too much. Enter a smaller one.`,
  'field.too_long': msg`This is too long. Make it shorter.`,
  'field.too_short': msg`This is too short.`,
  'field.too_small': msg`This is too little. Enter a larger one.`,
  'field.type': msg`This does not look right. Please check how it is written.`,
  'field.unknown': msg`This field is not known here.`,
  'hook.unknown': msg`This address is not known here.`,
  'idempotency.key_required': msg`We couldn't finish this. You have not been charged; open the page again.`,
  'idempotency.key_reused': msg`This was already sent with other details. Please go back and start again.`,
  'input.invalid': msg`Something is missing or mistyped. Please check the fields marked below.`,
  'input.too_large': msg`This file is too large. Choose a smaller one.`,
  internal: msg`We couldn't finish this. You have not been charged; try again.`,
  'line.refused': msg`LINE did not confirm who you are. Please sign in again.`,
  'line.unavailable': msg`LINE does not answer right now. Try again in a moment.`,
  'login.not_found': msg`This sign-in is too old. Please sign in again.`,
  'market.limit_per_customer': msg`You have reached the number one customer may buy. You have not been charged.`,
  'market.order_not_found': msg`We couldn't find this order.`,
  'market.quote_changed': msg`The price has changed. You have not been charged; please check it again.`,
  not_found: msg`We couldn't find it. It may have been removed.`,
  'org.host_taken': msg`This host belongs to another organisation.`,
  'org.liff_channel': msg`The LIFF id must begin with the number of the LINE channel.`,
  'org.liff_taken': msg`This LIFF id belongs to another organisation.`,
  'org.no_line_channel': msg`This shop has not connected LINE yet.`,
  'org.not_found': msg`We couldn't find this shop. Please check the address.`,
  'org.unique_taken': msg`This short name is taken. Choose another one.`,
  'org.wrong_place': msg`You are signed in at another shop. Please sign in here.`,
  'pay.bad_signature': msg`The payment company's message could not be verified. No money has moved.`,
  'pay.refused': msg`The payment company refused this. You have not been charged; try another way to pay.`,
  'pay.unavailable': msg`The payment company does not answer. You have not been charged; try again in a moment.`,
  'pay.unknown_charge': msg`The payment company does not know this payment.`,
  'rate.limited': msg`That was many times in a row. Wait a minute and try again.`,
  'session.invalid_token': msg`Your session has ended. Sign in again to go on; your cart is kept.`,
  'signin.audience': msg`This account can't sign in that way.`,
  'staff.wrong_password': msg`The user name or the password is not right.`,
  'topup.card_token': msg`The card was not read. You have not been charged; enter it again.`,
  'topup.no_method': msg`This shop does not take payment that way yet. Choose another.`,
  'topup.not_found': msg`We couldn't find this top-up.`,
  unavailable: msg`We can't do this right now. Nothing was lost; try again in a moment.`,
  'voucher.already_used': msg`You have already used this voucher.`,
  'voucher.code_stale': msg`This code is too old. Ask for the one on the screen now.`,
  'voucher.expired': msg`This voucher has expired.`,
  'voucher.in_use': msg`This voucher is being used right now. Finish or cancel that first.`,
  'voucher.not_found': msg`We couldn't find this voucher.`,
  'voucher.not_ready': msg`This voucher can't be used now.`,
  'voucher.other_organisation': msg`This voucher belongs to another shop.`,
  'voucher.other_place': msg`This voucher can't be used at this place.`,
  'voucher.session_over': msg`The time for this code is over. Open a new one.`,
  'voucher.too_few_items': msg`This voucher has fewer items left.`,
  'voucher.unknown': msg`We don't know this code.`,
  'wallet.insufficient_balance': msg`Your wallet balance is not enough. You have not been charged.`,
};

/** The sentence of a fault in the person's language; one that this build does not know reads as an unfinished request. */
export function faultSentence(i18n: I18n, fault: string) {
  const known = fault in sentences ? (fault as AnyFault) : 'internal';
  return i18n._(sentences[known]);
}
