import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { pick } from '@wlv/client/language';
import { usePerson } from '../access/person.ts';

export const productWord = query('/api/owner/setting/product/get', {});

/** A screen, or a report. */
interface Named {
  path: string;
  title: MessageDescriptor;
  product?: 'agent' | 'partner';
}

/** What screens are called, and where they stand: one has the organisation's own word of what it sells in both. */
export function useScreenNames() {
  const { t, i18n } = useLingui();
  const { can } = usePerson();
  const { data: word } = useQuery({
    ...productWord,
    staleTime: 300_000,
    enabled: can('agentproductcommissiontransaction', 'v') || can('partnercommissiontransaction', 'v'),
  });
  return {
    /** The word is known. */
    known: Boolean(word),
    titleOf: ({ title, product }: Pick<Named, 'title' | 'product'>) => {
      if (!product || !word) return i18n._(title);
      const sold = pick(word, 'word', i18n.locale);
      return product === 'agent' ? t`Commission by ${sold}` : t`Commission of partners by ${sold}`;
    },
    pathOf: ({ path, product }: Pick<Named, 'path' | 'product'>) =>
      product && word ? `${product}${word.slug}commissiontransaction` : path,
  };
}
