import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Detail, type Path, query } from '@wlv/client/call';
import { callOnce } from '@wlv/client/call-once';
import type { Basket } from './basket.ts';

export type Quote = Detail<'/api/user/order/quote'>;
export type Bought = Detail<'/api/user/order/detail'>;

/** The server's price of these lines; the last one stays on the screen while a count changes. */
export function useQuote(lines: Basket['lines']) {
  return useQuery({
    ...query('/api/user/order/quote', { lines }),
    enabled: lines.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** What a quote's buyer agrees to, and what his purchase makes stale. */
export function useBuying(quote: Quote) {
  const { i18n } = useLingui();
  const client = useQueryClient();
  return {
    body: {
      lines: quote.lines.map(({ package_id, quantity }) => ({ package_id, quantity })),
      hash: quote.hash,
      accepted: quote.consents.map((consent) => consent._id),
      lang: i18n.locale === 'en' ? 'en' : 'th',
    } as const,
    freshen: () => {
      for (const path of changedByBuying) void client.invalidateQueries({ queryKey: [path] });
    },
  };
}

const changedByBuying: Path[] = [
  '/api/user/getwallet',
  '/api/user/wallet/movements',
  '/api/user/voucher/list',
  '/api/user/order/awaiting',
  '/api/user/get/salepackage',
];

/**
 * Buys exactly what was quoted from the wallet: all of it, or none. While nobody knows whether these lines were bought, they are asked
 * for as they were at first, also where the price, or what is left to accept, has changed since.
 */
export function useConfirm(quote: Quote) {
  const { body, freshen } = useBuying(quote);
  return useMutation({
    mutationFn: () => callOnce('/api/user/order/confirm', body, body.lines),
    onSuccess: freshen,
  });
}
