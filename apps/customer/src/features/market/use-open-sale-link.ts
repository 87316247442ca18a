import { useMutation } from '@tanstack/react-query';
import { mutation } from '@wlv/client/call';
import { useEffect } from 'react';
import { useArea } from '../../area.tsx';
import { useMarketSearch } from './listing.ts';

/**
 * `?link=` is an agent's sale link: the server remembers it for the customer for 30 days, and its product opens.
 * A visitor signs in first and comes back here; a dead link leaves the market as it is.
 */
export function useOpenSaleLink() {
  const { link } = useMarketSearch();
  const { go, path, signedIn } = useArea();
  const { mutate } = useMutation(mutation('/api/user/link/open'));

  useEffect(() => {
    if (!link) return;
    if (!signedIn) {
      void go('home', { next: `${path('market')}?link=${encodeURIComponent(link)}` }, { replace: true });
      return;
    }
    mutate(
      { code: link },
      {
        onSuccess: ({ package_id }) => void go(`market/${package_id}`, {}, { replace: true }),
        onError: () => void go('market', {}, { replace: true }),
      },
    );
  }, [link, signedIn, go, path, mutate]);
}
