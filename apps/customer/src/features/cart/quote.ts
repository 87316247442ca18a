import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { call, type Detail, invalidates, query } from '@wlv/client/call';
import { useMemo } from 'react';
import type { Basket } from './basket.ts';

export type Quote = Detail<'/api/user/order/quote'>;
export type Bought = Detail<'/api/user/order/confirm'>;

/** The server's price of these lines; the last one stays on the screen while a count changes. */
export function useQuote(lines: Basket['lines']) {
  return useQuery({
    ...query('/api/user/order/quote', { lines }),
    enabled: lines.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** Buys exactly what was quoted from the wallet: all of it, or none. A second tap carries the same key. */
export function useConfirm(quote: Quote) {
  const { i18n } = useLingui();
  // biome-ignore lint/correctness/useExhaustiveDependencies: one key per quote
  const idempotencyKey = useMemo(() => crypto.randomUUID(), [quote.hash]);
  return useMutation({
    mutationFn: () =>
      call(
        '/api/user/order/confirm',
        {
          lines: quote.lines.map(({ package_id, quantity }) => ({ package_id, quantity })),
          hash: quote.hash,
          accepted: quote.consents.map((consent) => consent.version_id),
          lang: i18n.locale === 'en' ? 'en' : 'th',
        },
        { idempotencyKey },
      ),
    onSuccess: invalidates(
      '/api/user/getwallet',
      '/api/user/wallet/movements',
      '/api/user/voucher/list',
      '/api/user/get/salepackage',
    ),
  });
}
