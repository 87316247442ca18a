import { useQuery } from '@tanstack/react-query';
import { query, type Row } from '@wlv/client/call';
import { useState } from 'react';

export type ServicePoint = Row<'/api/staff/get/service_point'>;

const servicePointKey = 'service_point';

/** Where this device stands: chosen once, and remembered until somebody signs out. */
export function useServicePoint() {
  const servicePoints = useQuery({ ...query('/api/staff/get/service_point', {}), staleTime: 600_000 });
  const [chosen, setChosen] = useState(() => localStorage.getItem(servicePointKey));
  const [only, ...others] = servicePoints.data?.data ?? [];
  const servicePoint = servicePoints.data?.data.find(({ id }) => id === chosen) ?? (others.length ? undefined : only);

  return {
    servicePoints,
    servicePoint,
    choose(id: string) {
      localStorage.setItem(servicePointKey, id);
      setChosen(id);
    },
  };
}
