import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '@wlv/client/call';
import { useSettled } from '@wlv/client/use-settled';
import { useArea } from '../area.ts';

interface Colours {
  primary: string;
  secondary: string;
}

/** A picker says dozens of colours a second while it is dragged. */
const pause = 150;

/** What pages of two colours (`#rrggbb`) look like, from the server; while it is asked about other ones, what it said last. */
export function useTheme(colours: Colours | null) {
  const area = useArea();
  const path = area === 'admin' ? '/api/admin/theme' : '/api/staff/theme';
  const asked = useSettled(colours ? `${colours.primary} ${colours.secondary}`.toLowerCase() : '', pause);
  const [primary = '', secondary = ''] = asked.split(' ');
  return useQuery({
    queryKey: [path, primary, secondary],
    queryFn: ({ signal }) => call(path, { primary, secondary }, { as: area, signal }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
