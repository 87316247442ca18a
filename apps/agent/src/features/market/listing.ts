import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type Body, pages, query, type Row } from '@wlv/client/call';
import { useMayAsk } from '../../shell/profile.ts';

export type Package = Row<'/api/agent/get/salepackage'>;

/** What the address says about the list. */
export interface MarketSearch {
  q?: string;
  tag?: string;
}

export function useMarketSearch() {
  return useSearch({ strict: false }) as MarketSearch;
}

function listingBody({ q, tag }: MarketSearch): Body<'/api/agent/get/salepackage'> {
  return { ...(q ? { search: q } : {}), ...(tag ? { filter: { tag } } : {}) };
}

export function usePackages(search: MarketSearch) {
  return useInfiniteQuery({
    ...pages('/api/agent/get/salepackage', listingBody(search)),
    enabled: useMayAsk(),
  });
}

/** What sells best of all: the one to send first. */
export function useBestPackage() {
  const best = useQuery({
    ...query('/api/agent/get/salepackage', { sort: '-sold', limit: 1 }),
    enabled: useMayAsk(),
  });
  return { ...best, data: best.data?.data[0] };
}
