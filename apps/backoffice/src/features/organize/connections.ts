import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, type Detail, query } from '@wlv/client/call';

export type Connections = Detail<'/api/admin/organize/connections'>;
export type Host = NonNullable<Connections['hosts']>[number];

const path = '/api/admin/organize/connections';

/** How an organisation stands with LINE, its gateway and the DNS. While a worker is at it, it is asked again. */
export function useConnections(id: string) {
  return useQuery({
    ...query(path, { id }),
    refetchInterval: ({ state }) => (state.data?.payment.switching ? 1000 : false),
  });
}

/** Takes what a change answers with, which is how things stand now. */
export function useTakeConnections(id: string) {
  const client = useQueryClient();
  return (now: Connections) => {
    client.setQueryData(query(path, { id }).queryKey, now);
    void client.invalidateQueries({ queryKey: ['/api/admin/organize/detail'] });
  };
}

/** One change of an address: adding, looking for its record, making it the main one, taking it away. */
export function useHostChange(id: string, change: 'add' | 'verify' | 'canonical' | 'remove') {
  return useMutation({
    mutationFn: (host: string) => call(`/api/admin/organize/host/${change}`, { id, host }),
    onSuccess: useTakeConnections(id),
  });
}

/** What the platform does for an organisation without gateway keys of its own. */
export function useOffer() {
  return useQuery({ ...query('/api/admin/organize/options', {}), staleTime: 600_000 });
}
