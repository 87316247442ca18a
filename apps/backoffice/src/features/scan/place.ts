import { useQuery } from '@tanstack/react-query';
import { query, type Row } from '@wlv/client/call';
import { useState } from 'react';

export type Place = Row<'/api/staff/get/service_point'>;

const placeKey = 'service_point';

/** Where this device stands: chosen once, and remembered until somebody signs out. */
export function usePlace() {
  const places = useQuery({ ...query('/api/staff/get/service_point', {}), staleTime: 600_000 });
  const [chosen, setChosen] = useState(() => localStorage.getItem(placeKey));
  const [only, ...others] = places.data?.data ?? [];
  const place = places.data?.data.find(({ id }) => id === chosen) ?? (others.length ? undefined : only);

  return {
    places,
    place,
    choose(id: string) {
      localStorage.setItem(placeKey, id);
      setChosen(id);
    },
  };
}
