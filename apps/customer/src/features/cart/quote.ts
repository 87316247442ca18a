import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { type Body, type Detail, query } from '@wlv/client/call';
import { callOnce } from '@wlv/client/call-once';
import { useArea } from '../../area.tsx';
import { keepWish } from '../../payment/gift-wish.ts';
import { dropPlan, endPlan, planOf } from '../../payment/planned-purchase.ts';
import { useFreshenAfterPurchase } from '../../payment/use-freshen.ts';
import { type Means, usePay } from '../../payment/use-pay.ts';
import type { Basket } from './basket.ts';
import { useCodes } from './codes.ts';

export type Quote = Detail<'/api/user/order/quote'>;
export type Bought = Detail<'/api/user/order/confirm'>;

/** The server's price of these lines; the last one stays on the screen while a count changes. */
export function useQuote(lines: Basket['lines']) {
  const codes = useCodes();
  return useQuery({
    ...query('/api/user/order/quote', codes.length > 0 ? { lines, codes } : { lines }),
    enabled: lines.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** The codes that reduce a quote: its purchase needs no others. */
const codesOf = (quote: Quote) => quote.discounts.map(({ code }) => code).filter(Boolean);

/** Lines as a purchase of them names them. */
export const linesOf = (lines: Quote['lines']) => lines.map(({ package_id, quantity }) => ({ package_id, quantity }));

/** What a quote's buyer agrees to, and what his purchase makes stale. */
export function useBuying(quote: Quote) {
  const { i18n } = useLingui();
  const freshen = useFreshenAfterPurchase();
  const codes = codesOf(quote);
  const body: Body<'/api/user/order/confirm'> = {
    lines: linesOf(quote.lines),
    ...(codes.length > 0 && { codes }),
    hash: quote.hash,
    accepted: quote.consents.map((consent) => consent._id),
    lang: i18n.locale === 'en' ? 'en' : 'th',
  };
  return { body, freshen };
}

/**
 * Buys exactly what was quoted from the wallet: all of it, or none. While nobody knows whether these lines were bought, they are asked
 * for as they were at first, also where the price, or what is left to accept, has changed since.
 */
export function useConfirm(quote: Quote) {
  const { body, freshen } = useBuying(quote);
  return useMutation({
    mutationFn: async () => {
      const key = planOf(body.lines)?.key;
      const order = await callOnce('/api/user/order/confirm', body, body.lines, key);
      endPlan(key, order.id);
      keepWish(order.id);
      return order;
    },
    onSuccess: freshen,
  });
}

/** Makes an order that is paid past the wallet: by QR or card, the exact sum. */
export function useDirect({ quote, basket, onChanged }: { quote: Quote; basket: Basket; onChanged: () => void }) {
  const { go, path } = useArea();
  const { body, freshen } = useBuying(quote);
  return usePay({
    send: async (means: Means, intent) => {
      const order = await callOnce('/api/user/order/pay', { ...body, ...means }, { lines: body.lines, ...intent });
      dropPlan();
      keepWish(order.id);
      basket.paid(); // the order holds it now
      freshen();
      return order;
    },
    back: path('order/back'),
    bank: (order) => (order.state === 'awaiting' ? (order.payment?.authorize_url ?? '') : ''),
    // Not in place of the cart: back leads there, and not to where the person signed in.
    onSuccess: (order) => void go(`order/${order.id}`),
    onError: onChanged,
  });
}
