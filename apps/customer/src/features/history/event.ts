import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { Body, Detail } from '@wlv/client/call';
import { useTexts } from '@wlv/client/page';
import { baht, signed } from '@wlv/ui/format';
import type { Page } from '../../pages.ts';

type History = Detail<'/api/user/history/list'>;
export type Event = History['data'][number];
export type Month = History['months'][number];
export type Group = Body<'/api/user/history/list'>['group'];

/** The page of what an event is about; none where it is a voucher that somebody else holds by now. A use has a page of its own. */
export function pageOf({ id, kind, about, subject }: Event): Page | undefined {
  if (kind === 'used') return `used/${id}`;
  if (!subject) return undefined;
  const pages = {
    voucher: `activevoucher/${subject}`,
    gift: `gift/${subject}`,
    offer: `trade/${subject}`,
    order: `orders/${subject}`,
  } as const;
  return pages[about];
}

/** What an event is about: its first voucher or package, and how many more. */
function useName({ packages, vouchers, ...event }: Event) {
  const { t } = useLingui();
  const text = useTexts();
  const name = text(event, 'name');
  const others = (event.about === 'order' ? packages : vouchers) - 1;
  return others > 0 ? t`${name} and ${others} more` : name;
}

/** What happened in a sentence, and beside its time what or where. */
export function useWords(event: Event): { title: string; line: string } {
  const { t } = useLingui();
  const text = useTexts();
  const name = useName(event);
  const { person } = event;
  const methods: Record<Event['method'], string> = { '': '', wallet: 'Wallet', promptpay: t`PromptPay`, card: t`Card` };
  switch (event.kind) {
    case 'used':
      return { title: t`You used ${name}`, line: text(event, 'service_point_name') };
    case 'given':
      return { title: person ? t`You gave it to ${person}` : t`You gave it`, line: name };
    case 'gift_claimed':
      return { title: person ? t`${person} received your gift` : t`Your gift was received`, line: name };
    case 'gift_withdrawn':
      return { title: t`You took the gift back`, line: name };
    case 'gift_declined':
      return { title: t`Your gift was declined`, line: name };
    case 'gift_returned':
      return { title: t`Your gift came back`, line: name };
    case 'gift_stopped':
      return { title: t`Your gift was stopped`, line: name };
    case 'received':
      return { title: person ? t`${person} gave you a gift` : t`You received a gift`, line: name };
    case 'offered':
      return { title: t`You put it on sale`, line: name };
    case 'sold':
      return { title: person ? t`Sold to ${person}` : t`Sold on`, line: name };
    case 'offer_cancelled':
      return { title: t`You took it off sale`, line: name };
    case 'offer_ended':
      return { title: t`Your offer ended`, line: name };
    case 'offer_stopped':
      return { title: t`Your offer was stopped`, line: name };
    case 'resale_bought':
      return { title: person ? t`You bought it from ${person}…` : t`You bought it from another customer`, line: name };
    case 'ordered':
      return { title: t`You bought ${name}`, line: methods[event.method] };
    case 'expired':
      return { title: t`${name} expired`, line: event.amount_satang > 0 ? t`What was left came into your Wallet` : '' };
    case 'extended':
      return { title: t`The shop extended ${name}`, line: t`It has a new last day` };
    case 'frozen':
      return { title: t`${name} is on hold`, line: t`The payment is being checked` };
    case 'released':
      return { title: t`${name} is no longer on hold`, line: t`The payment has been checked` };
    case 'frozen_by_shop':
      return { title: t`${name} is on hold`, line: t`By the shop` };
    case 'released_by_shop':
      return { title: t`${name} is no longer on hold`, line: t`The days on hold were added` };
    case 'taken_back':
      return { title: t`${name} was taken back`, line: t`Its payment was returned` };
    case 'voided_by_shop':
      return {
        title: t`The shop cancelled ${name}`,
        line: event.amount_satang > 0 ? t`Into your Wallet` : '',
      };
    case 'refunded':
      return { title: t`Refund of ${name}`, line: event.amount_satang > 0 ? t`Into your Wallet` : '' };
  }
}

/** What stands at the right: money where some moved, else how much it was. */
export function useMuch({ amount_satang, unit, items, items_left, kind, vouchers }: Event) {
  const { t } = useLingui();
  const count = (n: number) => (unit === 'baht' ? baht(n) : t`${plural(n, { one: '# time', other: '# times' })}`);
  if (amount_satang !== 0) return { text: signed(amount_satang), good: amount_satang > 0 };
  if (!unit) return { text: t`${plural(vouchers, { one: '# voucher', other: '# vouchers' })}` };
  if (kind !== 'used') return { text: count(items) };
  const left = unit === 'baht' ? baht(items_left) : String(items_left);
  return { text: count(items), left: items_left > 0 ? t`${left} left` : t`All used` };
}
