import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';

/** How many uses staff have confirmed at a service point today. */
export function useUsesToday(servicePoint: string) {
  const uses = useQuery(query('/api/staff/get/activevoucher', { service_point_id: servicePoint }));
  return uses.data?.data.length ?? 0;
}
