import { useInfiniteQuery } from '@tanstack/react-query';
import { type Body, pages } from '@wlv/client/call';
import { useSearch } from '@wlv/client/router';

/** What the address says about the list; every value is text, as it stands there. */
export interface MarketSearch {
  q?: string;
  tag?: string;
  sort?: Sort;
  /** Whole baht. */
  min?: string;
  max?: string;
  place?: string;
}

export const sorts = ['-sold', '-created', 'price_satang', '-price_satang'] as const;
export type Sort = (typeof sorts)[number];

export function useMarketSearch() {
  return useSearch<MarketSearch>();
}

/** An empty body is the market's first page: featured first, then the best sold. The server puts its answer into the page. */
function listingBody(search: MarketSearch): Body<'/api/user/get/salepackage'> {
  const filter = {
    ...(search.tag ? { tag: search.tag } : {}),
    ...(search.place ? { service_point: search.place } : {}),
    ...(search.min ? { price_min_satang: Number(search.min) * 100 } : {}),
    ...(search.max ? { price_max_satang: Number(search.max) * 100 } : {}),
  };
  return {
    ...(search.sort ? { sort: search.sort } : {}),
    ...(search.q ? { search: search.q } : {}),
    ...(Object.keys(filter).length ? { filter } : {}),
  };
}

export function usePackages(search: MarketSearch) {
  return useInfiniteQuery(pages('/api/user/get/salepackage', listingBody(search)));
}

/** How many of the sheet's choices are made; the tags and the search field show themselves. */
export function filterCount(search: MarketSearch) {
  return [search.sort, search.min ?? search.max, search.place].filter(Boolean).length;
}
